import { detectLanguage } from '@secateur/base/languages/languages.ts';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { BodyFact, BodyFactKind } from '../../../syntax/body-facts.ts';
import {
  deniedIn,
  FUNCTION_ENDS,
  KEPT_IN,
  NOTHING_RETURNED,
  ON_EVENT,
  PASSED_TO,
  RETURNED_RUNS,
} from '../../../syntax/run-conditions.ts';
import type { LocaleStrings } from '../../locales.ts';
import { isConstructor } from '../../reading/call-graph/declared-file.ts';
import type { Declared } from '../../reading/call-graph.ts';
import { keyOf, type SpecFacts, type TestMention } from '../../reading/facts.ts';
import {
  blocks,
  escapeComments,
  inlineCode,
  linesLink,
  linkTo,
  markdownTable,
  readable,
} from './markdown.ts';

interface PlacedFact extends BodyFact {
  path: string;
  isOfClass: boolean;
}

/** Maximum number of lines in a list. Readers skip longer lists. */
const MAX_LINES = 60;

/** Renders what a caller or the environment must provide: valid arguments, limits, environment variables, files and addresses. */
export function renderConstraints(facts: SpecFacts, strings: LocaleStrings, isOpen = isExported): string {
  const { limit, environment, file, address } = strings.facts;
  const link = (fact: PlacedFact) => linkTo(facts, fact);
  const checks = mostImportant(facts, factsOf(facts, 'check', 'assert'), isOpen);
  const rules = ruleLines(checks, facts, strings);
  const places = (found: readonly PlacedFact[]) => found.map(link).join(strings.listComma);
  return blocks(
    listOf(strings, rules),
    listOf(strings, [
      ...factsOf(facts, 'limit').map(
        (fact) => `- ${limit(inlineCode(fact.name), inlineCode(fact.text))} (${link(fact)})`,
      ),
      ...byName(factsOf(facts, 'environment')).map(
        ([name, found]) => `- ${environment(inlineCode(name))} (${places(found)})`,
      ),
      ...factsOf(facts, 'file').map(
        (fact) =>
          `- ${file(subject(fact), inlineCode(fact.name), fact.text === '' ? '' : inlineCode(fact.text))} (${link(fact)})`,
      ),
      ...byName(factsOf(facts, 'address')).map(
        ([name, found]) => `- ${address(inlineCode(name))} (${places(found)})`,
      ),
    ]),
  );
}

/** Renders the errors that the code raises, with their conditions. */
export function renderEdgeCases(facts: SpecFacts, strings: LocaleStrings, isOpen = isExported): string {
  return listOf(strings, ruleLines(mostImportant(facts, factsOf(facts, 'raise'), isOpen), facts, strings));
}

function isExported(declared: Declared): boolean {
  return declared.isExported;
}

/** Returns a line for each check or error, with its conditions and links. Overloads with the same rule share a line. */
function ruleLines(found: readonly PlacedFact[], facts: SpecFacts, strings: LocaleStrings): string[] {
  const lines = found.map((fact) => {
    const when = fact.when === undefined ? '' : strings.facts.when(conditionsText(fact.when, strings));
    return [`${fact.path} ${ruleText(fact, strings)}${when}`, fact] as const;
  });
  return [...grouped(lines)].map(([text, [first, ...others]]) => {
    const words = text.slice((first?.path.length ?? 0) + 1);
    const places = [first, ...others].flatMap((each) => each ?? []);
    const links =
      first === undefined || others.length > 0
        ? placesText(
            places.map(({ path, startLine: line }) => ({ path, line })),
            facts,
            strings,
          )
        : linkTo(facts, first);
    return `- ${words} (${links})`;
  });
}

function ruleText(fact: PlacedFact, strings: LocaleStrings): string {
  const { asserted, raised, passedError } = strings.facts;
  if (fact.kind === 'assert') return asserted(subject(fact), inlineCode(fact.text));
  const error = raisedErrorText(fact, strings);
  return fact.passedTo === undefined
    ? raised(subject(fact), error)
    : passedError(subject(fact), error, inlineCode(fact.passedTo));
}

/**
 * If there are too many facts, moves those of the most important functions to the front. Functions that users
 * can call come first. The order within both groups stays.
 */
function mostImportant(
  { ranks, calls }: SpecFacts,
  all: readonly PlacedFact[],
  isOpen: (declared: Declared) => boolean,
): PlacedFact[] {
  if (all.length <= MAX_LINES) return [...all];
  const open = new Set(calls.functions.filter(isOpen).map(keyOf));
  const rank = ({ path, owner }: PlacedFact) =>
    ranks.of(path, owner) + (open.has(keyOf({ path, name: owner })) ? 1 : 0);
  const order = new Map([...all].sort((one, other) => rank(other) - rank(one)).map((fact, at) => [fact, at]));
  const isKept = (fact: PlacedFact) => (order.get(fact) ?? 0) < MAX_LINES;
  return [...all.filter(isKept), ...all.filter((fact) => !isKept(fact))];
}

/** Lists deprecations, comments such as TODO, and suppressed checks. A check that is often suppressed has one row. */
export function debtRows(facts: SpecFacts, strings: LocaleStrings): string[][] {
  const kinds = ['deprecated', 'todo'] as const;
  const rows = kinds.flatMap((kind) =>
    factsOf(facts, kind).map((fact) => {
      const mark = kind === 'todo' ? fact.name : strings.facts[kind];
      const symbol = kind === 'deprecated' ? subject(fact) : '';
      return [
        mark,
        `${fact.owner === '' ? '' : symbol} ${escapeMarkdown(kind === 'deprecated' ? readable(fact.text) : fact.text)}`.trim(),
        linkTo(facts, fact),
      ];
    }),
  );
  const suppressed = factsOf(facts, 'suppressed').map(
    ({ name, text, path, startLine }) => [`${name} ${text}`.trim(), { path, line: startLine }] as const,
  );
  const unread = facts.files.flatMap(({ skeleton: { filePath: path, parseErrors = [] } }) =>
    parseErrors.map(({ line, message }) => [message, { path, line }] as const),
  );
  const rowsOf = (mark: string, said: readonly (readonly [text: string, Place])[]) =>
    [...grouped(said)].map(([text, places]) => [
      mark,
      escapeMarkdown(text),
      placesText(places, facts, strings),
    ]);
  return [...rows, ...rowsOf(strings.facts.suppressed, suppressed), ...rowsOf(strings.syntaxError, unread)];
}

type Place = TestMention['tests'][number];

function factsOf({ bodies }: SpecFacts, ...kinds: BodyFactKind[]): PlacedFact[] {
  return [...bodies].flatMap(([path, { facts, functions }]) => {
    const ofClass = new Set(functions.flatMap(({ name, isOfClass }) => (isOfClass ? [name] : [])));
    return facts
      .filter((fact) => kinds.includes(fact.kind))
      .map((fact) => ({ path, isOfClass: ofClass.has(fact.owner), ...fact }));
  });
}

function byName(facts: readonly PlacedFact[]): [name: string, places: PlacedFact[]][] {
  const names = grouped(facts.map((fact) => [fact.name, fact]));
  return [...names].map(([name, places]) => [name, places.slice(0, 5)]);
}

function subject({ owner, path, isOfClass }: PlacedFact): string {
  return inlineCode(owner === '' ? (path.split('/').at(-1) ?? path) : shownName(owner, path, isOfClass));
}

function listOf({ facts }: LocaleStrings, lines: readonly string[]): string {
  const distinct = [...new Set(lines)];
  const more = distinct.length - MAX_LINES;
  return blocks(distinct.slice(0, MAX_LINES).join('\n'), more > 0 ? facts.more(more) : '');
}

const SHOWN = 3;
const MAX_UNTESTED = 40;

/** Lists the tests of each export and method, and the exports without a test. */
export function renderTestCoverage(facts: SpecFacts, strings: LocaleStrings): string {
  const { tests } = facts;
  if (tests.length === 0) return '';
  const called = tests.filter((mention) => mention.tests.length > 0);
  const rows = called.map((mention, at) => [
    inlineCode(shownSymbol(mention, facts)),
    called[at - 1]?.filePath === mention.filePath ? '' : inlineCode(mention.filePath),
    placesText(mention.tests, facts, strings),
  ]);
  const { columns } = strings;
  return blocks(
    strings.testedExports(called.length, tests.length),
    markdownTable([columns.export, columns.file, columns.tests], rows),
    untestedText(facts, strings),
  );
}

function ownerOf(symbol: string): string {
  return symbol.slice(0, Math.max(symbol.lastIndexOf('.'), 0)).replace(/<.*$/s, '');
}

function untestedText(all: SpecFacts, { untested, listComma, facts }: LocaleStrings): string {
  // A test of a member counts for its type.
  const owners = new Set(
    all.tests.flatMap(({ symbolName, tests }) => (tests.length === 0 ? [] : [ownerOf(symbolName)])),
  );
  const uncalled = all.tests.filter(
    ({ symbolName, tests, isNamed }) => tests.length === 0 && isNamed !== true && !owners.has(symbolName),
  );
  const names = [...new Set(uncalled.map((mention) => shownSymbol(mention, all)))];
  if (names.length === 0) return '';
  const shown = names.slice(0, MAX_UNTESTED).map(inlineCode).join(listComma);
  const more = names.length - MAX_UNTESTED;
  return untested(shown) + (more > 0 ? ` ${facts.more(more)}` : '');
}

/** Returns links to places, with each file named once: `test/a.test.ts#L3, L9`. */
function placesText(
  places: TestMention['tests'],
  facts: SpecFacts,
  { listComma, andMorePlaces }: LocaleStrings,
): string {
  const shown = places.slice(0, SHOWN).map(({ path, line }, at) => {
    const place = { path, startLine: line, endLine: line };
    return places[at - 1]?.path === path ? linesLink(facts, place) : linkTo(facts, place);
  });
  const text = shown.join(listComma);
  return places.length > SHOWN ? andMorePlaces(text, places.length) : text;
}

/** The functions below write facts as text. All sections use them. */

/** Escapes text so that comment openers do not hide what follows, and single backticks do not begin code. */
export function escapeMarkdown(text: string): string {
  const shown = escapeComments(text);
  const ticks = shown.match(/`/g)?.length ?? 0;
  return ticks % 2 === 0 ? shown : shown.replace(/`/g, '\\`');
}

/** Functions that create the error a function returns. Readers do not need their names. */
const RETURNED = /^(?:errors|fmt)\.\w+$|^(?:format|anyhow)!?$/;
/** Error codes, which are constants and are raised without a message. */
const CODE = /^[A-Z][A-Z0-9_]+$/;

/** Renders an error with its message. */
export function raisedErrorText({ name, text }: BodyFact, { facts }: LocaleStrings): string {
  const isMessage = text !== '' && text !== name && !(CODE.test(name) && !text.includes(' '));
  const error = RETURNED.test(name) ? facts.anError : inlineCode(name);
  return `${error}${isMessage ? facts.message(inlineCode(text)) : ''}`;
}

const CLAUSE = /^(?:except|catch|rescue)\b/;

/** Returns all conditions as one text, the outermost first: `a` and not `b`. */
export function conditionsText(when: readonly string[], { facts }: Pick<LocaleStrings, 'facts'>): string {
  const parts = withoutImplied(when).map((each) => {
    const runs = runText(each, facts);
    if (runs !== undefined) return runs;
    if (CLAUSE.test(each)) return facts.inside(inlineCode(each));
    const denied = deniedIn(each);
    if (denied === undefined) return caseText(each, facts);
    const opposite = oppositeOf(denied);
    return opposite === undefined ? facts.not(caseText(denied, facts)) : inlineCode(opposite);
  });
  return [...new Set(parts)].join(facts.and);
}

const COMPARED_WITH = /^([\w$.[\]]+) ===? (?:["'][^"']*["']|\d+)$/;

/** Removes a negation that another condition implies: `!(a === 1)` if `a === 2` holds, as in a long `else if`. */
function withoutImplied(when: readonly string[]): readonly string[] {
  const known = new Set(when.map((each) => COMPARED_WITH.exec(each)?.[1]));
  return when.filter((each) => {
    const other = COMPARED_WITH.exec(deniedIn(each) ?? '')?.[1];
    return other === undefined || !known.has(other);
  });
}

/** Returns the text of a condition from `run-conditions.ts`; undefined for conditions in the source. */
function runText(condition: string, facts: LocaleStrings['facts']): string | undefined {
  if (condition === RETURNED_RUNS) return facts.returnedRuns;
  if (condition === FUNCTION_ENDS) return facts.functionEnds;
  if (condition === NOTHING_RETURNED) return facts.nothingReturned;
  if (condition.startsWith(KEPT_IN)) return facts.keptIn(inlineCode(condition.slice(KEPT_IN.length)));
  if (condition.startsWith(PASSED_TO)) return facts.passedTo(inlineCode(condition.slice(PASSED_TO.length)));
  const [, event, emitter] = /^event (.*?) of (.*)$/s.exec(condition) ?? [];
  if (event === undefined || emitter === undefined || !condition.startsWith(ON_EVENT)) return undefined;
  return facts.onEvent(inlineCode(event), inlineCode(emitter));
}

const OPPOSITES: Readonly<Record<string, string>> = { '==': '!=', '!=': '==', '===': '!==', '!==': '===' };

/** Returns the opposite of a comparison or negation, such as `false === x` for `false !== x`. Undefined for other conditions. */
function oppositeOf(condition: string): string | undefined {
  const [, denied] = /^(?:!|not )\s*([\w.$]+(?:\([\w.$, ]*\))?)$/.exec(condition) ?? [];
  if (denied !== undefined) return denied;
  if (/[&|?,(){}[\]]|\b(?:and|or|not)\b|^switch /.test(condition)) return undefined;
  const words = condition.split(' ');
  const [at, another] = words.flatMap((word, index) => (word in OPPOSITES ? [index] : []));
  if (at === undefined || another !== undefined) return undefined;
  return words.map((word, index) => (index === at ? (OPPOSITES[word] ?? word) : word)).join(' ');
}

/** Returns the text of a case: that `mode` is `'a'` for `switch (mode) case 'a'`. */
function caseText(condition: string, facts: LocaleStrings['facts']): string {
  if (!condition.startsWith('switch (')) return inlineCode(condition);
  const at = condition.indexOf(') case ');
  if (at !== -1)
    return facts.isCase(
      inlineCode(condition.slice('switch ('.length, at)),
      // In Kotlin the label of a case may begin with `is`.
      inlineCode(condition.slice(at + ') case '.length).replace(/^is (?=\p{Lu})/u, '')),
    );
  const subject = condition.endsWith(') default')
    ? condition.slice('switch ('.length, -') default'.length)
    : '';
  if (subject === 'true') return facts.noCase;
  return subject === '' ? inlineCode(condition) : facts.isNoCase(inlineCode(subject));
}

/** Returns the name of a function as readers know it. A constructor has the name of its type. Parts are separated as in the language. */
export function shownName(name: string, path: string, isOfClass = false): string {
  // A CommonJS module that is a function has no other name.
  if (name === 'exports' && /\.[cm]?[jt]sx?$/.test(path)) {
    const parts = path.split('/');
    return parts.slice(/^index\./.test(parts.at(-1) ?? '') ? -2 : -1).join('/');
  }
  const shown = isConstructor({ name, path }) ? name.slice(0, name.lastIndexOf('.')) : name;
  const language = detectLanguage({ path }) ?? '';
  if (language === 'ruby') return rubyName(shown, isOfClass);
  return WITH_COLONS.has(language) ? shown.replaceAll('.', '::') : shown;
}

/** Returns the name of an export as readers know it. In C#, `Box.Box` may be a type in a namespace instead of a constructor. */
export function shownSymbol({ symbolName, filePath }: TestMention, { files }: SpecFacts): string {
  const own = files.find(({ skeleton }) => skeleton.filePath === filePath)?.skeleton.exports ?? [];
  const isType = own.some(({ name }) => name === symbolName) && filePath.endsWith('.cs');
  return isType ? symbolName : shownName(symbolName, filePath);
}

const WITH_COLONS: ReadonlySet<string> = new Set(['rust', 'php', 'cpp']);

/** Returns a name in Ruby notation: `Rack::Test::Session#request` for an instance method, `Rack::Test.new` for a class method. */
function rubyName(name: string, isOfClass: boolean): string {
  const [, holder = '', isOwn, member = name] = /^(.*?)\.(self\.)?([^.]+)$/.exec(name) ?? [];
  const mark = isOwn === undefined && !isOfClass ? '#' : '.';
  return holder === '' || /^\p{Lu}/u.test(member)
    ? name.replaceAll('.', '::')
    : `${holder.replaceAll('.', '::')}${mark}${member}`;
}
