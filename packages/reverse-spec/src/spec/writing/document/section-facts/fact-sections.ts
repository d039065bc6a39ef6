import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { BodyFact, BodyFactKind } from '../../../../syntax/body-facts.ts';
import type { SpecFacts, TestMention } from '../../../reading/facts.ts';
import type { Words } from '../../../words.ts';
import { blocks, inlineCode, linesLink, linkTo, table } from '../markdown.ts';
import { conditionsText, errorText, harmless, shownName } from './fact-text.ts';

interface PlacedFact extends BodyFact {
  path: string;
}

/** A list with more lines is not read. */
const MAX_LINES = 60;

/** Rules for callers, and what the code needs around it: checks of arguments, limits, environment, files, addresses. */
export function renderConstraints(facts: SpecFacts, words: Words): string {
  const { asserted, limit, environment, file, address } = words.facts;
  const link = (fact: PlacedFact) => linkTo(facts, fact);
  const rules = mostImportant(facts, factsOf(facts, 'check', 'assert'));
  return blocks(
    listOf(words, [
      ...rules.map((fact) =>
        fact.kind === 'assert'
          ? `- ${asserted(subject(fact), inlineCode(fact.text))}${circumstance(fact, words)} (${link(fact)})`
          : errorLine(fact, facts, words),
      ),
    ]),
    listOf(words, [
      ...factsOf(facts, 'limit').map(
        (fact) => `- ${limit(inlineCode(fact.name), inlineCode(fact.text))} (${link(fact)})`,
      ),
      ...byName(factsOf(facts, 'environment')).map(
        ([name, places]) => `- ${environment(inlineCode(name))} (${places.map(link).join(words.listComma)})`,
      ),
      ...factsOf(facts, 'file').map(
        (fact) =>
          `- ${file(subject(fact), inlineCode(fact.name), fact.text === '' ? '' : inlineCode(fact.text))} (${link(fact)})`,
      ),
      ...byName(factsOf(facts, 'address')).map(
        ([name, places]) => `- ${address(inlineCode(name))} (${places.map(link).join(words.listComma)})`,
      ),
    ]),
  );
}

/** Errors the code raises, and when. */
export function renderEdgeCases(facts: SpecFacts, words: Words): string {
  const raised = mostImportant(facts, factsOf(facts, 'raise')).map((fact) => errorLine(fact, facts, words));
  return listOf(words, raised);
}

function errorLine(fact: PlacedFact, facts: SpecFacts, words: Words): string {
  const { raised, passedError } = words.facts;
  const error = errorText(fact, words);
  const said =
    fact.passedTo === undefined
      ? raised(subject(fact), error)
      : passedError(subject(fact), error, inlineCode(fact.passedTo));
  return `- ${said}${circumstance(fact, words)} (${linkTo(facts, fact)})`;
}

/** Puts the most important functions first if there are too many; keeps file order. */
function mostImportant({ ranks }: SpecFacts, all: readonly PlacedFact[]): PlacedFact[] {
  if (all.length <= MAX_LINES) return [...all];
  const rank = ({ path, owner }: PlacedFact) => ranks.of(path, owner);
  const order = new Map([...all].sort((one, other) => rank(other) - rank(one)).map((fact, at) => [fact, at]));
  const isKept = (fact: PlacedFact) => (order.get(fact) ?? 0) < MAX_LINES;
  return [...all.filter(isKept), ...all.filter((fact) => !isKept(fact))];
}

function circumstance({ when = [] }: PlacedFact, words: Words): string {
  return when.length === 0 ? '' : words.facts.when(conditionsText(when, words));
}

/** Lists what comments, annotations and the parser call unfinished, old or switched off. */
export function debtRows(facts: SpecFacts, words: Words): string[][] {
  const kinds = ['deprecated', 'todo', 'suppressed'] as const;
  return kinds.flatMap((kind) =>
    factsOf(facts, kind).map((fact) => {
      const mark = kind === 'todo' ? fact.name : words.facts[kind];
      const symbol = kind === 'deprecated' ? fact.owner : '';
      const said = kind === 'suppressed' ? `${fact.name} ${fact.text}` : fact.text;
      return [
        mark,
        [symbol === '' ? '' : inlineCode(shownName(symbol, fact.path)), harmless(said.trim())]
          .filter(Boolean)
          .join(' '),
        linkTo(facts, fact),
      ];
    }),
  );
}

function factsOf({ bodies }: SpecFacts, ...kinds: BodyFactKind[]): PlacedFact[] {
  return [...bodies].flatMap(([path, { facts }]) =>
    facts.filter((fact) => kinds.includes(fact.kind)).map((fact) => ({ ...fact, path })),
  );
}

function byName(facts: readonly PlacedFact[]): [name: string, places: PlacedFact[]][] {
  const names = grouped(facts.map((fact) => [fact.name, fact]));
  return [...names].map(([name, places]) => [name, places.slice(0, 5)]);
}

function subject({ owner, path }: PlacedFact): string {
  return inlineCode(owner === '' ? (path.split('/').at(-1) ?? path) : shownName(owner, path));
}

function listOf({ facts }: Words, lines: readonly string[]): string {
  const distinct = [...new Set(lines)];
  const more = distinct.length - MAX_LINES;
  return blocks(distinct.slice(0, MAX_LINES).join('\n'), more > 0 ? facts.more(more) : '');
}

const SHOWN = 3;
const MAX_UNTESTED = 40;

/** Lists which tests call which export or method, and exports that no test calls. */
export function renderTestCoverage(facts: SpecFacts, words: Words): string {
  const { tests } = facts;
  if (tests.length === 0) return '';
  const called = tests.filter((mention) => mention.tests.length > 0);
  const rows = called.map((mention, at) => [
    inlineCode(symbolText(mention)),
    called[at - 1]?.filePath === mention.filePath ? '' : inlineCode(mention.filePath),
    placesText(mention.tests, facts, words),
  ]);
  const { columns } = words;
  return blocks(
    words.testedExports(called.length, tests.length),
    table([columns.export, columns.file, columns.tests], rows),
    untestedText(tests, words),
  );
}

/** Ruby writes `Type#method`, Rust, PHP and C++ `Type::method`. */
function symbolText({ symbolName, filePath }: TestMention): string {
  return shownName(symbolName, filePath);
}

/** A name that some test calls on an object of unknown type may be this one. */
function isUntested({ tests, isNamed }: TestMention): boolean {
  return tests.length === 0 && isNamed !== true;
}

function untestedText(tests: readonly TestMention[], { untested, listComma, facts }: Words): string {
  const names = [...new Set(tests.filter(isUntested).map(symbolText))];
  if (names.length === 0) return '';
  const shown = names.slice(0, MAX_UNTESTED).map(inlineCode).join(listComma);
  const more = names.length - MAX_UNTESTED;
  return untested(shown) + (more > 0 ? ` ${facts.more(more)}` : '');
}

/** `test/a.test.ts#L3, L9`: a file is named once. */
function placesText(
  places: TestMention['tests'],
  facts: SpecFacts,
  { listComma, andMorePlaces }: Words,
): string {
  const shown = places.slice(0, SHOWN).map(({ path, line }, at) => {
    const place = { path, startLine: line, endLine: line };
    return places[at - 1]?.path === path ? linesLink(facts, place) : linkTo(facts, place);
  });
  const text = shown.join(listComma);
  return places.length > SHOWN ? andMorePlaces(text, places.length) : text;
}
