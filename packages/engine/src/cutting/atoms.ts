/**
 * Atoms are the smallest parts that `prune_text` removes: small units as a whole; in larger units their children and the
 * blocks between blank lines; in reports and data, single lines.
 */

import { type Document, LISTS, REPORTS, type Unit } from '../reading/document.ts';

/** Lines that are kept or removed together; 1-based, inclusive. */
export interface Atom {
  readonly start: number;
  readonly end: number;
  /** The unit it is, if it is one. */
  readonly unit?: Unit;
  /** The unit whose signature or heading it is; it is kept if any part of that unit is kept. */
  readonly headOf?: Unit;
}

export function linesOf({ start, end }: Atom): number {
  return end - start + 1;
}

/** Limits in lines for units that are not split, and for blocks of those that are. */
export interface AtomSizes {
  readonly maxWholeLines: number;
  readonly maxBlockLines: number;
  /** Whether signatures and headings are separate atoms also in small units. Default false. */
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

/** Yields runs of lines between blank lines, of limited length. Blank lines belong to the run above. */
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

/** A statement longer than this many blocks, a chain of a hundred calls for example, is split. */
const MAX_STATEMENT_BLOCKS = 8;

const GOES_ON = /(?:[([{,=+&|\\?:<]|=>|\b(?:and|or|not|in|return))\s*$/;
const GOES_ON_BELOW = /^\s*(?:[)\]}.,?:|&]|(?:else|elif|except|catch|finally|and|or)\b)/;

/** Whether a statement may end at this line, by the end of this line and the beginning of the next. */
function endsStatement(lines: readonly string[], line: number): boolean {
  return !GOES_ON.test(lines[line - 1] ?? '') && !GOES_ON_BELOW.test(lines[line] ?? '');
}
