/** Selects units to remove. They are removed as a whole (P50), if a rule allows it and the request does not mention them. */
import type { LineRange } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { KeepRule } from '../explanation.ts';
import { NOISE } from '../policy/policy.ts';
import { counterOf } from '../ranking/named-lines.ts';
import type { Document, RuleName, Unit } from '../reading/document.ts';

/** Lines that one marker replaces, 1-based and inclusive. They are whole sibling units, or the body of one unit. */
export interface Gap {
  readonly start: number;
  readonly end: number;
  readonly units: readonly Unit[];
  /** Whether the gap is the body of one unit, whose signature is kept. */
  readonly isBody: boolean;
  /** Unit that encloses the units of the gap; `undefined` at the top level. Only siblings share a gap. */
  readonly parent?: Unit | undefined;
}

/** Gaps to remove, and the 0-based lines that are kept although a rule allows their removal, by reason. */
export interface Selection {
  readonly gaps: readonly Gap[];
  readonly pins: Pins;
  readonly showsLongLines: boolean;
}

export type Pins = Partial<Readonly<Record<KeepRule, ReadonlySet<number>>>>;

export interface SelectionRequest {
  readonly document: Document;
  readonly rules: ReadonlySet<RuleName>;
  /** Whether a unit of a dump or document is unrelated to the task. */
  isUnrelated(unit: Unit): boolean;
  /** 0-based lines with a literal of the request. The units around them are kept. */
  readonly literal: ReadonlySet<number>;
  /** 0-based lines with any word of the request. The rows and records around them are kept. */
  readonly named: ReadonlySet<number>;
  /** 0-based lines with a literal that many records contain. The fields around them are kept. */
  readonly filtered: ReadonlySet<number>;
  /** Whether the request asks for all members of a list. */
  readonly isComplete: boolean;
  /** 0-based lines that even rules about form do not remove. */
  readonly pinned: ReadonlySet<number>;
  /** Whether short functions are kept if a shown function calls them. Default true. */
  readonly keepsCallees?: boolean;
}

/** Returns the gaps to remove, in order. Gaps of `anywhere` (units outside of the format) must not touch others. */
export function selectGaps(request: SelectionRequest, anywhere: readonly Unit[]): Gap[] {
  const { document, rules, isUnrelated } = request;
  const lineCount = document.bare.length;
  const counter = (lines: ReadonlySet<number>): LineCounter =>
    lines.size === 0 ? () => false : counterOf(lines, lineCount);
  const [literal, named] = [counter(request.literal), counter(request.named)];
  const counted = {
    rules,
    isUnrelated,
    isWanted: findingsWanted(request),
    isWhole: namedRecords(document.units, { literal, named }),
    ...{ literal, named, filtered: counter(request.filtered), pinned: counter(request.pinned) },
  };
  const folded = collect(document.units, counted);
  const gaps = request.keepsCallees === false ? folded : withoutCallees(folded, document);
  addAnywhere(gaps, anywhere, counted);
  gaps.sort((a, b) => a.start - b.start);
  return merge(gaps, document.bare).filter((gap) => isWorthAMarker(gap, document));
}

/** Adds gaps for units that are not of the format, if they touch no other gap. */
function addAnywhere(gaps: Gap[], anywhere: readonly Unit[], counted: Counted): void {
  const taken = new Set<number>();
  if (anywhere.length > 0) for (const gap of gaps) addLines(taken, gap);
  const isNamed = ({ kind, start, end }: Unit) =>
    counted.pinned(start, end) || (kind !== 'shown' && counted.literal(start, end));
  for (const unit of anywhere.filter((each) => !holdsAny(taken, each)))
    for (const gap of isNamed(unit) ? aroundNamedLines(unit, counted) : [gapOf(unit)]) {
      if (holdsAny(taken, gap)) continue;
      // Such a unit is not a sibling of the format's units, so it shares no gap with them.
      gaps.push({ ...gap, parent: unit });
      addLines(taken, gap);
    }
}

/** Returns whether a range of lines (1-based, inclusive) contains a line of a set. */
type LineCounter = (start: number, end: number) => boolean;

function addLines(taken: Set<number>, { start, end }: Gap): void {
  for (let line = start; line <= end; line += 1) taken.add(line);
}

function holdsAny(lines: ReadonlySet<number>, { start, end }: LineRange): boolean {
  for (let line = start; line <= end; line += 1) if (lines.has(line)) return true;
  return false;
}

interface Counted extends Pick<SelectionRequest, 'rules' | 'isUnrelated'> {
  /** Whether the request mentions a record. All of its fields are then kept. */
  isWhole(record: Unit): boolean;
  /** Whether the request asks for findings, and the similar lines are such findings. */
  isWanted(unit: Unit): boolean;
  readonly literal: LineCounter;
  readonly named: LineCounter;
  readonly filtered: LineCounter;
  readonly pinned: LineCounter;
}

/** Returns the gaps of the units in `parent`, or in the whole text. */
function collect(units: readonly Unit[], request: Counted, parent?: Unit): Gap[] {
  const gaps: Gap[] = [];
  for (const unit of units) for (const gap of gapsOf(unit, request, parent)) gaps.push(gap);
  return gaps;
}

function gapsOf(unit: Unit, request: Counted, parent: Unit | undefined): Gap[] {
  // A record with something that the request names loses only opaque and constant fields (P55).
  if (unit.kind === 'record' && request.isWhole(unit)) return collect(opaqueFieldsOf(unit), request, unit);
  if (isRemovable(unit, request)) return [{ ...gapOf(unit), parent }];
  if (unit.rule !== 'repeated-lines') return collect(unit.children ?? [], request, unit);
  return aroundNamedLines(unit, request).map((gap) => ({ ...gap, parent }));
}

/** Returns the fields of a record, at any depth, that are opaque or the same in all records. */
function opaqueFieldsOf({ children = [] }: Unit): Unit[] {
  return children.flatMap((unit) => (unit.rule === 'record-fields' ? [unit] : opaqueFieldsOf(unit)));
}

const MAX_WHOLE_RECORDS = 3;
/** Maximum share of the records with a literal for these records to be kept. Above it, only the fields with the literal are. */
const MAX_WHOLE_SHARE = 0.3;

/** Returns a function that decides whether a record contains a literal of the request, or words of it that few records contain. */
function namedRecords(
  units: readonly Unit[],
  { literal, named }: Pick<Counted, 'literal' | 'named'>,
): (record: Unit) => boolean {
  const records = recordsIn(units);
  const most = Math.max(MAX_WHOLE_RECORDS, MAX_WHOLE_SHARE * records.length);
  const areFew = records.filter(({ start, end }) => named(start, end)).length <= MAX_WHOLE_RECORDS;
  const isTelling = records.filter(({ start, end }) => literal(start, end)).length <= most;
  return (record) =>
    (isTelling && literal(record.start, record.end)) ||
    ((areFew || record.rule !== undefined) && named(record.start, record.end));
}

/** Returns the records of a document at any depth, but no records inside records. */
export function recordsIn(units: readonly Unit[]): Unit[] {
  return units.flatMap((unit) => (unit.kind === 'record' ? [unit] : recordsIn(unit.children ?? [])));
}

/** Returns the gaps in a unit of similar lines. Lines that the request mentions are kept. */
function aroundNamedLines(unit: Unit, request: Counted): Gap[] {
  if (unit.count !== unit.end - unit.start + 1) return [];
  const gaps: Gap[] = [];
  let start = unit.start;
  for (let line = unit.start; line <= unit.end + 1; line += 1) {
    if (line <= unit.end && !request.named(line, line)) continue;
    const part = { ...unit, start, end: line - 1, head: start - 1, count: line - start };
    if (part.count > 0 && isRemovable(part, request)) gaps.push(gapOf(part));
    start = line + 1;
  }
  return gaps;
}

const PLACE = /^\s*(?:\S{0,200}:\d+:\d+|\d+:\d+\s|In \S{1,250} line \d|(?:warning|[A-Z]{1,4}\d{3,4}): )/;

/** Returns a function that decides whether "fix all of them" means a finding. It returns false if the request mentions certain findings. */
function findingsWanted({
  document: { bare },
  named,
  isComplete,
}: SelectionRequest): (unit: Unit) => boolean {
  const isFinding = (index: number) => PLACE.test((bare[index] ?? '').slice(0, 300));
  if (!isComplete || [...named].some(isFinding)) return () => false;
  return ({ start }) => isFinding(start - 1);
}

const CALL = /([A-Za-z_$][\w$]{2,80})\s?\(/g;
const MAX_CALLEE_LINES = 40;
const MAX_CALL_CHARS = 300;

/** Drops gaps of short functions that a shown body calls, because a reader follows the call. */
function withoutCallees(gaps: readonly Gap[], document: Document): Gap[] {
  const isCallable = ({ isBody, start, end }: Gap) => isBody && end - start < MAX_CALLEE_LINES;
  if (!gaps.some(isCallable)) return [...gaps];
  const called = new Set<string>();
  addCalls(called, shownBodies(document.units, new Set(gaps.flatMap((gap) => gap.units))), document.bare);
  return gaps.filter((gap) => !(isCallable(gap) && called.has(gap.units[0]?.name ?? '')));
}

function shownBodies(units: readonly Unit[], folded: ReadonlySet<Unit>): Unit[] {
  return units.flatMap((unit) => {
    if (folded.has(unit)) return [];
    const inner = shownBodies(unit.children ?? [], folded);
    return unit.rule === 'unrelated-units' ? [unit, ...inner] : inner;
  });
}

function addCalls(called: Set<string>, units: readonly Unit[], lines: readonly string[]): void {
  for (const line of units.flatMap(({ head, end }) => lines.slice(head, end)))
    for (const [, name = ''] of line.slice(0, MAX_CALL_CHARS).matchAll(CALL)) called.add(name);
}

function gapOf(unit: Unit): Gap {
  return { start: unit.head + 1, end: unit.end, units: [unit], isBody: unit.head >= unit.start };
}

/** Rules about the form of a unit, not about its content. */
const BY_FORM: ReadonlySet<RuleName> = new Set<RuleName>([...NOISE, 'licence-header']);

function isRemovable(unit: Unit, request: Counted): boolean {
  const { rule, start, end } = unit;
  if (rule === undefined || !request.rules.has(rule) || unit.standsOut === true) return false;
  if (request.pinned(start, end)) return false;
  if (rule === 'repeated-lines' && isNamedOrWanted(unit, request)) return false;
  return BY_FORM.has(rule) || !isNeeded(unit, request);
}

function isNamedOrWanted(unit: Unit, { literal, named, isWanted }: Counted): boolean {
  const { start, end } = unit;
  return literal(start, end) || named(start, end) || isWanted(unit);
}

/** Whether the request mentions a unit, or the task needs its content. */
function isNeeded(unit: Unit, request: Counted): boolean {
  const { kind, rule, start, end } = unit;
  if (rule !== 'unrelated-units') return needsOwn(unit, request) || request.named(start, end);
  const isNamed = kind === 'quiet-lines' ? request.named : request.literal;
  return isNamed(start, end) || !request.isUnrelated(unit);
}

/** Whether the task needs a record or field, so that a rule about size does not remove it. */
function needsOwn(unit: Unit, { isUnrelated, filtered }: Counted): boolean {
  if (unit.kind === 'field' && filtered(unit.start, unit.end)) return true;
  return (unit.kind === 'record' || unit.kind === 'field') && !isUnrelated(unit);
}

/** Merges adjacent gaps that only blank lines separate. Bodies are not merged, because each has its own signature. */
function merge(gaps: readonly Gap[], lines: readonly string[]): Gap[] {
  const merged: (Omit<Gap, 'end' | 'units'> & { end: number; units: Unit[] })[] = [];
  for (const gap of gaps) {
    const last = merged.at(-1);
    const isNext =
      last !== undefined && areSiblings(last, gap) && isBlank(lines, last.end + 1, gap.start - 1);
    if (isNext) {
      last.end = gap.end;
      last.units.push(...gap.units);
    } else merged.push({ ...gap, units: [...gap.units] });
  }
  return merged;
}

function areSiblings(a: Gap, b: Gap): boolean {
  return !a.isBody && !b.isBody && a.parent === b.parent;
}

function isBlank(lines: readonly string[], start: number, end: number): boolean {
  for (let line = start; line <= end; line += 1) if ((lines[line - 1] ?? '').trim() !== '') return false;
  return true;
}

const MIN_GAP_TOKENS = 14;
/** Number of characters from which a gap certainly has enough tokens. */
const MIN_LONG_GAP_CHARS = 16 * MIN_GAP_TOKENS;
const MIN_SINGLE_LINE_CHARS = 200;
const SINGLE_LINES: ReadonlySet<string> = new Set(['field', 'long-line']);

/** Whether a gap is large enough. A single line must also be a whole field or opaque (P56). */
function isWorthAMarker({ start, end, units }: Gap, { lines }: Document): boolean {
  if (start === end) {
    const { length } = lines[start - 1] ?? '';
    return length >= MIN_SINGLE_LINE_CHARS && units.every(({ kind }) => SINGLE_LINES.has(kind));
  }
  if (holdsCharacters(lines, { start, end }, MIN_LONG_GAP_CHARS)) return true;
  return estimateTokens(lines.slice(start - 1, end).join('\n')) >= MIN_GAP_TOKENS;
}

export function charactersIn(lines: readonly string[], { start, end }: LineRange): number {
  let characters = 0;
  for (let line = start; line <= end; line += 1) characters += (lines[line - 1] ?? '').length + 1;
  return characters;
}

/** Whether lines have at least `least` characters. Stops counting when they do. */
export function holdsCharacters(lines: readonly string[], { start, end }: LineRange, least: number): boolean {
  let characters = 0;
  for (let line = start; line <= end && characters < least; line += 1)
    characters += (lines[line - 1] ?? '').length + 1;
  return characters >= least;
}
