import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { BodyFact } from '../../../syntax/body-facts.ts';
import type { LocaleStrings } from '../../locales.ts';
import type { CallEdge, Declared } from '../../reading/call-graph.ts';
import { type DependencyEdge, keyOf, type SpecFacts } from '../../reading/facts.ts';
import { conditionsText, escapeMarkdown, raisedErrorText, shownName } from './fact-sections.ts';
import { isHidden, type PublicFacts } from './interface-section.ts';
import { blocks, inlineCode, linkedName, linkTo, readable } from './markdown.ts';

const MAX_FLOWS = 8;
const MAX_STEPS = 10;
const MAX_INNER_STEPS = 8;
const MIN_STEPS = 2;
/** Maximum number of flows after which short ones, with fewer than `MIN_STEPS` steps, are left out. */
const MAX_SHORT_FLOWS = 4;

/** One step of a function. `order` gives the execution order. */
type Step =
  | { kind: 'call'; edge: CallEdge; line: number; order: number; places?: number }
  | { kind: 'raise'; fact: BodyFact; path: string; line: number; order: number };

interface Page {
  facts: SpecFacts;
  /** Whether a function is a helper, which users of the module cannot call. */
  isHelper(declared: Declared): boolean;
  strings: LocaleStrings;
  steps: ReadonlyMap<string, readonly Step[]>;
  /** Keys of the functions that have already been described. */
  told: Set<string>;
}

/** Renders the most important functions as flows: numbered steps, each with its conditions and a link. */
export function renderBusinessLogic(open: PublicFacts, strings: LocaleStrings): string {
  const { facts } = open;
  const isHelper = (each: Declared) => !each.isExported || isHidden(open, each);
  const page = { facts, strings, isHelper, steps: stepsIn(facts), told: new Set<string>() };
  const flows = chosenFlows(page);
  return blocks(...flows.map((flow) => renderFlow(flow, page)));
}

/** Returns calls between files. */
export function callsBetweenFiles({ calls }: SpecFacts): DependencyEdge[] {
  const own = new Set(calls.functions.map(({ path }) => path));
  const edges = calls.edges
    .filter(({ from, to }) => from.path !== to.path && own.has(to.path))
    .map(({ from, to }) => ({ from: from.path, to: to.path }));
  return [...new Map(edges.map((edge) => [`${edge.from}\0${edge.to}`, edge])).values()];
}

function stepsIn({ calls, bodies, files }: SpecFacts): Map<string, Step[]> {
  const called = calls.edges.map((edge): [string, Step] => [
    keyOf(edge.from),
    { kind: 'call', edge, line: edge.line, order: edge.order },
  ]);
  const raised = files.flatMap(({ skeleton: { filePath: path } }) =>
    (bodies.get(path)?.facts ?? []).flatMap((fact, order): [string, Step][] =>
      fact.kind === 'raise' || fact.kind === 'check'
        ? [[keyOf({ path, name: fact.owner }), { kind: 'raise', fact, path, line: fact.startLine, order }]]
        : [],
    ),
  );
  const steps = grouped([...called, ...raised]);
  const ranges = new Map(calls.functions.map((each) => [keyOf(each), each]));
  for (const [key, own] of steps)
    steps.set(
      key,
      withoutRepeats(inBody(own, ranges.get(key)).sort((one, other) => one.order - other.order)),
    );
  return steps;
}

/**
 * Returns the steps inside the lines of a function. Steps of other overloads with the same name are removed.
 */
function inBody(steps: readonly Step[], range: Declared | undefined): Step[] {
  const isInside = ({ line }: Step) =>
    range === undefined || (range.startLine <= line && line <= range.endLine);
  return steps.filter(isInside);
}

/** Merges repeated calls of a function into one step, and removes calls that create a raised error. */
function withoutRepeats(steps: readonly Step[]): Step[] {
  const seen = new Map<string, Step>();
  const raises = steps.filter((step) => step.kind === 'raise');
  for (const step of steps) {
    const key =
      step.kind === 'call'
        ? keyOf(step.edge.to)
        : `${step.fact.name} ${step.fact.text} ${step.fact.when?.join()}`;
    const isError =
      step.kind === 'call' &&
      raises.some(({ fact }) => fact.startLine <= step.line && step.line <= fact.endLine);
    if (isError) continue;
    const known = seen.get(key);
    seen.set(
      key,
      known?.kind === 'call' && step.kind === 'call' ? calledAgain(known, step) : (known ?? step),
    );
  }
  return [...seen.values()];
}

/** Returns the conditions with which all lists begin. */
function commonHead(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = lists;
  const end = first.findIndex((condition, at) => lists.some((list) => list[at] !== condition));
  return end === -1 ? first : first.slice(0, end);
}

type CallStep = Extract<Step, { kind: 'call' }>;

/**
 * Merges two calls of one function. The result has only the conditions that both share, and counts the places
 * if neither call includes the other.
 */
function calledAgain(known: CallStep, { edge }: CallStep): CallStep {
  const [one, other] = [known.edge.when, edge.when];
  const shared = commonHead([one, other]);
  const { places, ...step } = known;
  const merged = { ...step, edge: { ...known.edge, when: shared } };
  if (shared.length === other.length) return merged;
  if (shared.length === one.length && places === undefined) return known;
  return { ...merged, places: (places ?? 1) + 1 };
}

/** Chooses the functions to show, by rank and reach. Helpers that a chosen flow shows are not chosen too. */
function chosenFlows({ facts, steps, isHelper }: Page): Declared[] {
  const weight = entryWeights(facts);
  const { calls, ranks } = facts;
  const callees = grouped(calls.edges.map(({ from, to }) => [keyOf(from), to]));
  const open = new Set(calls.functions.filter((each) => !isHelper(each)).map(keyOf));
  const scored = calls.functions
    .filter((each) => calledSteps(steps.get(keyOf(each))) > 0)
    .flatMap((each) => {
      const entry = entryOf(each, open);
      if (entry === undefined) return [];
      const isLong = (steps.get(keyOf(each))?.length ?? 0) >= MIN_STEPS && !EVERY_OBJECT.test(each.name);
      return [
        {
          each,
          isLong,
          score: ranks.of(each.path, entry) * Math.log2(2 + reach(each, callees)) * weight(each),
        },
      ];
    })
    .sort((one, other) => Number(other.isLong) - Number(one.isLong) || other.score - one.score);
  const shown = new Set<string>();
  const chosen: Declared[] = [];
  for (const { each, isLong } of scored) {
    if (chosen.length >= (isLong ? MAX_FLOWS : MAX_SHORT_FLOWS)) break;
    if (shown.has(keyOf(each))) continue;
    chosen.push(each);
    for (const helper of helpersIn(steps.get(keyOf(each)), isHelper)) shown.add(keyOf(helper));
  }
  return chosen;
}

const ENTRY = /(?:^|\/)(?:index|main|mod|lib|__init__)\.\w+$/;
const OTHERS_WEIGHT = 0.2;

/**
 * Returns a weight for functions. Exports of the entry file of a package weigh more than those that only its
 * files share.
 */
function entryWeights({ files }: SpecFacts): (each: Declared) => number {
  const entries = files.map(({ skeleton }) => skeleton).filter(({ filePath }) => ENTRY.test(filePath));
  const depth = Math.min(...entries.map(({ filePath }) => filePath.split('/').length));
  const passed = entries
    .filter(({ filePath }) => filePath.split('/').length === depth)
    .flatMap(({ exports }) => exports.filter(({ kind }) => kind === 're-export'));
  if (passed.length === 0) return () => 1;
  const names = new Set(passed.map(({ name }) => name.split('::').at(-1) ?? name));
  const whole = new Set(
    passed
      .filter(({ name }) => name === '*')
      .map(({ signature }) => stemOf(/["']([^"']+)["']/.exec(signature)?.[1])),
  );
  return ({ path, name }) => {
    const isPassed = names.has(name.split('.')[0] ?? name) || whole.has(stemOf(path)) || ENTRY.test(path);
    return isPassed ? 1 : OTHERS_WEIGHT;
  };
}

function stemOf(path = ''): string {
  return (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
}

/** Methods that every object has, which say little about the purpose of a module. */
const EVERY_OBJECT =
  /(?:^|\.)(?:toString|ToString|hashCode|GetHashCode|equals|Equals|compareTo|__(?:repr|str|eq|hash)__|inspect|to_s|fmt|clone|String)$/;

/**
 * Returns the function that users call to reach this one: itself or the function that contains it. For `main`
 * it is `main`.
 */
function entryOf({ path, name }: Declared, open: ReadonlySet<string>): string | undefined {
  if (name === 'main' || open.has(keyOf({ path, name }))) return name;
  const holder = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
  return holder !== '' && open.has(keyOf({ path, name: holder })) ? holder : undefined;
}

function helpersIn(steps: readonly Step[] | undefined, isHelper: Page['isHelper']): Declared[] {
  return (steps ?? []).flatMap((step) =>
    step.kind === 'call' && isExpanded(step.edge, isHelper) ? [step.edge.to] : [],
  );
}

function calledSteps(steps: readonly Step[] | undefined): number {
  return (steps ?? []).filter((step) => step.kind === 'call' && step.edge.kind !== 'use').length;
}

const MAX_REACH = 200;

function reach(start: Declared, callees: ReadonlyMap<string, readonly Declared[]>): number {
  const seen = new Set([keyOf(start)]);
  const waiting = [start];
  for (let next = waiting.pop(); next !== undefined && seen.size < MAX_REACH; next = waiting.pop())
    for (const to of callees.get(keyOf(next)) ?? []) {
      if (seen.has(keyOf(to))) continue;
      seen.add(keyOf(to));
      waiting.push(to);
    }
  return seen.size - 1;
}

/**
 * Whether the steps of a called function are shown inside the flow. Helpers are, public functions have flows
 * of their own.
 */
function isExpanded({ to, kind }: CallEdge, isHelper: Page['isHelper']): boolean {
  return kind !== 'use' && to.kind === 'function' && isHelper(to);
}

function renderFlow(flow: Declared, page: Page): string {
  const { facts, strings } = page;
  const head = `**${linkedName(facts, shownName(flow.name, flow.path), flow)}**${sentence(flow.doc)}`;
  const own = page.steps.get(keyOf(flow)) ?? [];
  page.told.add(keyOf(flow));
  const shown = own.slice(0, shownCount(own.length, MAX_STEPS));
  const lines = sharing(shown).flatMap((steps, at) => groupLines(steps, at + 1, page));
  const left = own.length - shown.length;
  return blocks(head, lines.join('\n'), left > 0 ? strings.facts.more(left) : '');
}

/** Returns the number of steps to show. If only one would be left out, it is shown too. */
function shownCount(count: number, most: number): number {
  return count === most + 1 ? count : most;
}

function conditionsOf(step: Step): readonly string[] {
  return step.kind === 'call' ? step.edge.when : (step.fact.when ?? []);
}

/** Groups adjacent steps that begin with the same condition. */
function sharing(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    const [condition] = conditionsOf(step);
    const isShared = condition !== undefined && last?.[0] && conditionsOf(last[0])[0] === condition;
    if (isShared) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** Renders one step as a line, or several below the conditions that they share. */
function groupLines(steps: readonly Step[], number: number, page: Page): string[] {
  const [first] = steps;
  if (first === undefined) return [];
  const shared = steps.length === 1 ? [] : commonHead(steps.map(conditionsOf));
  const own = (step: Step, indent: string) => [
    `${indent}${stepText(step, page, shared.length)}`,
    ...innerSteps(step, page).map((line) => `${' '.repeat(indent.length)}- ${line}`),
  ];
  if (shared.length === 0) return own(first, `${number}. `);
  const { stepIf } = page.strings.facts;
  const head = `${number}. ${stepIf(conditionsText(shared, page.strings)).trimEnd()}`;
  return [head, ...steps.flatMap((step) => own(step, '   - '))];
}

function innerSteps(step: Step, page: Page): string[] {
  if (step.kind !== 'call' || !isExpanded(step.edge, page.isHelper) || page.told.has(keyOf(step.edge.to)))
    return [];
  page.told.add(keyOf(step.edge.to));
  const inner = page.steps.get(keyOf(step.edge.to)) ?? [];
  const shown = inner.slice(0, shownCount(inner.length, MAX_INNER_STEPS));
  const left = inner.length - shown.length;
  return [...shown.map((each) => stepText(each, page)), ...(left > 0 ? [page.strings.facts.more(left)] : [])];
}

/** Returns the text of a step: `If x: calls a — first sentence of its comment`. */
function stepText(step: Step, { facts, strings }: Page, known = 0): string {
  const when = conditionsOf(step).slice(known);
  const condition = when.length === 0 ? '' : strings.facts.stepIf(conditionsText(when, strings));
  if (step.kind === 'raise') {
    const place = { path: step.path, startLine: step.fact.startLine, endLine: step.fact.endLine };
    return `${opened(condition, errorStep(step.fact, strings))} (${linkTo(facts, place)})`;
  }
  const { to, kind, into } = step.edge;
  const name = linkedName(facts, shownName(to.name, to.path), to);
  const said =
    kind === 'held' ? strings.facts.stepRuns(inlineCode(into ?? ''), name) : verbOf(step.edge, strings)(name);
  const places = step.places === undefined ? '' : strings.facts.places(step.places);
  return `${opened(condition, said)}${places}${sentence(to.doc)}`;
}

function errorStep(fact: BodyFact, strings: LocaleStrings): string {
  const { stepRaises, stepPassesError } = strings.facts;
  const error = raisedErrorText(fact, strings);
  return fact.passedTo === undefined ? stepRaises(error) : stepPassesError(error, inlineCode(fact.passedTo));
}

function verbOf({ kind, to, creates }: CallEdge, { facts }: LocaleStrings): (name: string) => string {
  if (kind === 'use') return facts.stepPasses;
  return creates === true || isCreation(to) ? facts.stepCreates : facts.stepCalls;
}

/** Joins condition and step. Without a condition the step begins with a capital letter. */
function opened(condition: string, step: string): string {
  return condition === '' ? step.charAt(0).toUpperCase() + step.slice(1) : condition + step;
}

const CONSTRUCTOR = /(?:^|\.)(?:constructor|__init__|initialize|__construct|init)$/;

function isCreation({ name, kind }: Declared): boolean {
  const [last, before] = name.split('.').reverse();
  return kind === 'type' || CONSTRUCTOR.test(name) || last === before;
}

function sentence(doc: string | undefined): string {
  return doc === undefined ? '' : ` — ${readable(escapeMarkdown(doc))}`;
}
