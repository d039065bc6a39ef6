import type { Focus } from '../ranking/focus.ts';
import { lineHash, rememberShown } from '../ranking/shown.ts';
import type { LineRange } from '../text/lines.ts';
import { estimateTokens } from '../text/token-estimate.ts';
import { type PricedStep, RECOVERY_CALL_TOKENS } from './price.ts';
import { type Asking, type Recoveries, recoveriesOf } from './replay/recoveries.ts';
import type { UsedLines } from './used-lines.ts';

/** One call of a tool: the agent's words before it, the call, and what came back. */
export interface AgentStep {
  readonly tool: string;
  /** What the user asked for. */
  readonly task: string;
  /** What the agent said since the call before. */
  readonly words: string;
  /** The command, or the tool's name and what it was called with. */
  readonly command: string;
  readonly output: string;
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
  /** What recoveries cost: the lines, and the calls that ask for them. */
  recoveryTokens: number;
  priced: { before: PricedStep; after: PricedStep };
}

const RECENT_WORDS = 3;
/** Hashes held of one run: a session that has shown more has long lost its beginning. */
const MOST_KNOWN = 1_000_000;

/** Goes through a run as if every output had been cut: what the agent knows at a step is what it was shown until then. */
export class Replay {
  readonly #cut: Cutter;
  readonly #asking: Asking;
  readonly #seen = new Set<number>();
  readonly #shownLines = new Set<number>();
  readonly #askedBack = { gaps: 0, recoveries: 0 };
  #recentWords: readonly string[] = [];
  #task: string | undefined;

  constructor(cut: Cutter, asking: Asking = 'gap by gap') {
    this.#cut = cut;
    this.#asking = asking;
  }

  take(step: AgentStep, labels: UsedLines): ReplayedStep {
    if (step.task !== this.#task) rememberShown(this.#seen, step.task);
    this.#task = step.task;
    rememberShown(this.#seen, `${step.words}\n${step.command}`);
    const { words: question, task, command } = step;
    const known = { recentWords: this.#recentWords, seen: this.#seen, askedBack: { ...this.#askedBack } };
    const focus = { question, task, command, ...known };
    const cut = this.#cut(step, focus);
    const replayed = this.#account(step, cut, labels);
    rememberShown(this.#seen, cut.text);
    for (const hashes of [this.#seen, this.#shownLines]) if (hashes.size > MOST_KNOWN) hashes.clear();
    this.#askedBack.gaps += cut.gaps.length;
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

  /** What was asked back stands in the conversation from then on. */
  #remember({ gaps, lines }: Recoveries): void {
    this.#askedBack.recoveries += gaps;
    for (const line of lines) this.#shownLines.add(lineHash(line));
    rememberShown(this.#seen, lines.join('\n'));
  }
}

function hiddenLines(total: number, gaps: readonly LineRange[]): Uint8Array {
  const hidden = new Uint8Array(total);
  for (const { start, end } of gaps) hidden.fill(1, start - 1, end);
  return hidden;
}
