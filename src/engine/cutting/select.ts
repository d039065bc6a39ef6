/** Which units go: whole units only (P50), each allowed by a rule, none that the request names. */
import type { KeepRule } from '../../pruning/keep-rules.ts';
import type { LineRange } from '../../text/lines.ts';
import { estimateTokens } from '../../text/token-estimate.ts';
import type { Document, RuleName, Unit } from '../reading/document.ts';

/** Lines that one marker replaces: whole sibling units, or the body of one unit. 1-based, inclusive. */
export interface Gap {
  readonly start: number;
  readonly end: number;
  readonly units: readonly Unit[];
  /** The signature of its one unit stays. */
  readonly isBody: boolean;
  /** What its units are in, if anything: only siblings share a gap. */
  readonly parent?: Unit | undefined;
}

/** What selection decided, and why lines stay whatever a rule says (0-based). */
export interface Selection {
  readonly gaps: readonly Gap[];
  readonly pins: Pins;
  /** Long lines are returned unchanged. */
  readonly showsLongLines: boolean;
}

export type Pins = Partial<Readonly<Record<KeepRule, ReadonlySet<number>>>>;

export interface SelectionRequest {
  readonly document: Document;
  readonly rules: ReadonlySet<RuleName>;
  /** Whether the task does not need a unit of a dump or a document. */
  isUnrelated(unit: Unit): boolean;
  /** 0-based lines that the request names by a literal; the units they are in stay. */
  readonly literal: ReadonlySet<number>;
  /** The same by any of its words; rows and records they are in stay. */
  readonly named: ReadonlySet<number>;
  /** 0-based lines that stay even against rules about form. */
  readonly pinned: ReadonlySet<number>;
}

/** The gaps to cut, in order; of `anywhere`, units that do not belong to the format, those that no other gap touches. */
export function selectGaps(request: SelectionRequest, anywhere: readonly Unit[]): Gap[] {
  const { document, rules, isUnrelated } = request;
  const lineCount = document.bare.length;
  const [literal, named, pinned] = [request.literal, request.named, request.pinned].map((lines) =>
    counterOf(lines, lineCount),
  ) as [LineCounter, LineCounter, LineCounter];
  const gaps = collect(document.units, { rules, isUnrelated, literal, named, pinned });
  const taken = new Set<number>();
  if (anywhere.length > 0) for (const gap of gaps) addLines(taken, gap);
  for (const unit of anywhere) {
    const gap = gapOf(unit);
    if (pinned(unit.start, unit.end) || holdsAny(taken, unit)) continue;
    gaps.push(gap);
    addLines(taken, gap);
  }
  gaps.sort((a, b) => a.start - b.start);
  return merge(gaps, document.bare).filter((gap) => isWorthAMarker(gap, document));
}

/** Whether a range of lines, 1-based and inclusive, holds one of a set. */
type LineCounter = (start: number, end: number) => boolean;

function counterOf(lines: ReadonlySet<number>, lineCount: number): LineCounter {
  if (lines.size === 0) return () => false;
  const before = new Int32Array(lineCount + 1);
  for (const line of lines) before[line + 1] = 1;
  for (let line = 1; line <= lineCount; line += 1)
    before[line] = (before[line] as number) + (before[line - 1] as number);
  return (start, end) => (before[end] ?? 0) > (before[start - 1] ?? 0);
}

function addLines(taken: Set<number>, { start, end }: Gap): void {
  for (let line = start; line <= end; line += 1) taken.add(line);
}

function holdsAny(lines: ReadonlySet<number>, { start, end }: Unit): boolean {
  for (let line = start; line <= end; line += 1) if (lines.has(line)) return true;
  return false;
}

interface Counted extends Pick<SelectionRequest, 'rules' | 'isUnrelated'> {
  readonly literal: LineCounter;
  readonly named: LineCounter;
  readonly pinned: LineCounter;
}

/** The units below `parent`, or those of the whole text, that go. */
function collect(units: readonly Unit[], request: Counted, parent?: Unit): Gap[] {
  const gaps: Gap[] = [];
  for (const unit of units) {
    // What the request names stays with its whole record (P55).
    if (unit.kind === 'record' && request.named(unit.start, unit.end)) continue;
    if (isRemovable(unit, request)) gaps.push({ ...gapOf(unit), parent });
    else if (unit.children !== undefined)
      for (const gap of collect(unit.children, request, unit)) gaps.push(gap);
  }
  return gaps;
}

function gapOf(unit: Unit): Gap {
  return { start: unit.head + 1, end: unit.end, units: [unit], isBody: unit.head >= unit.start };
}

/** Rules about form do not ask what a unit says. */
const BY_FORM: ReadonlySet<RuleName> = new Set<RuleName>([
  'passed-tests',
  'progress',
  'repeated-lines',
  'identical-lines',
  'library-frames',
  'licence-header',
  'long-lines',
]);

function isRemovable(unit: Unit, { rules, isUnrelated, literal, named, pinned }: Counted): boolean {
  const { rule, start, end } = unit;
  if (rule === undefined || !rules.has(rule) || unit.standsOut === true) return false;
  if (pinned(start, end)) return false;
  if (rule === 'repeated-lines' && literal(start, end)) return false;
  if (BY_FORM.has(rule)) return true;
  if (rule === 'unrelated-units') return !literal(start, end) && isUnrelated(unit);
  return !named(start, end);
}

/** Neighbours become one gap if only blank lines are between them; bodies stay apart, because each has its own signature. */
function merge(gaps: readonly Gap[], lines: readonly string[]): Gap[] {
  const merged: (Omit<Gap, 'end' | 'units'> & { end: number; units: Unit[] })[] = [];
  for (const gap of gaps) {
    const last = merged.at(-1);
    const isNext =
      last !== undefined && areSiblings(last, gap) && isBlank(lines, last.end + 1, gap.start - 1);
    if (isNext && !isShown(last) && !isShown(gap)) {
      last.end = gap.end;
      last.units.push(...gap.units);
    } else merged.push({ ...gap, units: [...gap.units] });
  }
  return merged;
}

function areSiblings(a: Gap, b: Gap): boolean {
  return !a.isBody && !b.isBody && a.parent === b.parent;
}

/** A block shown before has a label of its own. */
function isShown({ units }: Gap): boolean {
  return units[0]?.kind === 'shown';
}

function isBlank(lines: readonly string[], start: number, end: number): boolean {
  for (let line = start; line <= end; line += 1) if ((lines[line - 1] ?? '').trim() !== '') return false;
  return true;
}

const MIN_GAP_TOKENS = 14;
/** So many characters are always enough tokens. */
const MIN_LONG_GAP_CHARS = 16 * MIN_GAP_TOKENS;
const MIN_SINGLE_LINE_CHARS = 200;
const SINGLE_LINES: ReadonlySet<string> = new Set(['field', 'long-line']);

/** P56: no small gaps, and a single line only if it is a whole field or opaque. */
function isWorthAMarker({ start, end, units }: Gap, { lines }: Document): boolean {
  if (start === end) {
    const { length } = lines[start - 1] ?? '';
    return length >= MIN_SINGLE_LINE_CHARS && units.every(({ kind }) => SINGLE_LINES.has(kind));
  }
  if (holdsCharacters(lines, { start, end }, MIN_LONG_GAP_CHARS)) return true;
  return estimateTokens(lines.slice(start - 1, end).join('\n')) >= MIN_GAP_TOKENS;
}

/** Whether lines have at least so many characters; counts no further. */
export function holdsCharacters(lines: readonly string[], { start, end }: LineRange, least: number): boolean {
  let characters = 0;
  for (let line = start; line <= end && characters < least; line += 1)
    characters += (lines[line - 1] ?? '').length + 1;
  return characters >= least;
}
