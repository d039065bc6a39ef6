import type { LineRange } from '@secateur/base/text/lines.ts';
import { estimateTokens, estimateTokensExactly } from '@secateur/base/text/token-estimate.ts';
import { type Focus, lineHash, type ShownOutput } from '@secateur/engine/ranking/scorer.ts';
import type { Origin } from '@secateur/engine/request.ts';

/** One call of a tool: the agent's text before it, the call, and its output. */
export interface AgentStep {
  readonly tool: string;
  /** Request of the user. */
  readonly task: string;
  /** Text of the agent since the previous call. */
  readonly words: string;
  /** Command line, or the name of the tool with its arguments. */
  readonly command: string;
  readonly output: string;
  /** Origin of the output. Set if the session contains more than the command. */
  readonly origin?: Origin | undefined;
  /** Whether the assumed integration cannot change this output. */
  readonly isOutOfReach?: boolean;
}

/** Shortens an output for a focus. Returns the text that remains visible, and the removed line numbers. */
export type Cutter = (step: AgentStep, focus: Focus) => CutOutput;

export interface CutOutput {
  text: string;
  gaps: readonly LineRange[];
}

export interface ReplayedStep {
  tokensBefore: number;
  tokensAfter: number;
  /** Lines that the agent used later, and how many of these the cut left visible. */
  used: { lines: number; seen: number };
  /**
   * Counts lines of this output that the agent copied later. `seen`: lines that the cut kept in this output.
   * `seenHereOrEarlier`: lines that it kept in this output or an earlier one.
   */
  copied: { lines: number; seen: number; seenHereOrEarlier: number };
  recoveries: number;
  /** Cost of recoveries in tokens: the recovered lines, and the calls that request them. */
  recoveryTokens: number;
  priced: { before: PricedStep; after: PricedStep };
}

const RECENT_WORDS = 3;
/** Maximum number of line hashes kept per run. Older lines are no longer in the conversation. */
const MAX_KNOWN_LINES = 1_000_000;
/** Maximum number of tokens after a line for which the line still counts as shown, as in the hook (P52). */
const MAX_SHOWN_TOKENS = 40_000;

function withinTokens(shown: readonly ShownOutput[]): readonly ShownOutput[] {
  let tokens = 0;
  const first = shown.findLastIndex(({ text }) => {
    tokens += text.length / 4;
    return tokens > MAX_SHOWN_TOKENS;
  });
  return shown.slice(first + 1);
}

/** Replays a run as if each output had been cut, and tracks which lines the agent has seen. */
export class Replay {
  readonly #cut: Cutter;
  readonly #asking: RecoveryStrategy;
  /** Outputs that the client still sends to the model, oldest first. */
  #shown: readonly ShownOutput[] = [];
  readonly #shownLines = new Set<number>();
  #recentWords: readonly string[] = [];

  constructor(cut: Cutter, asking: RecoveryStrategy = 'gap by gap') {
    this.#cut = cut;
    this.#asking = asking;
  }

  take(step: AgentStep, labels: UsedLines): ReplayedStep {
    const { words: question, task, command } = step;
    const focus = { question, task, command, recentWords: this.#recentWords, shown: this.#shown };
    const cut = this.#cut(step, focus);
    const replayed = this.#account(step, cut, labels);
    this.#shown = withinTokens([...this.#shown, { call: command, text: cut.text }]);
    if (this.#shownLines.size > MAX_KNOWN_LINES) this.#shownLines.clear();
    this.#recentWords = [...this.#recentWords, step.words].slice(-RECENT_WORDS);
    return replayed;
  }

  #account(step: AgentStep, cut: CutOutput, { used, again }: UsedLines): ReplayedStep {
    const lines = step.output.split('\n');
    const hidden = hiddenLines(lines.length, cut.gaps);
    const isSeen = (line: number) => hidden[line - 1] !== 1;
    const wasShown = (line: number) => this.#shownLines.has(lineHash(lines[line - 1] ?? ''));
    const copied = [...used, ...again];
    const hereOrEarlier = copied.filter((line) => isSeen(line) || wasShown(line)).length;
    const missed = used.filter((line) => this.#asking === 'gap by gap' || !wasShown(line));
    const back = recoveriesOf(lines, cut.gaps, { missed, asking: this.#asking });
    for (const [index, line] of lines.entries())
      if (hidden[index] !== 1) this.#shownLines.add(lineHash(line));
    for (const line of back.lines) this.#shownLines.add(lineHash(line));
    const tokensBefore = estimateTokens(step.output);
    const tokensAfter = cut.gaps.length === 0 ? tokensBefore : estimateTokens(cut.text);
    const written = estimateTokens(`${step.words}\n${step.command}`);
    return {
      tokensBefore,
      tokensAfter,
      used: { lines: used.length, seen: used.filter(isSeen).length },
      copied: { lines: copied.length, seen: copied.filter(isSeen).length, seenHereOrEarlier: hereOrEarlier },
      recoveries: back.calls,
      recoveryTokens: back.tokens + back.calls * RECOVERY_CALL_TOKENS,
      priced: {
        before: { written, shown: tokensBefore, recoveries: 0, recovered: 0 },
        after: { written, shown: tokensAfter, recoveries: back.calls, recovered: back.tokens },
      },
    };
  }
}

function hiddenLines(total: number, gaps: readonly LineRange[]): Uint8Array {
  const hidden = new Uint8Array(total);
  for (const { start, end } of gaps) hidden.fill(1, start - 1, end);
  return hidden;
}

/** Strategy by which an agent recovers lines that it misses. */
export type RecoveryStrategy =
  /** One call per gap that contains a needed line, even if the agent saw the line before. The highest possible cost. */
  | 'gap by gap'
  /** One call for all ranges of an output, except lines that the agent saw before. */
  | 'at once';

/** Maximum number of lines of a gap that is recovered as a whole. Of a longer gap, only lines near the needed ones are. */
const SHORT_GAP = 80;
const AROUND = 15;

/** Returns the calls by which an agent recovers these lines, a whole gap per call. */
function recoveriesOf(
  lines: readonly string[],
  gaps: readonly LineRange[],
  { missed, asking }: { missed: readonly number[]; asking: RecoveryStrategy },
) {
  const asked: string[] = [];
  let opened = 0;
  for (const { start, end } of gaps) {
    const inside = missed.filter((line) => line >= start && line <= end);
    if (inside.length === 0) continue;
    opened += 1;
    for (let line = start; line <= end; line += 1) {
      const isAsked = end - start < SHORT_GAP || inside.some((each) => Math.abs(each - line) <= AROUND);
      if (isAsked) asked.push(lines[line - 1] ?? '');
    }
  }
  const tokens = asked.reduce((sum, line) => sum + estimateTokensExactly(`${line}\n`), 0);
  return { calls: asking === 'at once' ? Math.min(1, opened) : opened, lines: asked, tokens };
}

/** Prices per token of providers with a prompt cache, relative to the price of an input token. */
const PRICES = { cacheWrite: 1.25, cacheRead: 0.1, output: 5 } as const;

/** Tokens that one step of the agent adds to the conversation. */
export interface PricedStep {
  /** Tokens that the agent writes. */
  written: number;
  /** Tokens of the tool's output that the agent reads. */
  shown: number;
  /** Calls that recover removed lines before the next step, and the tokens of their results. */
  recoveries: number;
  recovered: number;
}

const RECOVERY_CALL_TOKENS = 60;

/**
 * Returns the price of a whole run in input tokens. Each request reads cached tokens and writes new ones to
 * the cache. Each recovery is a further request.
 */
export function priceOfRun(promptTokens: number, steps: readonly PricedStep[]): number {
  let cached = 0;
  let fresh = promptTokens;
  let price = 0;
  const request = (written: number, answer: number) => {
    price += cached * PRICES.cacheRead + fresh * PRICES.cacheWrite + written * PRICES.output;
    cached += fresh;
    fresh = written + answer;
  };
  for (const step of steps) {
    request(step.written, step.shown);
    for (let call = 0; call < step.recoveries; call += 1)
      request(RECOVERY_CALL_TOKENS, step.recovered / step.recoveries);
  }
  return price;
}

/** Lines of an output that the agent used later, counted from 1. */
export interface UsedLines {
  /** Lines that the agent wrote later, if this output was the first to show them. */
  readonly used: readonly number[];
  /** Lines that the agent wrote later, if an output before this one had already shown them. */
  readonly again: readonly number[];
}

/** Number of characters that are compared. Texts of this length are rarely equal by chance. */
const WINDOW = 24;
/** Maximum number of characters compared per call. Longer calls contain data from elsewhere. */
const MAX_WRITING = 200_000;
/** Maximum characters compared per run, which limits the memory used. */
const MOST_WRITING = 4_000_000;
const MAX_LINE = 2000;

/**
 * Finds the lines that an agent repeated after reading them: 24 equal characters in a command, an edit or its
 * own text. Agents need at least these lines, and more, because a value can be used without being copied. Add
 * all texts of the agent before you ask for the lines of an output.
 */
export class WrittenLater {
  readonly #first = new Map<number, number>();
  readonly #last = new Map<number, number>();
  /** First step that showed a piece of text, for pieces that the agent writes at any time. */
  readonly #shown = new Map<number, number>();
  #room = MOST_WRITING;

  addWriting(step: number, text: string): void {
    const read = text.slice(0, Math.min(MAX_WRITING, this.#room));
    this.#room -= read.length;
    for (const key of windowsOf(read)) {
      this.#last.set(key, step);
      if (!this.#first.has(key)) this.#first.set(key, step);
    }
  }

  labelOutput(step: number, output: string): UsedLines {
    const lines = output.split('\n').map((line) => line.slice(0, MAX_LINE).trim());
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    const used: number[] = [];
    const again: number[] = [];
    for (const [index, line] of lines.entries()) {
      const use = this.#useOf(line, step);
      // A line that occurs more than twice is not counted: it is unclear which one the agent copied.
      if (use === undefined || (counts.get(line) ?? 0) > 2) continue;
      (use === 'used' ? used : again).push(index + 1);
    }
    return { used, again };
  }

  #useOf(line: string, step: number): 'used' | 'again' | undefined {
    let use: 'used' | 'again' | undefined;
    for (const key of windowsOf(line)) {
      const last = this.#last.get(key);
      if (last === undefined) continue;
      const shown = this.#shown.get(key) ?? step;
      this.#shown.set(key, shown);
      const isOwnWord = (this.#first.get(key) ?? 0) <= shown;
      if (last <= step || isOwnWord) continue;
      // All pieces are recorded, because later steps must know that they were shown.
      if (shown === step) use = 'used';
      else use ??= 'again';
    }
    return use;
  }
}

const FIRST_BASE = 0x01000193;
const SECOND_BASE = 0x9e3779b1;
const FIRST_LEAVING = power(FIRST_BASE, WINDOW);
const SECOND_LEAVING = power(SECOND_BASE, WINDOW);

/** Yields a key for every `WINDOW` characters: two rolling hashes with 52 bits together. */
function* windowsOf(text: string): Generator<number> {
  let first = 0;
  let second = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) + 1;
    const left = at < WINDOW ? 0 : text.charCodeAt(at - WINDOW) + 1;
    first = (Math.imul(first, FIRST_BASE) + code - Math.imul(left, FIRST_LEAVING)) | 0;
    second = (Math.imul(second, SECOND_BASE) + code - Math.imul(left, SECOND_LEAVING)) | 0;
    if (at >= WINDOW - 1) yield (first >>> 0) * 2 ** 20 + (second >>> 12);
  }
}

function power(base: number, exponent: number): number {
  let value = 1;
  for (let step = 0; step < exponent; step += 1) value = Math.imul(value, base);
  return value;
}
