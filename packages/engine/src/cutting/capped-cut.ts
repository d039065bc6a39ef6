/** Makes the cut of `prune_text`: applies rules about form, then removes the least relevant units within the limits. */

import { characterCodes } from '@secateur/base/text/characters.ts';
import type { LineRange } from '@secateur/base/text/lines.ts';
import { estimateTokensIn } from '@secateur/base/text/token-estimate.ts';
import { listedLines, namedLines } from '../ranking/named-lines.ts';
import type { Needs } from '../ranking/need.ts';
import type { SourceType } from '../ranking/scorer.ts';
import { type Document, type FormatName, REPORTS, type Unit } from '../reading/document.ts';
import type { PruneRequest } from '../request.ts';
import { type Size, selectAtoms } from './cap.ts';
import { type Atom, type AtomSizes, atomsOf } from './gaps.ts';
import { failureLines, structureLines, untouchableLines } from './pins.ts';
import { MIN_CHECKED_CHARS } from './render.ts';
import type { Pins, Selection } from './select.ts';

/** Maximum ratio up to which all declarations and headings are kept (P21). */
const MAX_RATIO_WITH_STRUCTURE = 0.6;
const HAS_STRUCTURE: ReadonlySet<FormatName> = new Set<FormatName>(['code', 'document', 'markup']);

/** Maximum ratio up to which units are removed whole. Above it they are too large for the limit and are split (P50). */
const MAX_RATIO_OF_WHOLE_UNITS = 0.8;
const WHOLE: AtomSizes = { maxWholeLines: 60, maxBlockLines: 8 };
const FINE: AtomSizes = { maxWholeLines: 15, maxBlockLines: 3 };
const LINES: AtomSizes = { maxWholeLines: 1, maxBlockLines: 1 };

/** Returns the sizes of atoms to try, beginning with whole units and ending with single lines. */
function sizesFor({ text, options, sourceType }: PruneRequest): readonly AtomSizes[] {
  if (text.length < MIN_CHECKED_CHARS) return [LINES];
  return options.maxPruneRatio > MAX_RATIO_OF_WHOLE_UNITS
    ? [sourceType === 'docs' ? WHOLE : FINE, LINES]
    : [WHOLE, FINE, LINES];
}

/** Size of a canonical marker (P17). */
const MARKER: Size = { tokens: 34, characters: 105 };
const NO_MARKER: Size = { tokens: 0, characters: 0 };

export function selectCapped(request: PruneRequest, document: Document, needs: Needs): Selection {
  const { options, sourceType } = request;
  const keepsStructure = options.structure === 'all' || options.maxPruneRatio <= MAX_RATIO_WITH_STRUCTURE;
  const listed = listedLines(document.bare, request.focus.question);
  const pins = pinsOf(request, document, { keepsStructure, listed });
  const pinned = new Set(Object.values(pins).flatMap((each) => [...each]));
  const lines = document.lines;
  const isShort = request.text.length < MIN_CHECKED_CHARS;
  const asked = {
    isPinned: (atom: Atom) => isPinned(atom, { pinned, keepsStructure }),
    isShort,
    marker: isShort || !options.includeMarkers ? NO_MARKER : MARKER,
    needs,
    sourceType,
    lineCount: lines.length,
    maxPruneRatio: options.maxPruneRatio,
    minKeepLines: options.minKeepLines,
    sizeOf: sizeCounter(request.text, lines),
    maxShare: options.mostShare,
  };
  const splitsHeads = (keepsStructure && HAS_STRUCTURE.has(document.format)) || listed.length > 0;
  let ranges: readonly LineRange[] = [];
  for (const sizes of sizesFor(request)) {
    const selected = selectAtoms({ atoms: atomsOf(document, { ...sizes, splitsHeads }), ...asked });
    ranges = selected.ranges;
    if (!selected.isTooCoarse) break;
  }
  const gaps = ranges.map((range) => ({ ...range, units: unitsIn(document, range), isBody: false }));
  return { gaps, pins, showsLongLines: false };
}

/** Limits for lines that are kept for words of the goal: a share, and a minimum. Ranking selects the others. */
const NAMED: Readonly<Record<SourceType, { least: number; share: number }>> = {
  code: { least: 6, share: 0.15 },
  docs: { least: 12, share: 0.3 },
  logs: { least: 12, share: 0.3 },
};

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
  const staying = document.lines.length * (1 - options.maxPruneRatio);
  const { least, share } = NAMED[sourceType];
  const most = Math.max(least, Math.ceil(share * staying));
  return {
    structure: keepsStructure && document.format === 'code' ? structureLines(document.bare) : new Set(),
    failure: isReport ? failureLines(document, { isStrict }) : new Set(),
    literal: new Set([...linesNamed(document.bare, focus.question, most), ...listed]),
    handle: markers,
    directive: directives,
  };
}

/** A longer goal, such as an issue, contains too many words to name lines: they would use up the limit of the cut. */
const MAX_NAMING_GOAL_CHARS = 600;

function linesNamed(lines: readonly string[], goal: string, most: number): ReadonlySet<number> {
  return goal.length > MAX_NAMING_GOAL_CHARS ? new Set() : namedLines(lines, goal, { most }).byWords;
}

function isPinned(
  { start, end, headOf }: Atom,
  { pinned, keepsStructure }: { pinned: ReadonlySet<number>; keepsStructure: boolean },
): boolean {
  if (keepsStructure && headOf !== undefined) return true;
  for (let line = start - 1; line < end; line += 1) if (pinned.has(line)) return true;
  return false;
}

function sizeCounter(text: string, lines: readonly string[]): (range: LineRange) => Size {
  const codes = characterCodes(text);
  const tokens = new Float64Array(lines.length + 1);
  const characters = new Float64Array(lines.length + 1);
  for (let index = 0, from = 0; index < lines.length; index += 1) {
    const to = from + (lines[index] as string).length;
    tokens[index + 1] = (tokens[index] as number) + estimateTokensIn({ codes, from, to }) + 1;
    from = to + 1;
    characters[index + 1] = from;
  }
  return ({ start, end }) => ({
    tokens: (tokens[end] as number) - (tokens[start - 1] as number),
    characters: (characters[end] as number) - (characters[start - 1] as number),
  });
}

/** Maximum share (or number) of lines in a range that are in no unit, for the units to name the range. */
const MAX_UNNAMED_SHARE = 0.1;
const MAX_UNNAMED_LINES = 3;

/** Returns the units for the label of a range: units inside it, and the lines of units that are partly inside. */
function unitsIn({ units, bare }: Document, range: LineRange): Unit[] {
  const found: Unit[] = [];
  const around = addWhole(units, range, found);
  const { start, end } = range;
  const rest = unnamedLines(bare, range, found);
  if (found.length > 0 && rest <= Math.max(MAX_UNNAMED_LINES, MAX_UNNAMED_SHARE * (end - start)))
    return found;
  const count = found.length === 0 ? end - start + 1 : rest;
  return [...found, { kind: 'lines', name: around, start, end, head: start - 1, count }];
}

/** Returns the number of non-blank lines in a range that are in none of the given units. */
function unnamedLines(lines: readonly string[], { start, end }: LineRange, found: readonly Unit[]): number {
  let rest = 0;
  let unit = 0;
  for (let line = start; line <= end; line += 1) {
    while (unit < found.length && (found[unit] as Unit).end < line) unit += 1;
    const isNamed = unit < found.length && (found[unit] as Unit).start <= line;
    if (!isNamed && (lines[line - 1] ?? '').trim() !== '') rest += 1;
  }
  return rest;
}

/** Adds the units inside a range to `found`. Returns the name of the innermost unit that encloses the range, or ''. */
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

/** Returns the index of the first unit that ends at or after a line. The units are in order. */
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
