import type { LineRange } from '@secateur/base/text/lines.ts';
import { estimateTokens, estimateTokensExactly } from '@secateur/base/text/token-estimate.ts';
import type { Origin } from '@secateur/engine/origin.ts';
import type { Focus, ShownOutput } from '@secateur/engine/ranking/focus.ts';
import { lineHash } from '@secateur/engine/ranking/shown.ts';
import { type PricedStep, RECOVERY_CALL_TOKENS } from './price.ts';
import type { UsedLines } from './used-lines.ts';
/** One call of a tool: the agent's words before it, the call, and what came back. */
export interface AgentStep {
  readonly tool: string;
  /** The user's request. */
  readonly task: string;
  /** The agent's text since the call before. */
  readonly words: string;
  /** The command, or the tool's name and what it was called with. */
  readonly command: string;
  readonly output: string;
  /** Origin of the output, if the session says more than the command. */
  readonly origin?: Origin | undefined;
  /** The assumed integration cannot change this output. */
  readonly isOutOfReach?: boolean;
}

/** Shortens an output for a focus: what the agent would have read, and which of its lines that leaves out. */
export type Cutter = (step: AgentStep, focus: Focus) => CutOutput;

export interface CutOutput {
  text: string;
  gaps: readonly LineRange[];
}

export interface ReplayedStep {
  tokensBefore: number;
  tokensAfter: number;
  /** Lines used later, and how many of them the agent still saw. */
  used: { lines: number; seen: number };
  /** Lines copied later, first shown here or not: seen here, and seen here or earlier in the run. */
  copied: { lines: number; seen: number; seenHereOrEarlier: number };
  recoveries: number;
  /** Cost of recoveries: the lines, and the calls that ask for them. */
  recoveryTokens: number;
  priced: { before: PricedStep; after: PricedStep };
}

const RECENT_WORDS = 3;
/** Hashes held of one run: a session that has shown more has long lost its beginning. */
const MAX_KNOWN_LINES = 1_000_000;
/** As much as the hook counts as still shown (P52). */
const MAX_SHOWN_TOKENS = 40_000;

function withinTokens(shown: readonly ShownOutput[]): readonly ShownOutput[] {
  let tokens = 0;
  const first = shown.findLastIndex(({ text }) => {
    tokens += text.length / 4;
    return tokens > MAX_SHOWN_TOKENS;
  });
  return shown.slice(first + 1);
}

/** Goes through a run as if every output had been cut: what the agent knows at a step is what it was shown until then. */
export class Replay {
  readonly #cut: Cutter;
  readonly #asking: Asking;
  /** Outputs shown to the agent, oldest first: as many as a client still sends. */
  #shown: readonly ShownOutput[] = [];
  readonly #shownLines = new Set<number>();
  #recentWords: readonly string[] = [];

  constructor(cut: Cutter, asking: Asking = 'gap by gap') {
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
    this.#remember(back);
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

  /** Recovered lines are in the conversation from then on. */
  #remember({ lines }: Recoveries): void {
    for (const line of lines) this.#shownLines.add(lineHash(line));
  }
}

function hiddenLines(total: number, gaps: readonly LineRange[]): Uint8Array {
  const hidden = new Uint8Array(total);
  for (const { start, end } of gaps) hidden.fill(1, start - 1, end);
  return hidden;
}

/** Ways in which an agent asks for lines it misses. */
export type Asking =
  /** A call for every gap that hides a line it needs, whatever it was shown before: the most it can cost. */
  | 'gap by gap'
  /** All ranges of an output in one call, as `recover_text` takes them, and nothing it was shown before. */
  | 'at once';

/** Recoveries of one output. */
interface Recoveries {
  calls: number;
  /** Gaps that the calls open. */
  gaps: number;
  lines: string[];
  tokens: number;
}

/** A gap up to this long is recovered completely; of a longer one the lines around those used. */
const SHORT_GAP = 80;
const AROUND = 15;

/** Returns the calls of an agent that misses lines with these numbers; each recovers a whole gap. */
function recoveriesOf(
  lines: readonly string[],
  gaps: readonly LineRange[],
  { missed, asking }: { missed: readonly number[]; asking: Asking },
): Recoveries {
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
  return { calls: asking === 'at once' ? Math.min(1, opened) : opened, gaps: opened, lines: asked, tokens };
}
