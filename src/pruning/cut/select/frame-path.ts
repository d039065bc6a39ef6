import { DEEPEST } from './nesting.ts';

export const KEPT = DEEPEST + 1;
export const STATES = DEEPEST + 2;
const NEVER = Number.NEGATIVE_INFINITY;

/** One unit on the way through the text. */
export interface Step {
  /** How many heads stand around the unit. */
  depth: number;
  isPinned: boolean;
  /** What cutting the unit earns, and what opening a gap for it costs. */
  earned: number;
  opening: number;
}

/**
 * Viterbi over {kept, cut below 0, 1, 2… kept heads}: heads stay from the outermost on, so that a unit may stay only
 * where the gap before it opened below all the heads around it.
 */
export class FramePath {
  /** The best way to each state of being cut, and the state of the unit before it came from. */
  readonly #cut = new Float64Array(DEEPEST + 1).fill(NEVER);
  readonly #from = new Uint8Array(DEEPEST + 1);
  #kept = 0;
  #deepest = 0;

  /** Takes one unit and writes, for each state, the state before it into `before` at `row`. */
  take({ depth, isPinned, earned, opening }: Step, before: Uint8Array, row: number): void {
    this.#leaveFrames(depth);
    const opened = this.#kept - opening;
    before[row + KEPT] = this.#keep(depth);
    this.#open(depth, opened);
    for (let level = 0; level <= depth; level += 1) {
      before[row + level] = this.#from[level] as number;
      this.#cut[level] = isPinned ? NEVER : (this.#cut[level] as number) + earned;
    }
  }

  lastState(): number {
    let state = KEPT;
    let best = this.#kept;
    for (const [level, value] of this.#cut.entries()) if (value > best) [state, best] = [level, value];
    return state;
  }

  /** Heads that ended above no longer matter: what was cut below them is now cut at this depth. */
  #leaveFrames(depth: number): void {
    const cut = this.#cut;
    for (let level = 0; level <= depth; level += 1) this.#from[level] = level;
    for (let level = depth + 1; level <= this.#deepest; level += 1) {
      if ((cut[level] as number) > (cut[depth] as number)) {
        cut[depth] = cut[level] as number;
        this.#from[depth] = level;
      }
      cut[level] = NEVER;
    }
    this.#deepest = depth;
  }

  /** A unit stays after one that stayed, or after a gap that opened below all its heads. */
  #keep(depth: number): number {
    const afterGap = this.#cut[depth] as number;
    if (afterGap <= this.#kept) return KEPT;
    this.#kept = afterGap;
    return this.#from[depth] as number;
  }

  #open(depth: number, opened: number): void {
    if (opened <= (this.#cut[depth] as number)) return;
    this.#cut[depth] = opened;
    this.#from[depth] = KEPT;
  }
}
