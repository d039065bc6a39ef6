/** Which units go: whole units only (P50), each allowed by a rule, none that the request names. */
import type { KeepRule } from '../../pruning/keep-rules.ts';
import { estimateTokens } from '../../text/token-estimate.ts';
import type { Document, RuleName, Unit } from '../reading/document.ts';

/** Lines that one marker replaces: whole sibling units, or the body of one unit. 1-based, inclusive. */
export interface Gap {
  readonly start: number;
  readonly end: number;
  readonly units: readonly Unit[];
  /** The signature of its one unit stays. */
  readonly isBody: boolean;
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
  const gaps = withoutCallees(collect(request.document.units, request), request.document);
  for (const unit of anywhere) {
    const isFree = gaps.every(({ start, end }) => end < unit.start || start > unit.end);
    const isKept = holds(request.pinned, unit.start, unit.end) || holds(request.literal, unit.start, unit.end);
    if (isFree && (unit.kind === 'shown' || !isKept)) gaps.push(gapOf(unit));
  }
  gaps.sort((a, b) => a.start - b.start);
  return merge(gaps, request.document.bare).filter((gap) => isWorthAMarker(gap, request.document));
}

function collect(units: readonly Unit[], request: SelectionRequest): Gap[] {
  return units.flatMap((unit) => {
    if (isNamedRecord(unit, request)) return [];
    if (!isRemovable(unit, request)) return collect(unit.children ?? [], request);
    return [gapOf(unit)];
  });
}

const CALL = /([A-Za-z_$][\w$]{2,80})\s?\(/g;
const MAX_CALLEE_LINES = 40;

/** Functions that a shown body calls stay too if they are short: a reader follows the call. Signatures call nothing. */
function withoutCallees(gaps: readonly Gap[], { bare, units }: Document): Gap[] {
  const isCallable = ({ isBody, start, end }: Gap) => isBody && end - start < MAX_CALLEE_LINES;
  if (!gaps.some(isCallable)) return [...gaps];
  const folded = new Set(gaps.flatMap((gap) => gap.units));
  const called = new Set<string>();
  const visit = (siblings: readonly Unit[]) => {
    for (const unit of siblings) {
      if (folded.has(unit)) continue;
      visit(unit.children ?? []);
      if (unit.rule !== 'unrelated-units') continue;
      for (const line of bare.slice(unit.head, unit.end))
        for (const [, name = ''] of line.slice(0, MAX_CALL_CHARS).matchAll(CALL)) called.add(name);
    }
  };
  visit(units);
  return gaps.filter((gap) => !(isCallable(gap) && called.has(gap.units[0]?.name ?? '')));
}

const MAX_CALL_CHARS = 300;

/** What the request names stays with its whole record (P55). */
function isNamedRecord({ kind, start, end }: Unit, { named }: SelectionRequest): boolean {
  return kind === 'record' && holds(named, start, end);
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

function isRemovable(unit: Unit, { rules, isUnrelated, literal, named, pinned }: SelectionRequest): boolean {
  const { rule, start, end } = unit;
  if (rule === undefined || !rules.has(rule) || unit.standsOut === true) return false;
  if (holds(pinned, start, end)) return false;
  if (rule === 'repeated-lines' && holds(literal, start, end)) return false;
  if (BY_FORM.has(rule)) return true;
  if (unit.kind === 'record' && !isUnrelated(unit)) return false;
  if (rule === 'unrelated-units') return !holds(literal, start, end) && isUnrelated(unit);
  return !holds(named, start, end);
}

function holds(lines: ReadonlySet<number>, start: number, end: number): boolean {
  if (lines.size === 0) return false;
  if (lines.size < end - start) {
    for (const line of lines) if (line >= start - 1 && line < end) return true;
    return false;
  }
  for (let line = start - 1; line < end; line += 1) if (lines.has(line)) return true;
  return false;
}

/** Neighbours become one gap if only blank lines are between them; bodies stay apart, because each has its own signature. */
function merge(gaps: readonly Gap[], lines: readonly string[]): Gap[] {
  const merged: Gap[] = [];
  for (const gap of gaps) {
    const last = merged.at(-1);
    const isNext = last !== undefined && !last.isBody && !gap.isBody && isBlank(lines, last.end + 1, gap.start - 1);
    if (last !== undefined && isNext && canShareLabel(last, gap))
      merged[merged.length - 1] = { start: last.start, end: gap.end, units: [...last.units, ...gap.units], isBody: false };
    else merged.push(gap);
  }
  return merged;
}

function canShareLabel(a: Gap, b: Gap): boolean {
  const isShown = (gap: Gap) => gap.units.some(({ kind }) => kind === 'shown');
  return !isShown(a) && !isShown(b);
}

function isBlank(lines: readonly string[], start: number, end: number): boolean {
  for (let line = start; line <= end; line += 1) if ((lines[line - 1] ?? '').trim() !== '') return false;
  return true;
}

const MIN_GAP_TOKENS = 14;
const MIN_SINGLE_LINE_CHARS = 200;
const SINGLE_LINES: ReadonlySet<string> = new Set(['field', 'long-line']);

/** P56: no small gaps, and a single line only if it is a whole field or opaque. */
function isWorthAMarker({ start, end, units }: Gap, { lines }: Document): boolean {
  const text = lines.slice(start - 1, end).join('\n');
  if (start === end && (text.length < MIN_SINGLE_LINE_CHARS || !units.every(({ kind }) => SINGLE_LINES.has(kind))))
    return false;
  return text.length > 4 * MIN_GAP_TOKENS * 4 || estimateTokens(text) >= MIN_GAP_TOKENS;
}
