import { type GapProblem, gapsAtPrice } from './gaps-at-price.ts';

/** Logs hold thousands of lines alike, whose prices lie close together: 16 steps left 6 % more of one text in six hundred. */
const SEARCH_STEPS = 24;
/** At this price no stretch is worth its tokens unless missing it costs more than a hundred times as many. */
const HIGHEST_PRICE = 128;
const LOWEST_PRICE = 1 / 128;

/** The gaps at the lowest price of a token that cuts enough. Answers 1 where a unit is cut. */
export function gapsAtLowestPrice(problem: GapProblem, isEnough: (cut: Uint8Array) => boolean): Uint8Array {
  let low = LOWEST_PRICE;
  let high = HIGHEST_PRICE;
  let best = gapsAtPrice(high, problem);
  for (let step = 0; step < SEARCH_STEPS; step += 1) {
    const price = Math.sqrt(low * high);
    const cut = gapsAtPrice(price, problem);
    if (isEnough(cut)) [high, best] = [price, cut];
    else low = price;
  }
  return best;
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

/** What is left, markers included. */
export function tokensKept(cut: Uint8Array, { tokens, markerTokens }: GapProblem): number {
  let kept = 0;
  for (let index = 0; index < cut.length; index += 1) {
    if (cut[index] === 0) kept += tokens[index] ?? 0;
    else if (index === 0 || cut[index - 1] === 0) kept += markerTokens;
  }
  return kept;
}
