import { DEEPEST } from './nesting.ts';

const KEPT = DEEPEST + 1;
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
  /** The best way to each state of being cut. */
  readonly #cut = new Float64Array(DEEPEST + 1).fill(NEVER);
  #kept = 0;
  #deepest = 0;
  /** For each unit the state before it, where it is kept and where it is cut below all its heads; a gap below fewer goes on. */
  readonly #beforeKept: Uint8Array;
  readonly #beforeCut: Uint8Array;

  constructor(units: number) {
    this.#beforeKept = new Uint8Array(units);
    this.#beforeCut = new Uint8Array(units);
  }

  /** Takes the units one after another. */
  take({ depth, isPinned, earned, opening }: Step, index: number): void {
    const cut = this.#cut;
    const from = this.#leaveFrames(depth);
    const inGap = cut[depth] as number;
    const opened = this.#kept - opening;
    // A unit stays after one that stayed, or after a gap that opened below all its heads.
    const endsGap = inGap > this.#kept;
    this.#beforeKept[index] = endsGap ? from : KEPT;
    if (endsGap) this.#kept = inGap;
    const opensGap = opened > inGap;
    this.#beforeCut[index] = opensGap ? KEPT : from;
    if (opensGap) cut[depth] = opened;
    for (let level = 0; level <= depth; level += 1)
      cut[level] = isPinned ? NEVER : (cut[level] as number) + earned;
  }

  /** 1 where the best way cuts a unit. */
  cutUnits(depths: Uint8Array): Uint8Array {
    const cut = new Uint8Array(depths.length);
    let state = this.#lastState();
    for (let index = cut.length - 1; index >= 0; index -= 1) {
      cut[index] = state === KEPT ? 0 : 1;
      if (state === KEPT) state = this.#beforeKept[index] as number;
      else if (state === depths[index]) state = this.#beforeCut[index] as number;
    }
    return cut;
  }

  #lastState(): number {
    let state = KEPT;
    let best = this.#kept;
    for (const [level, value] of this.#cut.entries()) if (value > best) [state, best] = [level, value];
    return state;
  }

  /** Heads that ended above no longer matter: what was cut below them is now cut at this depth. Answers at which it was. */
  #leaveFrames(depth: number): number {
    const cut = this.#cut;
    let from = depth;
    for (let level = depth + 1; level <= this.#deepest; level += 1) {
      if ((cut[level] as number) > (cut[depth] as number)) {
        cut[depth] = cut[level] as number;
        from = level;
      }
      cut[level] = NEVER;
    }
    this.#deepest = depth;
    return from;
  }
}
