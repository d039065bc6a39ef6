/** Selects what `prune_text` removes: the parts of a text that the goal needs least, within the limits of the caller (P14, P27). */

import type { LineRange } from '@secateur/base/text/lines.ts';
import type { Needs } from '../ranking/need.ts';
import type { SourceType } from '../ranking/scorer.ts';
import type { Unit } from '../reading/document.ts';
import {
  type Atom,
  type Cut,
  cutsAround,
  gapsAtPrice,
  linesOf,
  MAX_DEPTH,
  MAX_PRICE,
  type Parts,
} from './gaps.ts';

export interface CappedSelection {
  readonly atoms: readonly Atom[];
  /** Whether an atom is kept, however irrelevant it is. */
  isPinned(atom: Atom): boolean;
  readonly needs: Needs;
  readonly sourceType: SourceType;
  readonly lineCount: number;
  readonly maxPruneRatio: number;
  readonly minKeepLines: number;
  /** Whether the text is so short that the cost of markers is ignored. */
  readonly isShort: boolean;
  /** Estimated tokens and characters of a marker. 0 if gaps need no marker. */
  readonly marker: Size;
  /** Returns the estimated tokens and the characters of a range of lines. */
  sizeOf(range: LineRange): Size;
  /** Maximum share of the tokens to keep. Protected lines may exceed it. */
  readonly maxShare?: number | undefined;
}

export interface Size {
  readonly tokens: number;
  readonly characters: number;
}

export interface CappedRanges {
  /** Removed ranges in order. At least one kept line is between two of them. */
  readonly ranges: readonly LineRange[];
  /**
   * Whether a selection with smaller atoms should be tried: some atoms did not fit, and less than half of the
   * removable lines was removed.
   */
  readonly isTooCoarse: boolean;
}

/** Minimum tokens of a gap, in multiples of its marker. Single lines between gaps are hard to read. */
const MIN_GAP_MARKERS = 1.5;

export function selectAtoms(selection: CappedSelection): CappedRanges {
  const { atoms, marker, sizeOf } = selection;
  const { cut, isTooCoarse } = bestCut(selection);
  const ranges: LineRange[] = [];
  for (const [index, { start, end }] of atoms.entries()) {
    if (cut[index] === 0) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last.end === start - 1) last.end = end;
    else ranges.push({ start, end });
  }
  const isWorthIt = (range: LineRange) => sizeOf(range).tokens >= MIN_GAP_MARKERS * marker.tokens;
  return { ranges: ranges.filter(isWorthIt), isTooCoarse };
}

/** Parameters of the density below which atoms are removed. The density increases with the share that may be removed. */
const PRICE: Readonly<Record<SourceType, { base: number; power: number }>> = {
  code: { base: 0.37, power: 0.446 },
  logs: { base: 0.33, power: 0.5 },
  docs: { base: 0.19, power: 0.72 },
};

/** Minimum density of an atom that contains an answer. If no atom has it, the text is cut down to the cap (P27). */
const MIN_ANSWER_DENSITY = 1.5;

/** Minimum share of the removable lines to remove, even if all are equally relevant. */
const MIN_CUT_SHARE = 0.2;

function bestCut(selection: CappedSelection): { cut: Cut; isTooCoarse: boolean } {
  const { sourceType, maxPruneRatio, isShort } = selection;
  const parts = partsOf(selection);
  const budget = lineBudget(selection);
  const { base, power } = PRICE[sourceType];
  const isAnswered = !isShort && parts.maxDensity >= MIN_ANSWER_DENSITY;
  const price = isAnswered ? base / Math.max(0.01, 1 - maxPruneRatio) ** power : MAX_PRICE;
  const most = maxSizeOf(selection);
  const isSmall = (tried: Cut) => {
    const { lines, tokens, characters } = measure(tried, parts);
    return (isAnswered || lines >= budget) && tokens <= most.tokens && characters <= most.characters;
  };
  const byPrice = gapsAtPrice(price, parts);
  const cut = isSmall(byPrice) ? byPrice : cutsAround(parts, isSmall).above;
  const { lines } = measure(cut, parts);
  const least = MIN_CUT_SHARE * budget;
  if (lines >= least && lines <= budget) return { cut, isTooCoarse: false };
  const isOver = (tried: Cut) => measure(tried, parts).lines > budget;
  const isEnough = (tried: Cut) => isSmall(tried) && measure(tried, parts).lines >= least;
  const start = lines <= budget ? cut : cutsAround(parts, isOver).below;
  return filled(start, parts, { budget, price, isEnough });
}

interface AtomParts extends Parts {
  readonly atoms: readonly Atom[];
  readonly characters: Float64Array;
  readonly marker: Size;
  /** Highest density of an atom that may be removed. */
  readonly maxDensity: number;
}

function partsOf({ atoms, isPinned, needs, sizeOf, marker }: CappedSelection): AtomParts {
  const depth = new Uint8Array(atoms.length);
  const pinned = new Uint8Array(atoms.length);
  const tokens = new Float64Array(atoms.length);
  const characters = new Float64Array(atoms.length);
  const harm = new Float64Array(atoms.length);
  const around: Unit[] = [];
  let maxDensity = 0;
  for (const [index, atom] of atoms.entries()) {
    while (around.length > 0 && (around.at(-1) as Unit).end < atom.start) around.pop();
    depth[index] = Math.min(MAX_DEPTH, around.length);
    if (atom.headOf !== undefined) around.push(atom.headOf);
    const size = sizeOf(atom);
    const density = needs.density(atom.start, atom.end);
    if (isPinned(atom)) pinned[index] = 1;
    else maxDensity = Math.max(maxDensity, density);
    tokens[index] = size.tokens;
    characters[index] = size.characters;
    harm[index] = density * size.tokens;
  }
  return { atoms, depth, pinned, tokens, characters, harm, marker, markerTokens: marker.tokens, maxDensity };
}

/** Returns the number of lines that a cut removes, and the tokens and characters that remain, including markers. */
function measure(
  cut: Cut,
  { atoms, tokens, characters, marker }: AtomParts,
): Size & { readonly lines: number } {
  const size = { lines: 0, tokens: 0, characters: 0 };
  for (let index = 0; index < cut.length; index += 1) {
    const isGone = cut[index] === 1;
    if (isGone) size.lines += linesOf(atoms[index] as Atom);
    if (isGone && cut[index - 1] === 1) continue;
    size.tokens += isGone ? marker.tokens : (tokens[index] as number);
    size.characters += isGone ? marker.characters : (characters[index] as number);
  }
  return size;
}

/** Minimum lines of long code, which keeps at most a quarter of its characters, including markers (P27). */
const MIN_LONG_CODE_LINES = 300;
const MIN_LONG_CODE_RATIO = 0.9;
const MAX_LONG_CODE_SHARE = 0.247;

/** Returns the maximum size of the result, including markers. Protected lines may exceed it. In a log all lines may be needed. */
function maxSizeOf({ sourceType, maxPruneRatio, lineCount, maxShare = 1, sizeOf }: CappedSelection): Size {
  const { tokens, characters } = sizeOf({ start: 1, end: lineCount });
  const share = sourceType === 'logs' ? 1 : 2 * (1 - maxPruneRatio) + 0.3;
  const isLongCode =
    sourceType === 'code' && lineCount > MIN_LONG_CODE_LINES && maxPruneRatio >= MIN_LONG_CODE_RATIO;
  return {
    tokens: Math.min(share, maxShare) * tokens,
    characters: isLongCode ? MAX_LONG_CODE_SHARE * characters : Number.POSITIVE_INFINITY,
  };
}

function lineBudget({ lineCount, maxPruneRatio, minKeepLines }: CappedSelection): number {
  return Math.max(0, Math.min(Math.floor(lineCount * maxPruneRatio), lineCount - minKeepLines));
}

const MIN_USED_SHARE = 0.5;

interface Filling {
  /** Number of lines that may be removed. */
  readonly budget: number;
  /** Density below which atoms are removed even if the cut is already sufficient. */
  readonly price: number;
  isEnough(cut: Cut): boolean;
}

/** Removes more atoms, the least dense first, as far as the budget allows. Keeps signatures and headings. */
function filled(
  cut: Cut,
  parts: AtomParts,
  { budget, price, isEnough }: Filling,
): { cut: Cut; isTooCoarse: boolean } {
  const { atoms, pinned, harm, tokens } = parts;
  const densityOf = (index: number) => (harm[index] as number) / (tokens[index] || 1);
  // Among atoms of equal density, the last are removed first, because the beginning of a table explains it.
  // Those that stand out come last.
  const rankOf = (index: number) => (atoms[index]?.unit?.standsOut === true ? -1 : index);
  const isFree = (index: number) =>
    cut[index] === 0 && pinned[index] === 0 && atoms[index]?.headOf === undefined;
  const free = [...atoms.keys()]
    .filter(isFree)
    .sort((a, b) => densityOf(a) - densityOf(b) || rankOf(b) - rankOf(a));
  let { lines } = measure(cut, parts);
  const fitting = free.filter((index) => {
    const count = linesOf(atoms[index] as Atom);
    if (lines + count > budget) return false;
    lines += count;
    return true;
  });
  const withFirst = (count: number) => {
    const more = cut.slice();
    for (const index of fitting.slice(0, count)) more[index] = 1;
    return more;
  };
  let least = fitting.filter((index) => densityOf(index) < price).length;
  for (let most = fitting.length; least < most; ) {
    const middle = (least + most) >> 1;
    if (isEnough(withFirst(middle))) most = middle;
    else least = middle + 1;
  }
  const result = withFirst(least);
  const isTooCoarse = fitting.length < free.length && measure(result, parts).lines < MIN_USED_SHARE * budget;
  return { cut: result, isTooCoarse };
}
