import type { LineRange } from '@secateur/base/text/lines.ts';
import type { Needs } from '../ranking/need.ts';
import type { SourceType } from '../ranking/scorer.ts';
import { type Document, LISTS, REPORTS, type Unit } from '../reading/document.ts';

/** Selection for `prune_text`: removes the least relevant atoms first, down to the caller's limits (P14, P27). */

export interface CappedSelection {
  readonly atoms: readonly Atom[];
  /** Whether an atom is kept regardless of its relevance. */
  isPinned(atom: Atom): boolean;
  readonly needs: Needs;
  readonly sourceType: SourceType;
  readonly lineCount: number;
  readonly maxPruneRatio: number;
  readonly minKeepLines: number;
  /** Whether the text is so short that the cost of markers is ignored. */
  readonly isShort: boolean;
  /** Gaps with fewer tokens are dropped. */
  readonly minGapTokens: number;
  /** Returns the estimated tokens of a range of lines. */
  tokensOf(range: LineRange): number;
  /** Largest share of the tokens that may be kept. Protected lines may exceed it. */
  readonly maxShare?: number | undefined;
}

export interface CappedRanges {
  /** Ranges in order, with at least one kept line between two ranges. */
  readonly ranges: readonly LineRange[];
  /** Whether smaller atoms are needed: some did not fit, and less than half of the removable lines was removed. */
  readonly isTooCoarse: boolean;
}

export function selectAtoms(selection: CappedSelection): CappedRanges {
  const { atoms, tokensOf, minGapTokens } = selection;
  const { removed, isTooCoarse } = removedAtoms(selection);
  keepHeads(atoms, removed);
  closeIslands(selection, removed);
  const ranges: LineRange[] = [];
  for (const [index, { start, end }] of atoms.entries()) {
    if (!removed.has(index)) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last.end === start - 1) last.end = end;
    else ranges.push({ start, end });
  }
  return { ranges: ranges.filter((range) => tokensOf(range) >= minGapTokens), isTooCoarse };
}

/** Parameters of the density below which atoms are removed. It rises with the share that may be removed. */
const PRICE: Readonly<Record<SourceType, { base: number; power: number }>> = {
  code: { base: 0.37, power: 0.47 },
  logs: { base: 0.43, power: 0.5 },
  docs: { base: 0.22, power: 0.72 },
};

function priceOf(sourceType: SourceType, maxPruneRatio: number): number {
  const { base, power } = PRICE[sourceType];
  return base / Math.max(0.01, 1 - maxPruneRatio) ** power;
}

function removedAtoms(selection: CappedSelection): { removed: Set<number>; isTooCoarse: boolean } {
  const { atoms, isPinned, needs, tokensOf, maxPruneRatio } = selection;
  const free = atoms.flatMap((atom, index) => {
    if (isPinned(atom)) return [];
    const density = needs.density(atom.start, atom.end);
    const rank = atom.unit?.standsOut === true ? -1 : index;
    return [{ index, rank, density, lines: linesOf(atom), tokens: tokensOf(atom) }];
  });
  const budget = lineBudget(selection);
  const total = tokensOf({ start: 1, end: selection.lineCount });
  const maxKept =
    Math.min(selection.maxShare ?? 1, selection.sourceType === 'logs' ? 1 : mostKept(maxPruneRatio)) * total;
  const best = free.reduce((most, { density }) => Math.max(most, density), 0);
  const price =
    best < MIN_ANSWER_DENSITY || selection.isShort
      ? Number.POSITIVE_INFINITY
      : priceOf(selection.sourceType, maxPruneRatio);
  const removed = new Set<number>();
  let lines = 0;
  let kept = total;
  let hasSkipped = false;
  // Of equally dense atoms, outstanding ones are removed last; otherwise the last atom is removed first.
  for (const atom of free.sort((a, b) => a.density - b.density || b.rank - a.rank)) {
    const isCheap = atom.density < price || kept > maxKept || lines < MIN_CUT_SHARE * budget;
    if (!isCheap) break;
    if (lines + atom.lines > budget) {
      hasSkipped = true;
      continue;
    }
    removed.add(atom.index);
    lines += atom.lines;
    kept -= atom.tokens;
  }
  return { removed, isTooCoarse: hasSkipped && lines < MIN_USED_SHARE * budget };
}

const MIN_USED_SHARE = 0.5;

/** If no atom has a higher density, the text contains no answer and is cut down to the cap (P27). */
const MIN_ANSWER_DENSITY = 1.5;

/** Minimum share of the removable lines that is removed, even if all are equally relevant. */
const MIN_CUT_SHARE = 0.2;

/** Returns the largest share of the tokens that may be kept. Protected lines may exceed it. */
function mostKept(maxPruneRatio: number): number {
  return 2 * (1 - maxPruneRatio) + 0.25;
}

function lineBudget({ lineCount, maxPruneRatio, minKeepLines }: CappedSelection): number {
  return Math.max(0, Math.min(Math.floor(lineCount * maxPruneRatio), lineCount - minKeepLines));
}

/** Removes a short range of kept lines between two gaps if it costs less than a marker and has little relevance. */
function closeIslands(selection: CappedSelection, removed: Set<number>): void {
  const { atoms } = selection;
  let lines = [...removed].reduce((sum, index) => sum + linesOf(atoms[index] as Atom), 0);
  const most = lineBudget(selection);
  for (const [first, last] of islandsBetween(atoms.length, removed)) {
    const count = (atoms[last]?.end ?? 0) - (atoms[first]?.start ?? 0) + 1;
    if (lines + count > most || !isIdle(atoms.slice(first, last + 1), selection)) continue;
    for (let index = first; index <= last; index += 1) removed.add(index);
    lines += count;
  }
}

/** Returns ranges of kept atoms between removed atoms, as first and last index. */
function islandsBetween(count: number, removed: ReadonlySet<number>): [number, number][] {
  const islands: [number, number][] = [];
  for (let first = 1; first < count; first += 1) {
    if (removed.has(first) || !removed.has(first - 1)) continue;
    let last = first;
    while (last + 1 < count && !removed.has(last + 1)) last += 1;
    if (last + 1 < count) islands.push([first, last]);
    first = last;
  }
  return islands;
}

function isIdle(island: readonly Atom[], selection: CappedSelection): boolean {
  const { isPinned, needs, tokensOf, sourceType, maxPruneRatio } = selection;
  const range = { start: island[0]?.start ?? 1, end: island.at(-1)?.end ?? 1 };
  if (island.some((atom) => atom.headOf !== undefined || isPinned(atom))) return false;
  if (tokensOf(range) >= MAX_ISLAND_TOKENS) return false;
  return needs.density(range.start, range.end) < ISLAND_PRICE * priceOf(sourceType, maxPruneRatio);
}

const ISLAND_PRICE = 2;
const MAX_ISLAND_TOKENS = 40;

function linesOf({ start, end }: Atom): number {
  return end - start + 1;
}

/** Keeps the signature or heading of every unit that is kept in part (P21). */
function keepHeads(atoms: readonly Atom[], removed: Set<number>): void {
  for (const [index, { headOf }] of atoms.entries()) {
    if (headOf === undefined || !removed.has(index)) continue;
    for (
      let inside = index + 1;
      inside < atoms.length && (atoms[inside]?.start ?? 0) <= headOf.end;
      inside += 1
    )
      if (!removed.has(inside)) {
        removed.delete(index);
        break;
      }
  }
}

/**
 * Smallest part that `prune_text` removes: a small unit; in a larger unit, one child or one block between blank lines;
 * in reports and data, one line.
 */

/** Lines that are kept or removed together; 1-based, inclusive. */
export interface Atom {
  readonly start: number;
  readonly end: number;
  /** The unit, if the atom is a unit. */
  readonly unit?: Unit;
  /** Unit whose signature or heading this atom is. The atom is kept if any part of that unit is kept. */
  readonly headOf?: Unit;
}

/** Maximum lines of units that are not split, and of blocks in units that are split. */
export interface AtomSizes {
  readonly maxWholeLines: number;
  readonly maxBlockLines: number;
  /** Whether signatures and headings are separate atoms in small units, too. Default false. */
  readonly splitsHeads?: boolean;
}

/** Returns all lines of a document as atoms, in order. */
export function atomsOf(
  { units, bare, format }: Document,
  { maxWholeLines, maxBlockLines, splitsHeads = false }: AtomSizes,
): Atom[] {
  const maxBlock = LISTS.has(format) ? 1 : maxBlockLines;
  const atoms: Atom[] = [];
  const between = (start: number, end: number) => {
    if (REPORTS.has(format))
      for (let line = start; line <= end; line += 1) atoms.push({ start: line, end: line });
    else for (const block of blocksIn(bare, { start, end, maxBlock })) atoms.push(block);
  };
  const isOne = (unit: Unit) =>
    unit.kind !== 'quiet-lines' && isWhole(unit, maxWholeLines) && !(splitsHeads && hasHead(unit));
  const visit = (siblings: readonly Unit[], start: number, end: number) => {
    let next = start;
    for (const unit of siblings) {
      between(next, unit.start - 1);
      next = unit.end + 1;
      if (isOne(unit)) {
        atoms.push({ start: unit.start, end: unit.end, unit });
        continue;
      }
      if (hasHead(unit)) atoms.push({ start: unit.start, end: unit.head, headOf: unit });
      visit(unit.children ?? [], Math.max(unit.start, unit.head + 1), unit.end);
    }
    between(next, end);
  };
  visit(units, 1, bare.length);
  return atoms;
}

function hasHead({ head, start }: Unit): boolean {
  return head >= start;
}

/** Kinds of units that are split if they contain other units, regardless of size. */
const CONTAINERS: ReadonlySet<string> = new Set([
  'class',
  'module',
  'section',
  'element',
  'changed-file',
  'commit',
]);

function isWhole({ kind, start, end, children = [] }: Unit, maxWholeLines: number): boolean {
  const isSmall = end - start + 1 <= maxWholeLines;
  return isSmall && (!CONTAINERS.has(kind) || children.length === 0);
}

/** Yields blocks between blank lines, of limited length. Blank lines belong to the block before them. */
function* blocksIn(
  lines: readonly string[],
  { start, end, maxBlock }: { start: number; end: number; maxBlock: number },
): Generator<Atom> {
  let first = start;
  for (let line = start; line <= end; line += 1) {
    const isLast = line === end;
    const endsBlock = (lines[line - 1] ?? '').trim() === '' && (lines[line] ?? '').trim() !== '';
    const length = line - first + 1;
    const isFull =
      length >= maxBlock && (endsStatement(lines, line) || length >= MAX_STATEMENT_BLOCKS * maxBlock);
    if (!isLast && !endsBlock && !isFull) continue;
    yield { start: first, end: line };
    first = line + 1;
  }
}

/** A statement with more blocks than this (a chain of a hundred calls, for example) is split. */
const MAX_STATEMENT_BLOCKS = 8;

const GOES_ON = /(?:[([{,=+&|\\?:<]|=>|\b(?:and|or|not|in|return))\s*$/;
const GOES_ON_BELOW = /^\s*(?:[)\]}.,?:|&]|(?:else|elif|except|catch|finally|and|or)\b)/;

/** Whether a statement may end at this line, judged from the end of the line and the beginning of the next line. */
function endsStatement(lines: readonly string[], line: number): boolean {
  return !GOES_ON.test(lines[line - 1] ?? '') && !GOES_ON_BELOW.test(lines[line] ?? '');
}
