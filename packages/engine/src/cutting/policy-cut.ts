/** Makes the cut of hooks, focus tools and gateway: policy selects rules, and selection removes whole units. */

import { asksForAll, asksToCompare, DEFAULT_SIZES, rulesFor } from '../policy/policy.ts';
import { requestKindOf } from '../policy/request-kind.ts';
import { namedLines } from '../ranking/named-lines.ts';
import type { Needs } from '../ranking/need.ts';
import type { Focus } from '../ranking/scorer.ts';
import { type Document, LISTS, type RuleName, type Unit } from '../reading/document.ts';
import { identicalUnits, repeatedLineUnits } from '../reading/repeated-lines.ts';
import { type PruneRequest, showsFiles } from '../request.ts';
import { exceedsShell, unrelatedInLong, unrelatedOnPage } from './long-texts.ts';
import { untouchableLines } from './pins.ts';
import { charactersIn, recordsIn, type Selection, selectGaps } from './select.ts';
import { shownUnits } from './shown-before.ts';

/** Selects the gaps that the policy allows. `needs` ranks the text. It is called only if a rule depends on relevance. */
export function selectByPolicy(request: PruneRequest, document: Document, needs: () => Needs): Selection {
  const rules = allowedRules(request, document);
  const { directives, markers } = untouchableLines(document.bare);
  const words = requestWords(request);
  const asked = askedWords(request);
  const areItems = document.format === 'document' && consistsOfItems(document.bare);
  const isList = LISTS.has(document.format) || areItems;
  const characters = request.cameAs?.characters ?? request.text.length;
  const isComplete = isList && !isLongLog(document, characters) && asksForAll(asked);
  const naming = { base: Math.max(1, rowsOf(document)), isList, isComplete, ...(areItems && { most: 60 }) };
  const { byLiterals: literal, byWords, byFilters: filtered } = namedLines(document.bare, asked, naming);
  const keepsHits =
    document.format === 'search' && rules.has('oversized-rows') && request.intent !== 'explicit';
  const named = keepsHits ? new Set([...byWords, ...strongestHits(document, needs())]) : byWords;
  const pinned = new Set([...directives, ...markers]);
  const isNamed = request.intent === 'explicit' || namesDeclaration(document, request.focus);
  const byStrength = relatednessOf(document, { needs, words, characters, isNamed });
  const relatedness =
    document.format === 'markup'
      ? unrelatedOnPage(document, { isUnrelated: byStrength, words, isWhole: asksToCompare(asked) })
      : byStrength;
  const isUnrelated = rules.has('unrelated-units')
    ? unrelatedInLong(request.origin, document, {
        isUnrelated: relatedness,
        needs,
        words,
        request: `${request.focus.question}\n${request.focus.task ?? ''}`,
      })
    : relatedness;
  const anywhere = unitsOfAnyFormat(request, document, rules);
  const gaps = selectGaps(
    // Items of a changelog are short, so one rare word of the request is enough to keep one.
    {
      document,
      rules,
      isUnrelated,
      literal: areItems ? byWords : literal,
      named,
      filtered,
      pinned,
      isComplete,
      // The middle of a file that is too long for a shell is omitted without a marker.
      keepsCallees: !exceedsShell(request.origin, document),
    },
    anywhere,
  );
  return {
    gaps,
    showsLongLines: !rules.has('long-lines'),
    pins: { directive: directives, handle: markers, literal },
  };
}

/** Maximum characters of a log in which every entry with a word of a request for everything is kept. */
const MAX_SHOWN_LOG_CHARS = 32_000;

/** Whether a text is a log that is too long to be shown as a whole, so that only rarer words name entries. */
function isLongLog({ format }: Document, characters: number): boolean {
  return format === 'log' && characters > MAX_SHOWN_LOG_CHARS;
}

/** Maximum characters of hits that are kept in a long search. An agent that requested all hits needs more than a few. */
const MAX_HIT_CHARS = 8000;

/** Returns the 0-based first lines of the hits that the task needs most. */
function strongestHits({ units, bare }: Document, needs: Needs): number[] {
  const hits = hitsIn(units).map((hit) => ({ ...hit, strength: needs.best(hit.start, hit.end) }));
  hits.sort((a, b) => b.strength - a.strength || a.start - b.start);
  let characters = 0;
  const kept = hits.filter((hit) => {
    characters += charactersIn(bare, hit);
    return characters <= MAX_HIT_CHARS;
  });
  return kept.map(({ start }) => start - 1);
}

function hitsIn(units: readonly Unit[]): Unit[] {
  return units.flatMap((unit) => (unit.children === undefined ? [unit] : hitsIn(unit.children)));
}

/**
 * Minimum density of a record that is kept. In lists of 60 and 200 commits, 1.1 keeps all commits that a
 * request asks for and removes 74 % to 87 %. With 0.8 half of the records are kept; with 1.6 half of the
 * requested commits are lost.
 */
const MIN_RECORD_DENSITY = 1.1;

const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)]) \S/;
const MIN_ITEMS_SHARE = 0.5;

/** Whether most paragraphs of a document are list items, as in a changelog. */
function consistsOfItems(lines: readonly string[]): boolean {
  const content = lines.filter((line) => /^\s*[^\s#]/.test(line));
  return content.filter((line) => ITEM.test(line)).length > MIN_ITEMS_SHARE * content.length;
}

const MIN_NAME_CHARS = 4;
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{3,}/gu;

/** Whether a request mentions a declaration of the code. */
function namesDeclaration({ units }: Document, { question, task = '' }: Focus): boolean {
  const asked = new Set(`${question}\n${task}`.match(IDENTIFIER));
  const isAsked = ({ name, children = [] }: Unit): boolean =>
    (name.length >= MIN_NAME_CHARS && asked.has(name)) || children.some(isAsked);
  return units.some(isAsked);
}

/** Returns a function that decides whether the task does not need a unit. A field is compared with the fields of all records. */
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
  const asked = new Set(unitsInAsked(document.units, isAsked));
  let strong: ReadonlySet<Unit> | undefined;
  const isUnrelated = (unit: Unit): boolean => {
    const { kind, start, end } = unit;
    if (kind === 'record') return needs().density(start, end) < MIN_RECORD_DENSITY;
    if (kind !== 'field') return needs().isUnrelated(unit, { isNamed });
    if (asked.has(unit)) return false;
    if (unit.rule === 'record-fields' || (unit.characters ?? 0) < MIN_STRONG_CHARS) return true;
    strong ??= strongFields(document, needs(), characters);
    // The strength of an object is that of its strongest field.
    return unit.children?.every(isUnrelated) ?? !strong.has(unit);
  };
  return isUnrelated;
}

/** Maximum characters of a field that a request asks for. A longer one is the body of a record, not a value. */
const MAX_ASKED_FIELD_CHARS = 300;

/** Returns the fields that a request asks for, with those inside them that are not opaque. */
function unitsInAsked(units: readonly Unit[], isAsked: (key: string) => boolean, isInside = false): Unit[] {
  return units.flatMap((unit) => {
    const isShort = (unit.characters ?? 0) <= MAX_ASKED_FIELD_CHARS;
    const isHere = isInside || (unit.kind === 'field' && isShort && isAsked(unit.name));
    const inner = unitsInAsked(unit.children ?? [], isAsked, isHere);
    const isOpaque = unit.rule === 'record-fields' && unit.start < unit.end;
    return isHere && unit.kind === 'field' && !isOpaque ? [unit, ...inner] : inner;
  });
}

/** Minimum characters of a field whose relevance is judged. Shorter ones, such as an id or a color, have too few words. */
const MIN_STRONG_CHARS = 40;

const TIME =
  /\b(?:when|dates?|since|newest|oldest|latest|recent|quand|depuis|dernière?s?|récente?s?)\b|什么时候|何时|日期|最近|最新/iu;
const TIME_KEY =
  /^(?:date|time|timestamp|created|updated|published|.{1,30}(?:_at|At|_on|Date|_date|Timestamp|_time))$/;
const ADDRESS = /\b(?:urls?|links?|liens?)\b|链接|网址/iu;
const ADDRESS_KEY = /^(?:url|link|href|(?:html|web)_?url|permalink)$/i;

/** Returns a function that decides whether a request asks for a key: by the words of the key, or because it is a time or an address. */
function askedFields(words: string): (key: string) => boolean {
  const singular = (word: string) => word.replace(/(?<=\p{L}{3})s$/u, '');
  const asked = new Set((words.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map(singular));
  const asksTime = TIME.test(words);
  const asksAddress = ADDRESS.test(words);
  return (key) => {
    if ((asksTime && TIME_KEY.test(key)) || (asksAddress && ADDRESS_KEY.test(key))) return true;
    const parts = key
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u);
    const long = parts.filter((part) => part.length >= MIN_KEY_WORD && !NEUTRAL_PARTS.has(part));
    return long.length > 0 && long.every((part) => asked.has(singular(part)));
  };
}

const MIN_KEY_WORD = 3;
/** Parts of keys that a request omits: for `userCount` it may say "users". */
const NEUTRAL_PARTS = new Set(['count', 'counts', 'number', 'num', 'total', 'value', 'name']);

/** Maximum characters of fields that are kept because of their strength: a share of the text, but at least a minimum. */
const MAX_STRONG_CHARS_SHARE = 0.11;
const MIN_STRONG_CHARS_KEPT = 6000;
const MIN_TEXT_WORDS = 4;
const MAX_LOOKED_CHARS = 400;

/** Whether a line has at least four words. Addresses, times and numbers have fewer. */
function isProse(line: string): boolean {
  const words = line.slice(0, MAX_LOOKED_CHARS).split(' ');
  return words.filter((word) => /\p{L}/u.test(word)).length >= MIN_TEXT_WORDS;
}

/** Minimum strength of a field that is kept, even if all other fields are weaker. */
const MIN_FIELD_STRENGTH = 0.03;

/** Returns the text fields to keep: all if they are short, otherwise those of the records that the task needs most. */
function strongFields({ units, bare }: Document, needs: Needs, textCharacters: number): ReadonlySet<Unit> {
  const isText = ({ start, end }: Unit) => bare.slice(start - 1, end).some(isProse);
  const fields = recordsIn(units).flatMap((record) => {
    const strength = needs.best(record.start, record.end);
    return contentFields(record)
      .filter(isText)
      .map((field) => ({ field, strength }));
  });
  fields.sort((a, b) => b.strength - a.strength || a.field.start - b.field.start);
  let characters = Math.max(MIN_STRONG_CHARS_KEPT, MAX_STRONG_CHARS_SHARE * textCharacters);
  const strong = new Set<Unit>();
  for (const { field, strength } of fields) {
    characters -= field.characters ?? 0;
    if (characters < 0 || strength < MIN_FIELD_STRENGTH) break;
    strong.add(field);
  }
  return strong;
}

function contentFields({ children = [] }: Unit): Unit[] {
  return children.flatMap((unit) => (unit.rule === 'oversized-rows' ? [unit] : contentFields(unit)));
}

/** Returns the number of rows or records in a document; without any, its number of lines. */
function rowsOf({ units, lines }: Document): number {
  const records = recordsIn(units).length || units.filter(({ rule }) => rule === 'oversized-rows').length;
  return records > 0 ? records : lines.length;
}

/** Returns units that can occur in any format: blocks that were shown before, and repeated lines. */
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
    words: askedWords(request),
    isExplicit: request.intent === 'explicit',
    sizes: request.options.sizes ?? DEFAULT_SIZES,
    disabled: new Set(request.options.disabledRules ?? []),
  });
}

/** Maximum characters of a task whose words are used. A longer one, such as an issue with a log, has words about many things. */
const MAX_TASK_CHARS = 3000;
/** Maximum characters of a task in which "all" and "each" are understood as a request. In a longer one, only questions are read. */
const MAX_ASKED_CHARS = 400;

/** Returns the words that show how much of an output the agent wants: the question, and the task or, if it is long, the questions in it. */
function askedWords({ focus: { question, task = '' } }: PruneRequest): string {
  if (task.length <= MAX_ASKED_CHARS) return `${question}\n${task}`;
  const asked = task.slice(0, MAX_TASK_CHARS).match(/[^.!?。！？\n]{1,400}[?？]/g) ?? [];
  return [question, ...asked].join('\n');
}

/** Returns the words of the question, and those of the task if it is short. */
function requestWords({ focus: { question, task = '' } }: PruneRequest): string {
  return task.length > MAX_TASK_CHARS ? question : `${question}\n${task}`;
}
