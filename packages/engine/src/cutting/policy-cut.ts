/** The cut of hooks, focus tools and gateway: policy says which rules apply, selection removes whole units. */

import { asksForAll, DEFAULT_SIZES, rulesFor } from '../policy/policy.ts';
import { requestKindOf } from '../policy/request-kind.ts';
import { namedLines } from '../ranking/named-lines.ts';
import type { Needs } from '../ranking/need.ts';
import type { Focus } from '../ranking/scorer.ts';
import type { Document, FormatName, RuleName, Unit } from '../reading/document.ts';
import { repeatedLineUnits } from '../reading/repeated-lines.ts';
import { type PruneRequest, showsFiles } from '../request.ts';
import { unrelatedInLong } from './long-texts.ts';
import { untouchableLines } from './pins.ts';
import { recordsIn, type Selection, selectGaps } from './select.ts';
import { shownUnits } from './shown-before.ts';

/** Selects gaps that the policy allows. `needs` ranks the text; it is called only if a rule depends on relevance. */
export function selectByPolicy(request: PruneRequest, document: Document, needs: () => Needs): Selection {
  const rules = allowedRules(request, document);
  const { directives, markers } = untouchableLines(document.bare);
  const words = requestWords(request);
  const isList = LISTS.has(document.format);
  const isComplete = isList && asksForAll(words);
  const naming = { base: Math.max(1, rowsOf(document)), isList, isComplete };
  const { byLiterals: literal, byWords, byFilters: filtered } = namedLines(document.bare, words, naming);
  const keepsHits =
    document.format === 'search' && rules.has('oversized-rows') && request.intent !== 'explicit';
  const named = keepsHits ? new Set([...byWords, ...strongestHits(document, needs())]) : byWords;
  const pinned = new Set([...directives, ...markers]);
  const characters = request.cameAs?.characters ?? request.text.length;
  const isNamed = request.intent === 'explicit' || namesDeclaration(document, request.focus);
  const relatedness = relatednessOf(document, { needs, words, characters, isNamed });
  const isUnrelated = rules.has('unrelated-units')
    ? unrelatedInLong(request.origin, document, { isUnrelated: relatedness, needs, words })
    : relatedness;
  const anywhere = unitsOfAnyFormat(request, document, rules);
  const gaps = selectGaps(
    { document, rules, isUnrelated, literal, named, filtered, pinned, isComplete },
    anywhere,
  );
  return {
    gaps,
    showsLongLines: !rules.has('long-lines'),
    pins: { directive: directives, handle: markers, literal },
  };
}

/**
 * Number of characters of hits that stay in a long search: an agent that asked for all hits wants more than a few.
 */
const MAX_HIT_CHARS = 8000;

/** Returns the 0-based first lines of the hits that the task needs most. */
function strongestHits({ units, bare }: Document, needs: Needs): number[] {
  const hits = hitsIn(units).map((hit) => ({ ...hit, strength: needs.best(hit.start, hit.end) }));
  hits.sort((a, b) => b.strength - a.strength || a.start - b.start);
  let characters = 0;
  const kept = hits.filter(({ start, end }) => {
    characters += bare.slice(start - 1, end).reduce((sum, { length }) => sum + length + 1, 0);
    return characters <= MAX_HIT_CHARS;
  });
  return kept.map(({ start }) => start - 1);
}

function hitsIn(units: readonly Unit[]): Unit[] {
  return units.flatMap((unit) => (unit.children === undefined ? [unit] : hitsIn(unit.children)));
}

/** Formats whose lines, rows or records are independent of each other. */
const LISTS: ReadonlySet<FormatName> = new Set<FormatName>([
  'log',
  'build',
  'test-run',
  'search',
  'listing',
  'table',
  'json',
  'config',
]);

/**
 * Records with a lower density are removed. In lists of 60 and 200 commits, this keeps all commits that a request asks
 * for, in English, French and Chinese, and removes 74 % to 87 %. At 0.8, half of the records stay; at 1.6, half of those
 * asked for are lost.
 */
const MIN_RECORD_DENSITY = 1.1;

const MIN_NAME_CHARS = 4;
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{3,}/gu;

/** Whether a request names a declaration of code. */
function namesDeclaration({ units }: Document, { question, task = '' }: Focus): boolean {
  const asked = new Set(`${question}\n${task}`.match(IDENTIFIER));
  const isAsked = ({ name, children = [] }: Unit): boolean =>
    (name.length >= MIN_NAME_CHARS && asked.has(name)) || children.some(isAsked);
  return units.some(isAsked);
}

/** Returns a test for units that the task does not need. A field is compared with the fields of all records. */
function relatednessOf(
  document: Document,
  {
    needs,
    words,
    characters,
    isNamed,
  }: { needs: () => Needs; words: string; characters: number; isNamed: boolean },
): (unit: Unit) => boolean {
  const isAsked = askedFields(words);
  let limit: number | undefined;
  const isWeak = (unit: Unit): boolean => {
    limit ??= fieldLimit(document, needs(), characters);
    return needs().best(...insideOf(unit)) < limit;
  };
  const isUnrelated = (unit: Unit): boolean => {
    const { kind, start, end } = unit;
    if (kind === 'record') return needs().density(start, end) < MIN_RECORD_DENSITY;
    if (kind !== 'field') return needs().isUnrelated(unit, { isNamed });
    if (start === end && isAsked(unit.name)) return false;
    if (unit.rule === 'record-fields' || (unit.characters ?? 0) < MIN_STRONG_CHARS) return true;
    // An object is as strong as one of its fields.
    return unit.children?.every(isUnrelated) ?? isWeak(unit);
  };
  return isUnrelated;
}

/** Fields with fewer characters, such as an id or a color, have too few words to be relevant. */
const MIN_STRONG_CHARS = 40;

const TIME =
  /\b(?:when|dates?|since|newest|oldest|latest|recent|quand|depuis|dernière?s?|récente?s?)\b|什么时候|何时|日期|最近|最新/iu;
const TIME_KEY =
  /^(?:date|time|timestamp|created|updated|published|.{1,30}(?:_at|At|_on|Date|_date|Timestamp|_time))$/;
const ADDRESS = /\b(?:urls?|links?|liens?)\b|链接|网址/iu;
const ADDRESS_KEY = /^(?:url|link|href|(?:html|web)_?url|permalink)$/i;

/** Returns a test for keys that a request asks for: by the words of the key, or as times or addresses. */
function askedFields(words: string): (key: string) => boolean {
  const asked = new Set(words.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));
  const asksTime = TIME.test(words);
  const asksAddress = ADDRESS.test(words);
  return (key) => {
    if ((asksTime && TIME_KEY.test(key)) || (asksAddress && ADDRESS_KEY.test(key))) return true;
    const parts = key
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u);
    const long = parts.filter(({ length }) => length >= MIN_KEY_WORD);
    return long.length > 0 && long.every((part) => asked.has(part));
  };
}

const MIN_KEY_WORD = 3;

/** Largest share of a text, and of its records, for fields that stay only because of their strength. */
const MAX_STRONG_CHARS_SHARE = 0.11;
const MAX_STRONG_RECORDS_SHARE = 0.35;
/** Weaker fields do not stay, even if all others are weaker. */
const MIN_FIELD_STRENGTH = 0.03;

/** Returns the minimum strength of fields that stay: the strongest ones, up to the two shares above. */
function fieldLimit({ units }: Document, needs: Needs, textCharacters: number): number {
  const records = recordsIn(units);
  const fields = records.flatMap((record) => contentFields(record).map((field) => ({ record, field })));
  const ranked = fields.map((each) => ({ ...each, strength: needs.best(...insideOf(each.field)) }));
  ranked.sort((a, b) => b.strength - a.strength);
  let characters = MAX_STRONG_CHARS_SHARE * textCharacters;
  const strong = new Set<Unit>();
  for (const { record, field, strength } of ranked) {
    characters -= field.characters ?? 0;
    strong.add(record);
    if (characters < 0 || strong.size > MAX_STRONG_RECORDS_SHARE * records.length + 1)
      return strength + Number.EPSILON;
    if (strength < MIN_FIELD_STRENGTH) break;
  }
  return MIN_FIELD_STRENGTH;
}

function contentFields({ children = [] }: Unit): Unit[] {
  return children.flatMap((unit) => (unit.rule === 'oversized-rows' ? [unit] : contentFields(unit)));
}

/** Returns the lines of a field. If it has several, the first (its key) and the last (its bracket) are left out. */
function insideOf({ start, end }: Pick<Unit, 'start' | 'end'>): [start: number, end: number] {
  return start === end ? [start, end] : [start + 1, Math.max(start + 1, end - 1)];
}

/** Returns the number of rows or records of a document, or of its lines if it has none. */
function rowsOf({ units, lines }: Document): number {
  const records = recordsIn(units).length || units.filter(({ rule }) => rule === 'oversized-rows').length;
  return records > 0 ? records : lines.length;
}

/** Returns units that every format may contain: blocks shown before, and repeated lines. */
function unitsOfAnyFormat(
  { focus, origin = { kind: 'other' } }: PruneRequest,
  { lines, bare, format }: Document,
  rules: ReadonlySet<RuleName>,
): Unit[] {
  const shown = rules.has('shown-before') && showsFiles(origin) ? shownUnits(lines, focus.shown ?? []) : [];
  const identical = rules.has('identical-lines') ? identicalUnits(bare) : [];
  const similar = rules.has('repeated-lines') && format === 'plain' ? repeatedLineUnits(bare) : [];
  return [...shown, ...identical, ...similar];
}

function allowedRules(request: PruneRequest, { format }: Document): ReadonlySet<RuleName> {
  return rulesFor({
    request: requestKindOf(request.origin ?? { kind: 'other' }),
    format,
    characters: request.cameAs?.characters ?? request.text.length,
    words: requestWords(request),
    isExplicit: request.intent === 'explicit',
    sizes: request.options.sizes ?? DEFAULT_SIZES,
    disabled: new Set(request.options.disabledRules ?? []),
  });
}

const MAX_TASK_CHARS = 400;

/**
 * Returns the words of the question, and those of the task unless it is long: an issue, for example, has too many.
 */
function requestWords({ focus: { question, task = '' } }: PruneRequest): string {
  return task.length > MAX_TASK_CHARS ? question : `${question}\n${task}`;
}

const MIN_IDENTICAL_LINES = 10;

/** Returns a unit for each line repeated at least ten times in a row, without its first occurrence (P51). */
function identicalUnits(lines: readonly string[]): Unit[] {
  const units: Unit[] = [];
  let first = 0;
  for (let index = 1; index <= lines.length; index += 1) {
    if (index < lines.length && lines[index] === lines[first]) continue;
    const count = index - first - 1;
    const name = (lines[first] ?? '').trim();
    if (count + 1 >= MIN_IDENTICAL_LINES && name !== '')
      units.push({
        kind: 'similar-lines',
        name,
        start: first + 2,
        head: first + 1,
        end: index,
        rule: 'identical-lines',
        count,
      });
    first = index;
  }
  return units;
}
