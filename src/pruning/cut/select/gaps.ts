import { type GapProblem, gapsAtPrice } from './gaps-at-price.ts';

/** Twice as many as any of 636 searches took, in texts of twelve kinds; most took six to ten. */
const SEARCH_STEPS = 30;
/** At this price no stretch is worth its tokens unless missing it costs more than a hundred times as many. */
const HIGHEST_PRICE = 128;
const LOWEST_PRICE = 1 / 128;

/**
 * The gaps at the lowest price of a token that cuts enough. Each step tries the price at which the closest cuts below and above are worth the
 * same, until none lies between them. Answers 1 where a unit is cut.
 */
export function gapsAtLowestPrice(problem: GapProblem, isEnough: (cut: Uint8Array) => boolean): Uint8Array {
  let low = weighedCut(LOWEST_PRICE, problem);
  if (isEnough(low.cut)) return low.cut;
  let high = weighedCut(HIGHEST_PRICE, problem);
  for (let step = 0; step < SEARCH_STEPS && high.saved > low.saved; step += 1) {
    const tried = weighedCut((high.harm - low.harm) / (high.saved - low.saved), problem);
    if (tried.saved <= low.saved || tried.saved >= high.saved) break;
    if (isEnough(tried.cut)) high = tried;
    else low = tried;
  }
  return high.cut;
}

interface WeighedCut {
  cut: Uint8Array;
  /** Tokens that go, less those of the markers. */
  saved: number;
  harm: number;
}

function weighedCut(price: number, problem: GapProblem): WeighedCut {
  const { harm, tokens } = problem;
  const cut = gapsAtPrice(price, problem);
  const all = { harm: 0, tokens: 0 };
  for (let index = 0; index < cut.length; index += 1) {
    if (cut[index] === 1) all.harm += harm[index] as number;
    all.tokens += tokens[index] as number;
  }
  return { cut, saved: all.tokens - tokensKept(cut, problem), harm: all.harm };
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
