import { grouped } from '../../../../runtime/grouped.ts';
import type { BodyFact, BodyFactKind } from '../../../../syntax/body-facts.ts';
import type { SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words.ts';
import { blocks, inlineCode } from '../markdown.ts';
import { linkTo } from '../source-link.ts';

interface PlacedFact extends BodyFact {
  path: string;
}

/** More lines than this and nobody reads any. */
const MAX_LINES = 60;

/** Rules for callers, and what the code needs around it: checks of arguments, limits, environment, files, addresses. */
export function renderConstraints(facts: SpecFacts, words: Words): string {
  const { checked, limit, environment, file, address } = words.facts;
  const link = (fact: PlacedFact) => linkTo(facts, fact);
  return listOf(words, [
    ...factsOf(facts, 'check').map(
      (fact) => `- ${checked(subject(fact), errorOf(fact, words))} (${link(fact)})`,
    ),
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
  ]);
}

/** Errors the code raises, and when. */
export function renderEdgeCases(facts: SpecFacts, words: Words): string {
  const raised = factsOf(facts, 'raise').map(
    (fact) => `- ${words.facts.raised(subject(fact), errorOf(fact, words))} (${linkTo(facts, fact)})`,
  );
  return listOf(words, raised);
}

/** What comments, annotations and the parser itself call unfinished, old or switched off. */
export function debtRows(facts: SpecFacts, words: Words): string[][] {
  const kinds = ['deprecated', 'todo', 'suppressed'] as const;
  return kinds.flatMap((kind) =>
    factsOf(facts, kind).map((fact) => {
      const mark = kind === 'todo' ? fact.name : words.facts[kind];
      const symbol = kind === 'deprecated' ? declaredAt(facts, fact) : '';
      const said = kind === 'suppressed' ? `${fact.name} ${fact.text}` : fact.text;
      return [
        mark,
        [symbol === '' ? '' : inlineCode(symbol), harmless(said.trim())].filter(Boolean).join(' '),
        linkTo(facts, fact),
      ];
    }),
  );
}

export function harmless(text: string): string {
  return text.replace(/<!--/g, '&lt;!--').replace(/`/g, '\\`');
}

/** A deprecation stands before or inside what it speaks of. */
function declaredAt({ files }: SpecFacts, { path, startLine, owner }: PlacedFact): string {
  const skeleton = files.find((file) => file.skeleton.filePath === path)?.skeleton;
  const all = (skeleton?.exports ?? []).flatMap((each) => [
    each,
    ...(each.members ?? []).map((member) => ({ ...member, name: `${each.name}.${member.name}` })),
  ]);
  const below = all.filter((each) => each.startLine >= startLine && each.startLine - startLine <= 30);
  const around = all.filter((each) => each.startLine <= startLine && each.endLine >= startLine);
  const nearest = below.sort((one, other) => one.startLine - other.startLine)[0];
  return (nearest ?? around.at(-1))?.name ?? owner;
}

function factsOf({ bodies }: SpecFacts, kind: BodyFactKind): PlacedFact[] {
  return [...bodies].flatMap(([path, { facts }]) =>
    facts.filter((fact) => fact.kind === kind).map((fact) => ({ ...fact, path })),
  );
}

function byName(facts: readonly PlacedFact[]): [name: string, places: PlacedFact[]][] {
  const names = grouped(facts.map((fact) => [fact.name, fact]));
  return [...names].map(([name, places]) => [name, places.slice(0, 5)]);
}

function subject({ owner, path }: PlacedFact): string {
  return inlineCode(owner === '' ? (path.split('/').at(-1) ?? path) : owner);
}

/** Makers of errors that go back to the caller; their names tell nobody anything. */
const RETURNED = /^(?:errors|fmt)\.\w+$/;
const NEGATED = /^!\((.*)\)$/s;
const CLAUSE = /^(?:except|catch|rescue)\b/;

function errorOf({ name, text, when }: BodyFact, { facts }: Words): string {
  const message = text === '' || text === name ? '' : facts.message(inlineCode(text));
  const error = RETURNED.test(name) ? facts.anError : inlineCode(name);
  return `${error}${when === undefined ? '' : circumstance(when, facts)}${message}`;
}

function circumstance(when: string, facts: Words['facts']): string {
  if (CLAUSE.test(when)) return facts.inside(inlineCode(when));
  const denied = NEGATED.exec(when)?.[1];
  return denied === undefined ? facts.when(inlineCode(when)) : facts.unless(inlineCode(denied));
}

function listOf({ facts }: Words, lines: readonly string[]): string {
  const distinct = [...new Set(lines)];
  const more = distinct.length - MAX_LINES;
  return blocks(distinct.slice(0, MAX_LINES).join('\n'), more > 0 ? facts.more(more) : '');
}
