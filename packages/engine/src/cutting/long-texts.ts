/** Finds more units that are unrelated to the goal, in long code files and in documents that seem to be related almost completely. */

import { grouped } from '@secateur/base/runtime/grouped.ts';
import { asksForAll } from '../policy/policy.ts';
import { type RequestKind, requestKindOf } from '../policy/request-kind.ts';
import { partsOfNames, rareWordsIn, titlesNamedIn } from '../ranking/named-lines.ts';
import type { Needs } from '../ranking/need.ts';
import type { Document, FormatName, Unit, UnitKind } from '../reading/document.ts';
import { isFrame } from '../reading/snapshot.ts';
import type { Origin } from '../request.ts';
import { charactersIn, holdsCharacters } from './select.ts';

export interface Relatedness {
  isUnrelated(unit: Unit): boolean;
  needs(): Needs;
  readonly words: string;
  /** Question and task, even if long. */
  readonly request: string;
}

/** Returns a function that decides whether a unit is unrelated, with the rules for long texts. */
export function unrelatedInLong(
  origin: Origin | undefined,
  document: Document,
  relatedness: Relatedness,
): (unit: Unit) => boolean {
  if (document.format === 'code') return unrelatedCode(origin, document, relatedness);
  const isUnrelated = unrelatedIfAllMatch(document, relatedness);
  const answers = answeringSections(document, relatedness.request);
  const isAnswer = (unit: Unit) => answers.some(({ start, end }) => start <= unit.end && unit.start <= end);
  const isAlone = (unit: Unit) => isUnrelated(unit) && !isAnswer(unit);
  if (document.format !== 'document') return isAlone;
  const isLookedUp = LOOKED_UP.has(requestKindOf(origin ?? { kind: 'other' }));
  const pageShare = asksForAll(relatedness.words) ? MAX_SHARE_IF_COMPLETE : MAX_PAGE_SHARE;
  return unrelatedSections(document, {
    isUnrelated: isAlone,
    isAnswer,
    maxShare: isLookedUp ? pageShare : 1,
    needs: relatedness.needs,
  });
}

/** Kinds of requests that look something up. Reading a file does not, because the agent may edit the file next. */
const LOOKED_UP: ReadonlySet<RequestKind> = new Set<RequestKind>(['page', 'result']);
/** Maximum characters of a section's text that is kept or removed as a whole. */
const MAX_WHOLE_SECTION_CHARS = 4000;
/** Maximum share of a long page that remains: the sections that the question needs most. */
const MAX_PAGE_SHARE = 0.4;
/** Share that may remain if the request asks for everything of a kind. */
const MAX_SHARE_IF_COMPLETE = 0.6;

interface Sections {
  isUnrelated(unit: Unit): boolean;
  isAnswer(unit: Unit): boolean;
  /** Maximum share of a long document that may remain. */
  readonly maxShare: number;
  needs(): Needs;
}

/**
 * Returns a function that decides whether a unit of a document is unrelated. The paragraphs of a section are
 * kept or removed together, because an example says little without its explanation. If a long page was looked
 * up, its strongest sections are kept.
 */
function unrelatedSections(
  { units, bare }: Document,
  { isUnrelated, isAnswer, maxShare, needs }: Sections,
): (unit: Unit) => boolean {
  const lengthOf = (unit: Unit) => charactersIn(bare, unit);
  const texts = relatedTexts(units, isUnrelated).map((content) => {
    const isWhole = content.reduce((sum, unit) => sum + lengthOf(unit), 0) <= MAX_WHOLE_SECTION_CHARS;
    const kept = isWhole ? content : content.filter((unit) => !isUnrelated(unit));
    const best = Math.max(...kept.map(({ start, end }) => needs().best(start, end)));
    return { kept, strength: kept.some(isAnswer) ? 1 : best };
  });
  const total = charactersIn(bare, { start: 1, end: bare.length });
  let room = total > MIN_LONG_CHARS ? maxShare * total : total;
  const related = new Set<Unit>();
  for (const { kept, strength } of texts.sort((a, b) => b.strength - a.strength)) {
    room -= kept.reduce((sum, unit) => sum + lengthOf(unit), 0);
    if (room < 0 && strength < MIN_STRONGEST) break;
    for (const unit of kept) related.add(unit);
  }
  const holdsRelated = (unit: Unit): boolean =>
    related.has(unit) || (unit.children ?? []).some((child) => holdsRelated(child));
  return (unit) => !holdsRelated(unit);
}

/** Returns the text of each section that contains a related paragraph, without its subsections. */
function relatedTexts(siblings: readonly Unit[], isUnrelated: (unit: Unit) => boolean): Unit[][] {
  const text = siblings.filter(({ kind }) => kind !== 'section');
  const inner = siblings
    .filter((unit) => unit.kind === 'section' && !isUnrelated(unit))
    .flatMap(({ children = [] }) => relatedTexts(children, isUnrelated));
  return text.some((unit) => !isUnrelated(unit)) ? [text, ...inner] : inner;
}

const MAX_SENTENCES = 20;
const MAX_REQUEST_CHARS = 3000;
const MIN_SENTENCE_CHARS = 12;
/** Minimum share of the best section's rare words that a section must have to answer a sentence. */
const MIN_ANSWER_SHARE = 0.9;

/**
 * Returns the sections whose title the request mentions, and those that best answer one of its sentences. A
 * task with several parts needs several sections.
 */
function answeringSections({ format, units, bare }: Document, request: string): Unit[] {
  if (!IN_PARTS.has(format) || request.length > MAX_REQUEST_CHARS) return [];
  const sections = sectionsOf(units);
  const named = [...namedSections(bare, request, units), ...newestSection(units, request)];
  const sentences = request
    .split(/[.;:!?。；！？]\s|[。；！？\n]/)
    .filter(({ length }) => length >= MIN_SENTENCE_CHARS);
  const tests = sentences
    .slice(0, MAX_SENTENCES)
    .map((sentence) => rareWordsIn(bare, sentence, { units: sections, share: MIN_ANSWER_SHARE }));
  return [...named, ...sections.filter((section) => tests.some((answers) => answers?.(section) === true))];
}

const NEWEST =
  /\b(?:newest|latest|most recent|unreleased|last (?:release|version|entr(?:y|ies)))\b|\bdernière?s? (?:version|entrée)s?\b|最新|最近/iu;

/** Returns the first section of a series, such as a changelog, if the request asks for the newest one. */
function newestSection(units: readonly Unit[], request: string): Unit[] {
  const find = (unit: Unit): Unit[] =>
    unit.kind === 'section' && unit.head < unit.start ? [unit] : (unit.children ?? []).flatMap(find);
  return NEWEST.test(request) ? units.flatMap(find).slice(0, 1) : [];
}

/** Maximum share of the text that sections mentioned in the request have. Above it, the request means the subject of the text. */
const MAX_NAMED_SHARE = 0.75;
/** Maximum share of the text that a section has. A larger one is a chapter, of which the request may mean only a part. */
const MAX_SECTION_SHARE = 0.2;

const MIN_CHAPTER_SECTIONS = 4;

/** Whether a section consists of several others. Words of its title occur in many requests: "Build settings". */
function isChapter({ children = [] }: Unit): boolean {
  return children.filter(({ kind }) => kind === 'section').length >= MIN_CHAPTER_SECTIONS;
}

/** Returns the sections at any depth whose title the request names. A chapter counts only if its whole title is quoted. */
function namedSections(bare: readonly string[], request: string, units: readonly Unit[]): Unit[] {
  const isNamed = titlesNamedIn(request);
  const isRenamed = titlesWithPartsOf(request, units);
  const total = charactersIn(bare, { start: 1, end: bare.length });
  const said = request.toLowerCase();
  const find = (unit: Unit): Unit[] => {
    const isShort = charactersIn(bare, unit) <= MAX_SECTION_SHARE * total;
    const isMeant = isChapter(unit)
      ? said.includes(unit.name.toLowerCase())
      : isNamed(unit.name) || isRenamed(unit.name);
    if (unit.kind === 'section' && isShort && isMeant) return [unit];
    return (unit.children ?? []).flatMap(find);
  };
  const named = units.flatMap(find);
  const characters = named.reduce((sum, section) => sum + charactersIn(bare, section), 0);
  return characters <= MAX_NAMED_SHARE * total ? named : [];
}

/** Maximum number of titles that contain a word which distinguishes titles. */
const MAX_TITLES = 4;

/** Returns a function that decides whether a title has a rare part of an identifier in the request. Renamed options often share one. */
function titlesWithPartsOf(request: string, units: readonly Unit[]): (title: string) => boolean {
  const parts = partsOfNames(request);
  const titles = titlesIn(units).map(partsOfNames);
  const isRare = (part: string) => titles.filter((each) => each.has(part)).length <= MAX_TITLES;
  return (title) => [...partsOfNames(title)].some((part) => parts.has(part) && isRare(part));
}

function titlesIn(units: readonly Unit[]): string[] {
  return units.flatMap(({ kind, name, children = [] }) => [
    ...(TITLED.has(kind) ? [name] : []),
    ...titlesIn(children),
  ]);
}

const TITLED: ReadonlySet<UnitKind> = new Set<UnitKind>(['section', 'function', 'method', 'test']);

/** Returns a function that decides whether code is unrelated. A name with a rare part of an identifier in the request is related. */
function unrelatedCode(
  origin: Origin | undefined,
  document: Document,
  relatedness: Relatedness,
): (unit: Unit) => boolean {
  const isRenamed = titlesWithPartsOf(relatedness.request, document.units);
  const isUnrelated = (unit: Unit) => relatedness.isUnrelated(unit) && !isRenamed(unit.name);
  if (origin?.kind !== 'command') return isUnrelated;
  return unrelatedUntilItFits(document, { ...relatedness, isUnrelated });
}

/**
 * Maximum characters of a file in the output of a shell. Shells of clients show 30,000 characters, and omit
 * the middle of a longer output.
 */
const MAX_SHELL_CHARS = 29_000;
/** Maximum share of a file that remains. A cut that saves less than a fifth is not made. */
const MAX_LEFT_SHARE = 0.77;
/**
 * Strength below which functions are removed first. In 158 files above 30,000 characters before a fix, all
 * lines of the fix are then visible in 70 %. If the client omits the middle instead, they are in 63 %.
 */
const MAX_FOLDED_STRENGTH = 0.35;

/** Whether the shell of a client omits the middle of this code. */
export function exceedsShell(origin: Origin | undefined, { format, lines }: Document): boolean {
  const isShownByShell = format === 'code' && origin?.kind === 'command';
  return isShownByShell && holdsCharacters(lines, { start: 1, end: lines.length }, MAX_SHELL_CHARS);
}

/** Treats the weakest functions of a file as unrelated until the rest fits into the output of a shell. */
function unrelatedUntilItFits(
  { units, lines }: Document,
  { isUnrelated, needs }: Relatedness,
): (unit: Unit) => boolean {
  const bodyOf = ({ head, end }: Unit) => charactersIn(lines, { start: head + 1, end });
  const related = innermost(units).filter((unit) => !isUnrelated(unit));
  const folded = innermost(units).filter(isUnrelated);
  const total = charactersIn(lines, { start: 1, end: lines.length });
  const most = total > MAX_SHELL_CHARS ? Math.min(MAX_SHELL_CHARS, MAX_LEFT_SHARE * total) : total;
  let characters = folded.reduce((left, unit) => left - bodyOf(unit), total);
  const weakest = related
    .map((unit) => ({ unit, strength: needs().best(unit.start, unit.end) }))
    .filter(({ strength }) => strength < MAX_FOLDED_STRENGTH)
    .sort((a, b) => a.strength - b.strength || a.unit.start - b.unit.start);
  const further = new Set<Unit>();
  for (const { unit } of weakest) {
    if (characters <= most) break;
    further.add(unit);
    characters -= bodyOf(unit);
  }
  return (unit) => isUnrelated(unit) || further.has(unit);
}

/** Formats whose texts consist of sections. */
const IN_PARTS: ReadonlySet<FormatName> = new Set<FormatName>(['document', 'markup']);
const MIN_LONG_CHARS = 16_000;
/** Maximum share of a long document that seems related. Above it, the words of the request do not distinguish its parts. */
const MAX_RELATED_SHARE = 0.8;
/** Minimum strength of a line whose unit is always kept. */
const MIN_STRONGEST = 0.5;

/** Returns a function that uses the rare words of the request, if nearly all units of a long document seem related to it. */
function unrelatedIfAllMatch(
  { format, units, bare }: Document,
  { isUnrelated, needs, words }: Relatedness,
): (unit: Unit) => boolean {
  const parts = IN_PARTS.has(format) ? innermost(units) : [];
  const lengthOf = (part: Unit) => charactersIn(bare, part);
  const characters = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  if (characters < MIN_LONG_CHARS) return isUnrelated;
  const related = parts.reduce((sum, part) => sum + (isUnrelated(part) ? 0 : lengthOf(part)), 0);
  if (related < MAX_RELATED_SHARE * characters) return isUnrelated;
  const holdsRare = rareWordsIn(bare, words, { units: sectionsOf(units) });
  if (holdsRare === undefined) return isUnrelated;
  return (unit) =>
    isUnrelated(unit) || !(holdsRare(unit) || needs().best(unit.start, unit.end) >= MIN_STRONGEST);
}

function innermost(units: readonly Unit[]): Unit[] {
  return units.flatMap((unit) => {
    const inner = innermost(unit.children ?? []);
    return inner.length > 0 || unit.rule !== 'unrelated-units' ? inner : [unit];
  });
}

/** Returns the innermost sections, or paragraphs if the text has no headings. */
function sectionsOf(units: readonly Unit[]): Unit[] {
  const isSection = ({ kind }: Unit) => kind === 'section';
  return units.flatMap((unit) => {
    const inner = (unit.children ?? []).filter(isSection);
    return inner.length > 0 ? sectionsOf(inner) : [unit];
  });
}

/** The rest of this file is about lists that are the content of a page: search results, products, messages. */

/** Minimum share of a page's characters that its main content has. */
const MIN_MAIN_SHARE = 0.25;

/**
 * Returns a function that decides whether a unit of a page is unrelated. An item of a main list is unrelated
 * only if other items have the rare words of the request. If all items match alike, the agent wants to
 * compare them. `isWhole`: main lists are kept as a whole.
 */
export function unrelatedOnPage(
  { units, lines, bare }: Document,
  {
    isUnrelated,
    words,
    isWhole,
  }: { isUnrelated(unit: Unit): boolean; readonly words: string; readonly isWhole: boolean },
): (unit: Unit) => boolean {
  const least = MIN_MAIN_SHARE * charactersIn(lines, { start: 1, end: lines.length });
  const isRelated = new Map<Unit, (unit: Unit) => boolean>();
  for (const items of listsIn(units)) {
    if (items.reduce((sum, item) => sum + charactersIn(lines, item), 0) < least) continue;
    const related = (!isWhole && rareWordsIn(bare, words, { units: items })) || (() => true);
    for (const item of items) isRelated.set(item, related);
  }
  const holdsMain = ({ start, end }: Unit) =>
    [...isRelated.keys()].some((item) => start <= item.start && item.end <= end);
  return (unit) => {
    const related = isRelated.get(unit);
    return related === undefined ? !holdsMain(unit) && isUnrelated(unit) : !related(unit);
  };
}

/** Returns the items of each list outside of menus: adjacent units of the same kind that are removed with their first line. */
function listsIn(units: readonly Unit[]): Unit[][] {
  const items = units.filter(({ head, start, rule }) => head < start && rule !== undefined);
  const lists = grouped(items.map((unit) => [unit.holds ?? '', unit]));
  return [...lists.values(), ...units.flatMap((unit) => (isFrame(unit) ? [] : listsIn(unit.children ?? [])))];
}
