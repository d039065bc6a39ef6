/** The cut of `prune_text`: rules about form first, then atoms by need, within the caller's limits. */
import { characterCodes } from '../../text/character-codes.ts';
import type { LineRange } from '../../text/lines.ts';
import { estimateTokensIn } from '../../text/token-estimate.ts';
import { listedLines, namedLines } from '../ranking/named-lines.ts';
import type { Needs } from '../ranking/need.ts';
import type { Document, FormatName, Unit } from '../reading/document.ts';
import type { PruneRequest } from '../request.ts';
import { type Atom, type AtomSizes, atomsOf } from './atoms.ts';
import { MIN_CHECKED_CHARS } from './blocks.ts';
import { selectAtoms } from './cap.ts';
import { failureLines, structureLines, untouchableLines } from './pins.ts';
import type { Pins, Selection } from './select.ts';

/** Up to this ratio all structure stays (P21). */
const MAX_RATIO_WITH_STRUCTURE = 0.6;
const HAS_STRUCTURE: ReadonlySet<FormatName> = new Set<FormatName>(['code', 'document', 'markup']);
const REPORTS: ReadonlySet<FormatName> = new Set<FormatName>(['log', 'test-run', 'build']);

/** Above this ratio whole units cannot use the caller's limit: larger ones are split (P50). */
const MAX_RATIO_OF_WHOLE_UNITS = 0.8;
const WHOLE: AtomSizes = { maxWholeLines: 60, maxBlockLines: 15 };
const FINE: AtomSizes = { maxWholeLines: 15, maxBlockLines: 4 };
const PARAGRAPHS: AtomSizes = { maxWholeLines: 60, maxBlockLines: 15 };
const LINES: AtomSizes = { maxWholeLines: 1, maxBlockLines: 1 };

/** Sizes to try, from whole units to single lines. */
function sizesFor({ text, options, sourceType }: PruneRequest): readonly AtomSizes[] {
  if (text.length < MIN_CHECKED_CHARS) return [LINES];
  return options.maxPruneRatio > MAX_RATIO_OF_WHOLE_UNITS
    ? [sourceType === 'docs' ? PARAGRAPHS : FINE, LINES]
    : [WHOLE, FINE, LINES];
}

export function selectCapped(request: PruneRequest, document: Document, needs: Needs): Selection {
  const { options, sourceType } = request;
  const keepsStructure = options.structure === 'all' || options.maxPruneRatio <= MAX_RATIO_WITH_STRUCTURE;
  const listed = listedLines(document.bare, request.focus.question);
  const pins = pinsOf(request, document, { keepsStructure, listed });
  const pinned = new Set(Object.values(pins).flatMap((each) => [...each]));
  const lines = document.lines;
  const asked = {
    isPinned: (atom: Atom) => isPinned(atom, { pinned, keepsStructure }),
    isShort: request.text.length < MIN_CHECKED_CHARS,
    needs,
    sourceType,
    lineCount: lines.length,
    maxPruneRatio: options.maxPruneRatio,
    minKeepLines: options.minKeepLines,
    tokensOf: tokenCounter(request.text, lines),
    maxShare: options.mostShare,
  };
  let ranges: readonly LineRange[] = [];
  for (const sizes of sizesFor(request)) {
    const atoms = atomsOf(document, {
      ...sizes,
      splitsHeads: (keepsStructure && HAS_STRUCTURE.has(document.format)) || listed.length > 0,
    });
    const selected = selectAtoms({ atoms, ...asked });
    ranges = selected.ranges;
    if (!selected.isTooCoarse) break;
  }
  const gaps = ranges.map((range) => ({ ...range, units: unitsIn(document, range), isBody: false }));
  return { gaps, pins, showsLongLines: false };
}

interface Asked {
  readonly keepsStructure: boolean;
  readonly listed: readonly number[];
}

function pinsOf(
  { focus, options, sourceType }: PruneRequest,
  document: Document,
  { keepsStructure, listed }: Asked,
): Pins {
  const { directives, markers } = untouchableLines(document.bare);
  const isReport = sourceType === 'logs' || REPORTS.has(document.format);
  const isStrict = options.maxPruneRatio <= MAX_RATIO_WITH_STRUCTURE;
  return {
    structure: keepsStructure && document.format === 'code' ? structureLines(document.bare) : new Set(),
    failure: isReport ? failureLines(document, { isStrict }) : new Set(),
    literal: new Set([...namedLines(document.bare, focus.question).byWords, ...listed]),
    handle: markers,
    directive: directives,
  };
}

function isPinned(
  { start, end, headOf }: Atom,
  { pinned, keepsStructure }: { pinned: ReadonlySet<number>; keepsStructure: boolean },
): boolean {
  if (keepsStructure && headOf !== undefined) return true;
  for (let line = start - 1; line < end; line += 1) if (pinned.has(line)) return true;
  return false;
}

function tokenCounter(text: string, lines: readonly string[]): (range: LineRange) => number {
  const codes = characterCodes(text);
  const before = new Float64Array(lines.length + 1);
  let from = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const to = from + (lines[index] as string).length;
    before[index + 1] = (before[index] as number) + estimateTokensIn({ codes, from, to }) + 1;
    from = to + 1;
  }
  return ({ start, end }) => (before[end] as number) - (before[start - 1] as number);
}

/** The units that a range removes, for its label: those that lie in it whole, else the innermost one that it is part of. */
function unitsIn({ units }: Document, range: LineRange): Unit[] {
  const found: Unit[] = [];
  const around = addWhole(units, range, found);
  if (found.length > 0) return found;
  const { start, end } = range;
  return [{ kind: 'lines', name: around, start, end, head: start - 1, count: end - start + 1 }];
}

/** Adds the units inside a range to `found`, and returns the name of the innermost one around it, if any. */
function addWhole(siblings: readonly Unit[], range: LineRange, found: Unit[]): string {
  let around = '';
  for (let index = firstEndingAt(siblings, range.start); index < siblings.length; index += 1) {
    const unit = siblings[index] as Unit;
    if (unit.start > range.end) break;
    if (unit.start >= range.start && unit.end <= range.end) found.push(unit);
    else around = addWhole(unit.children ?? [], range, found) || nameAround(unit, range) || around;
  }
  return around;
}

function nameAround({ start, end, name }: Unit, range: LineRange): string {
  return start <= range.start && end >= range.end ? name : '';
}

/** The index of the first unit that ends at this line or below it; siblings are in order. */
function firstEndingAt(siblings: readonly Unit[], line: number): number {
  let low = 0;
  let high = siblings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((siblings[middle] as Unit).end < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
