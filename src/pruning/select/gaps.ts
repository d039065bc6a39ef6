const SEARCH_STEPS = 24;
/** At this price no stretch is worth its tokens unless it holds more than a hundred times its part of the need. */
const HIGHEST_PRICE = 128;
const LOWEST_PRICE = 1 / 128;

export interface GapProblem {
  /** Each unit's share of what the goal needs. */
  need: Float64Array;
  /** 1 where a unit may not go. */
  pinned: Uint8Array;
  /** Lines of each unit. */
  lines: Int32Array;
  /** Estimated tokens of each unit, of all together, and of a marker. */
  tokens: Float64Array;
  allTokens: number;
  markerTokens: number;
  /** Lines that may go. */
  budget: number;
}

/**
 * The gaps at the lowest price of a token that uses up the budget; they may take somewhat more. Answers 1 where a
 * unit is cut.
 */
export function gapsForBudget(problem: GapProblem): Uint8Array {
  let low = LOWEST_PRICE;
  let high = HIGHEST_PRICE;
  let best = gapsAtPrice(high, problem);
  for (let step = 0; step < SEARCH_STEPS; step += 1) {
    const price = Math.sqrt(low * high);
    const cut = gapsAtPrice(price, problem);
    const lines = linesCut(cut, problem);
    if (lines < problem.budget) {
      low = price;
      continue;
    }
    high = price;
    best = cut;
    if (lines === problem.budget) break;
  }
  return best;
}

/**
 * The best split into kept and cut runs when keeping the whole text, need and tokens alike, costs `price` for what it
 * brings: Viterbi over {kept, cut}. A gap then always hides more tokens than its marker has.
 */
export function gapsAtPrice(price: number, { need, pinned, tokens, ...costs }: GapProblem): Uint8Array {
  const aToken = price / (costs.allTokens || 1);
  const opening = aToken * costs.markerTokens;
  const cutBeforeKept = new Uint8Array(need.length);
  const cutBeforeCut = new Uint8Array(need.length);
  let kept = 0;
  let cut = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < need.length; index += 1) {
    const opened = kept - opening;
    const saved = aToken * (tokens[index] ?? 0) - (need[index] ?? 0);
    const earned = pinned[index] === 1 ? Number.NEGATIVE_INFINITY : saved;
    cutBeforeKept[index] = cut > kept ? 1 : 0;
    cutBeforeCut[index] = cut >= opened ? 1 : 0;
    kept = Math.max(kept, cut);
    cut = Math.max(cut, opened) + earned;
  }
  return walkBack(cut > kept, cutBeforeCut, cutBeforeKept);
}

function walkBack(endsCut: boolean, cutBeforeCut: Uint8Array, cutBeforeKept: Uint8Array): Uint8Array {
  const path = new Uint8Array(cutBeforeCut.length);
  let isCut = endsCut;
  for (let index = path.length - 1; index >= 0; index -= 1) {
    path[index] = isCut ? 1 : 0;
    isCut = (isCut ? cutBeforeCut[index] : cutBeforeKept[index]) === 1;
  }
  return path;
}

/** A gap that hides less than its marker costs is no gap. Changes `cut` in place. */
export function closeUnpaid(cut: Uint8Array, { tokens, markerTokens }: GapProblem): void {
  for (let first = 0; first < cut.length; ) {
    let end = first;
    let hidden = 0;
    for (; cut[end] === 1; end += 1) hidden += tokens[end] ?? 0;
    if (hidden <= markerTokens) cut.fill(0, first, end);
    first = end + 1;
  }
}

export function linesCut(cut: Uint8Array, { lines }: Pick<GapProblem, 'lines'>): number {
  let count = 0;
  for (let index = 0; index < lines.length; index += 1) {
    if (cut[index] === 1) count += lines[index] ?? 0;
  }
  return count;
}
