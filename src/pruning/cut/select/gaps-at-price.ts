import { DEEPEST, type Nesting } from './nesting.ts';

export interface GapProblem extends Nesting {
  /** What missing each unit would cost its reader, in tokens. */
  harm: Float64Array;
  /** 1 where a unit may not go. */
  pinned: Uint8Array;
  /** Lines of each unit. */
  lines: Int32Array;
  /** Estimated tokens of each unit, and of a marker. */
  tokens: Float64Array;
  markerTokens: number;
  /** Lines that may go. */
  budget: number;
}

const KEPT = DEEPEST + 1;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * The best split into kept and cut runs when keeping costs `price` a token, cutting costs harm and opening a gap costs a marker, where a
 * unit may stay only if all heads around it stay. A gap always hides more tokens than its marker has. Answers 1 where a unit is cut.
 */
export function gapsAtPrice(price: number, problem: GapProblem): Uint8Array {
  const { depth } = problem;
  const { beforeKept, beforeCut, last } = bestSteps(price, problem);
  const cut = new Uint8Array(beforeKept.length);
  let state = last;
  for (let index = cut.length - 1; index >= 0; index -= 1) {
    cut[index] = state === KEPT ? 0 : 1;
    if (state === KEPT) state = beforeKept[index] as number;
    else if (state === depth[index]) state = beforeCut[index] as number;
  }
  return cut;
}

/** For each unit the state before it, where it is kept and where it is cut below all its heads; a gap below fewer goes on. */
interface Steps {
  beforeKept: Uint8Array;
  beforeCut: Uint8Array;
  last: number;
}

/**
 * Viterbi over {kept, cut below 0, 1, 2… kept heads}: heads stay from the outermost on, so that a unit may stay only
 * where the gap before it opened below all the heads around it.
 */
function bestSteps(price: number, { harm, pinned, tokens, depth, markerTokens }: GapProblem): Steps {
  const opening = price * markerTokens;
  const beforeKept = new Uint8Array(harm.length);
  const beforeCut = new Uint8Array(harm.length);
  /** The best way to each state of being cut. */
  const cut = new Float64Array(DEEPEST + 1).fill(NEVER);
  let kept = 0;
  let deepest = 0;
  for (let index = 0; index < harm.length; index += 1) {
    const level = depth[index] as number;
    const from = leaveFrames(cut, level, deepest);
    deepest = level;
    const inGap = cut[level] as number;
    const opened = kept - opening;
    // A unit stays after one that stayed, or after a gap that opened below all its heads.
    beforeKept[index] = inGap > kept ? from : KEPT;
    beforeCut[index] = opened > inGap ? KEPT : from;
    kept = Math.max(kept, inGap);
    const earned = pinned[index] === 1 ? NEVER : price * (tokens[index] as number) - (harm[index] as number);
    for (let outer = 0; outer < level; outer += 1) cut[outer] = (cut[outer] as number) + earned;
    cut[level] = Math.max(opened, inGap) + earned;
  }
  return { beforeKept, beforeCut, last: bestState(kept, cut) };
}

/** Heads that ended above no longer matter: what was cut below them is now cut at this depth. Answers at which it was. */
function leaveFrames(cut: Float64Array, depth: number, deepest: number): number {
  let from = depth;
  for (let level = depth + 1; level <= deepest; level += 1) {
    if ((cut[level] as number) > (cut[depth] as number)) {
      cut[depth] = cut[level] as number;
      from = level;
    }
    cut[level] = NEVER;
  }
  return from;
}

function bestState(kept: number, cut: Float64Array): number {
  const highest = cut.indexOf(Math.max(...cut));
  return (cut[highest] as number) > kept ? highest : KEPT;
}
