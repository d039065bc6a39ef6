import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { BodyFact } from '../../../syntax/body-facts.ts';
import type { LocaleStrings } from '../../locales.ts';
import { isConstructor } from '../../reading/call-graph/declared-file.ts';
import type { CallEdge, Declared, HeldCall } from '../../reading/call-graph.ts';
import { type DependencyEdge, type FileFacts, keyOf, type SpecFacts } from '../../reading/facts.ts';
import { conditionsText, escapeMarkdown, raisedErrorText, shownName } from './fact-sections.ts';
import { isHidden, type PublicFacts } from './interface-section.ts';
import { blocks, inlineCode, linkedName, linkTo, readable } from './markdown.ts';
import {
  commonHead,
  conditionsOf,
  deprecatedIn,
  describedOverload,
  entryWeights,
  implementationsIn,
  isExit,
  MAX_STEPS,
  reach,
  type Step,
  stepsIn,
  subjectOf,
  usesInTests,
} from './steps.ts';

const MAX_FLOWS = 8;
/** Maximum number of methods that are named as implementations of an interface method. */
const MAX_NAMED = 4;
const MAX_INNER_STEPS = 8;
const MIN_STEPS = 2;
/** Value of `Page.most` in a document with many flows. With few flows it is `MAX_INNER_STEPS`. */
const MAX_STEPS_WITH_MORE = 3;
/** Maximum number of flows to which short ones are added. A short flow has fewer than `MIN_STEPS` steps. */
const MAX_SHORT_FLOWS = 4;

interface Page {
  facts: SpecFacts;
  /** Whether a function has no flow of its own. The flows that call it then show its steps. */
  isHelper(declared: Declared): boolean;
  strings: LocaleStrings;
  steps: ReadonlyMap<string, readonly Step[]>;
  /** Maximum number of steps of a helper for the steps of its own helpers to be shown. */
  most: number;
  /** Keys of the functions that have already been described. */
  told: Set<string>;
  /** Keys of the functions whose comments the current flow has already shown. */
  said: Set<string>;
  /** Methods that implement a method of an interface, by its key. */
  implementations: ReturnType<typeof implementationsIn>;
}

/** Renders the most important functions as flows: numbered steps, each with its conditions and a link. */
export function renderBusinessLogic(open: PublicFacts, strings: LocaleStrings): string {
  const { facts } = open;
  const inherited = new Set(facts.files.flatMap(protectedMembers));
  const isHelper = (each: Declared) =>
    !each.isExported || isHidden(open, each) || inherited.has(`${each.path} ${each.startLine}`);
  const told = new Set<string>();
  const found = { steps: stepsIn(facts), implementations: implementationsIn(facts) };
  const page: Page = { facts, strings, isHelper, ...found, told, said: new Set(), most: 0 };
  const flows = chosenFlows(page);
  const chosen = new Set(flows.map(keyOf));
  const most = flows.length <= MAX_SHORT_FLOWS ? MAX_INNER_STEPS : MAX_STEPS_WITH_MORE;
  const shown = { ...page, most, isHelper: (each: Declared) => isHelper(each) || !chosen.has(keyOf(each)) };
  return blocks(...flows.map((flow) => renderFlow(flow, shown)));
}

/** Returns the places of protected members, which only subclasses can call. */
function protectedMembers({ skeleton: { filePath, exports } }: FileFacts): string[] {
  return exports
    .flatMap(({ members = [] }) => members)
    .filter(({ signature }) => /^[^(]*\bprotected\b(?! internal)/.test(signature))
    .map(({ startLine }) => `${filePath} ${startLine}`);
}

export function callsBetweenFiles({ calls }: SpecFacts): DependencyEdge[] {
  const own = new Set(calls.functions.map(({ path }) => path));
  const edges = calls.edges
    .filter(({ from, to }) => from.path !== to.path && own.has(to.path))
    .map(({ from, to }) => ({ from: from.path, to: to.path }));
  return [...new Map(edges.map((edge) => [`${edge.from}\0${edge.to}`, edge])).values()];
}

/**
 * Chooses the functions to show as flows: first public functions that many tests use and that reach many
 * functions. Omits functions that a chosen flow already shows.
 */
function chosenFlows({ facts, steps, isHelper }: Page): Declared[] {
  const weight = entryWeights(facts);
  const uses = usesInTests(facts);
  const { calls } = facts;
  const callees = grouped(calls.edges.map(({ from, to }) => [keyOf(from), to]));
  const open = new Set(calls.functions.filter((each) => !isHelper(each)).map(keyOf));
  const usesOf = ({ path, name }: Declared) => uses(path, name);
  const isLeading = ({ from, to }: CallEdge) => open.has(keyOf(from)) && usesOf(from) >= usesOf(to);
  const called = new Set(calls.edges.filter(isLeading).map(({ to }) => keyOf(to)));
  const old = deprecatedIn(facts);
  const scored = calls.functions
    .filter((each) => calledSteps(steps.get(keyOf(each))) > 0)
    .flatMap((each) => {
      const entry = entryOf(each, open);
      if (entry === undefined) return [];
      const isLong =
        callsAndErrors(steps.get(keyOf(lastOf(chainFrom(each, steps))))).length >= MIN_STEPS &&
        !EVERY_OBJECT.test(each.name);
      const use = 1 + Math.log2(1 + Math.max(uses(each.path, each.name), uses(each.path, entry)));
      const share = (called.has(keyOf(each)) ? CALLED_WEIGHT : 1) * (old.has(keyOf(each)) ? OLD_WEIGHT : 1);
      const score = use * Math.log2(2 + reach(each, callees)) * weight(each) * share;
      return [{ each, isLong, score }];
    })
    .sort((one, other) => Number(other.isLong) - Number(one.isLong) || other.score - one.score);
  return withoutTold(scored, { steps, isHelper });
}

/** Weight of deprecated functions. */
const OLD_WEIGHT = 0.3;

/** Returns the best functions, except functions that an earlier flow already shows. */
function withoutTold(
  scored: readonly { each: Declared; isLong: boolean }[],
  { steps, isHelper }: Pick<Page, 'steps' | 'isHelper'>,
): Declared[] {
  const shown = new Set<string>();
  // `addInt8` and `addInt16` are of one kind, as are methods of one type with the same steps.
  const kinds = new Set<string>();
  const kindsOf = (each: Declared) => {
    const { path, name } = each;
    const last = lastOf(chainFrom(each, steps));
    const own = callsAndErrors(steps.get(keyOf(last)));
    const same = own.length < MIN_STEPS ? [] : [`${last.owner} ${own.map(subjectOf).join(' ')}`];
    return [keyOf({ path, name: name.replace(/(?<!\d)\d{1,4}$/, '') }), ...same];
  };
  const others: ReadonlySet<string>[] = [];
  const subjectsOf = (each: Declared) => callsAndErrors(steps.get(keyOf(each))).map(subjectOf);
  // Functions that differ in one step are alike, such as `openAt` and `openWith`.
  const isLikeOther = (own: readonly string[]) =>
    own.length > MIN_STEPS &&
    others.some((other) => own.filter((subject) => !other.has(subject)).length <= 1);
  const isTold = (each: Declared) =>
    chainFrom(each, steps).some((subject) => shown.has(keyOf(subject))) ||
    kindsOf(each).some((kind) => kinds.has(kind)) ||
    isLikeOther(subjectsOf(each));
  const chosen: Declared[] = [];
  for (const { each, isLong } of scored) {
    if (chosen.length >= (isLong ? MAX_FLOWS : MAX_SHORT_FLOWS)) break;
    if (isTold(each)) continue;
    chosen.push(each);
    others.push(new Set(subjectsOf(each)));
    for (const kind of kindsOf(each)) kinds.add(kind);
    const chain = chainFrom(each, steps);
    const helpers = helpersIn(steps.get(keyOf(lastOf(chain))), isHelper);
    for (const told of [...chain, ...helpers]) shown.add(keyOf(told));
  }
  return chosen;
}

/** Maximum number of wrappers in a chain. A wrapper only calls the next function. */
const MAX_WRAPPERS = 4;

/** Returns a function, followed by the function that it only wraps, if it does, and so on. */
function chainFrom(each: Declared, steps: Page['steps']): [Declared, ...Declared[]] {
  const chain: [Declared, ...Declared[]] = [each];
  for (let at = each; chain.length <= MAX_WRAPPERS; ) {
    const [only, another] = callsAndErrors(steps.get(keyOf(at)));
    if (only?.kind !== 'call' || only.edge.kind === 'use' || another !== undefined) break;
    at = only.edge.to;
    chain.push(at);
  }
  return chain;
}

function callsAndErrors(steps: readonly Step[] = []): readonly Step[] {
  return steps.filter((step) => !isExit(step));
}

function lastOf(chain: readonly [Declared, ...Declared[]]): Declared {
  return chain.at(-1) ?? chain[0];
}

/** Weight of a function that a public function with as many uses calls. It is low, because the flow of the caller leads there. */
const CALLED_WEIGHT = 0.6;

/** Methods that every object has. Their flows come last, because they say little about the purpose of a module. */
const EVERY_OBJECT =
  /(?:^|\.)(?:toString|ToString|hashCode|GetHashCode|equals|Equals|compareTo|__(?:repr|str|eq|hash)__|inspect|to_s|fmt|clone|String)$/;

/**
 * Returns the public function through which users reach a function: the function itself, or the one that
 * contains it. `main` is always reached.
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
  return (steps ?? []).filter(
    (step) => step.kind === 'held' || (step.kind === 'call' && step.edge.kind !== 'use'),
  ).length;
}

/** Whether the steps of a called function are shown inside the flow. */
function isExpanded(edge: CallEdge, isHelper: Page['isHelper']): boolean {
  const { to, kind } = edge;
  // A function that is passed as a value is expanded only if the function that passes it declares it.
  const isInner = to.path === edge.from.path && to.owner === edge.from.name && edge.from.kind === 'function';
  return (kind !== 'use' || isInner) && to.kind === 'function' && isHelper(to);
}

function renderFlow(flow: Declared, document: Page): string {
  const page = { ...document, said: new Set<string>() };
  const { facts, strings } = page;
  const own = page.steps.get(keyOf(flow)) ?? [];
  const described = describedOverload(flow, own, facts.bodies);
  const head = `**${linkedDeclared(facts, described)}**${sentence(described.doc)}`;
  page.told.add(keyOf(flow));
  const shown = own.slice(0, shownCount(own.length, MAX_STEPS));
  const lines = sharing(shown, 0).flatMap((steps, at) => {
    const [first = '', ...below] = groupLines(steps, page);
    return [`${at + 1}. ${first}`, ...below.map((line) => `   ${line}`)];
  });
  const left = own.length - shown.length;
  return blocks(head, lines.join('\n'), left > 0 ? strings.facts.more(left) : '');
}

/** Returns the number of steps to show. One more is shown than `most` if it is the last. */
function shownCount(count: number, most: number): number {
  return count === most + 1 ? count : most;
}

/** Groups adjacent steps that have the same first condition. */
function sharing(steps: readonly Step[], known: number): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    const condition = conditionsOf(step)[known];
    const isShared = condition !== undefined && last?.[0] && conditionsOf(last[0])[known] === condition;
    if (isShared) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** Position of steps in a flow. `known`: number of their conditions that the lines above state. */
interface Level {
  known: number;
  /** Number of functions between the flow and the function with these steps. */
  depth: number;
}

/** Renders a single step, or several steps below their common conditions. All lines after the first are list items. */
function groupLines(steps: readonly Step[], page: Page, { known, depth }: Level = TOP): string[] {
  const [first, another] = steps;
  if (first === undefined) return [];
  if (another === undefined)
    return [stepText(first, page, known), ...innerSteps(first, page, depth).flatMap(asItem)];
  const shared = commonHead(steps.map(conditionsOf));
  const when = conditionsText(shared.slice(known), page.strings);
  const level = { known: shared.length, depth };
  const below = sharing(steps, level.known).flatMap((group) => asItem(groupLines(group, page, level)));
  return [page.strings.facts.stepIf(when).trimEnd(), ...below];
}

const TOP: Level = { known: 0, depth: 0 };
/** Maximum depth at which the steps of helpers with few steps are shown. */
const MAX_DEPTH = 2;
/** Depth at which the steps of helpers are not shown. */
const NO_HELPERS = Number.POSITIVE_INFINITY;

/** Makes a list item of the first line. The other lines become its nested list items. */
function asItem([first = '', ...below]: readonly string[]): string[] {
  return [`- ${first}`, ...below.map((line) => `  ${line}`)];
}

/** Returns the steps of the helper that a step calls, each with the lines below it. */
function innerSteps(step: Step, page: Page, depth: number): string[][] {
  const isTold = step.kind !== 'call' || page.told.has(keyOf(step.edge.to));
  if (isTold || depth === NO_HELPERS || !isExpanded(step.edge, page.isHelper)) return [];
  page.told.add(keyOf(step.edge.to));
  const { from, to: called } = step.edge;
  const [only, another] = page.implementations.get(keyOf(called)) ?? [];
  const to = only === undefined || another !== undefined ? called : only;
  const inner = page.steps.get(keyOf(to)) ?? [];
  // If the caller does nothing else, the steps of this function are the steps of the caller.
  const most = callsAndErrors(page.steps.get(keyOf(from))).length === 1 ? MAX_STEPS : MAX_INNER_STEPS;
  const shown = inner.slice(0, shownCount(inner.length, most));
  const left = inner.length - shown.length;
  // A helper with one step, or with few, shows little by itself, so the steps of its own helpers are added.
  const hasMore = inner.length === 1 || (depth < MAX_DEPTH && inner.length <= page.most);
  const level = { known: 0, depth: hasMore ? depth + 1 : NO_HELPERS };
  return [
    ...sharing(shown, 0).map((steps) => groupLines(steps, page, level)),
    ...(left > 0 ? [[page.strings.facts.more(left)]] : []),
  ];
}

/** Returns the text of a step: `If x: calls a — first sentence of its comment`. */
function stepText(step: Step, { facts, strings, said, implementations }: Page, shared = 0): string {
  const when = conditionsOf(step).slice(shared);
  const condition = when.length === 0 ? '' : strings.facts.stepIf(conditionsText(when, strings));
  if (step.kind === 'raise') {
    const place = { path: step.path, startLine: step.fact.startLine, endLine: step.fact.endLine };
    return `${opened(condition, errorStep(step.fact, strings))} (${linkTo(facts, place)})`;
  }
  const { edge, places = 0 } = step;
  const page = { facts, strings };
  const call = step.kind === 'held' ? heldText(step.edge, page) : callText(step.edge, page);
  const counted = places === 0 ? call : `${call}${strings.facts.places(places)}`;
  const whole = edge.ends === undefined ? counted : strings.facts.stepReturns(counted);
  const isNew = step.kind === 'call' && !said.has(keyOf(step.edge.to));
  const others = isNew ? (implementations.get(keyOf(step.edge.to)) ?? []) : [];
  const names = others
    .slice(0, MAX_NAMED)
    .map((each) => linkedDeclared(facts, each))
    .join(strings.listComma);
  const all = others.length > MAX_NAMED ? strings.andMorePlaces(names, others.length) : names;
  const by = all === '' ? '' : strings.facts.implementedBy(all);
  if (step.kind === 'call') said.add(keyOf(step.edge.to));
  return `${opened(condition, whole)}${by}${isNew ? sentence(step.edge.to.doc) : ''}`;
}

function linkedDeclared(facts: SpecFacts, to: Declared): string {
  return linkedName(facts, shownName(to.name, to.path, to.isOfClass), to);
}

function callText(edge: CallEdge, { facts, strings }: Pick<Page, 'facts' | 'strings'>): string {
  const { to, kind, into } = edge;
  const name = linkedDeclared(facts, to);
  return kind === 'held' ? strings.facts.stepRuns(inlineCode(into ?? ''), name) : verbOf(edge, strings)(name);
}

function heldText(
  { from, path, line }: HeldCall,
  { facts, strings }: Pick<Page, 'facts' | 'strings'>,
): string {
  const place = { path: from.path, startLine: line, endLine: line };
  return `${strings.facts.stepCalls(inlineCode(writtenPath(path, from.path)))} (${linkTo(facts, place)})`;
}

/** Returns a path in the notation of the language: `$this->next` in PHP, `self.next` in Python. */
function writtenPath(path: string, file: string): string {
  if (file.endsWith('.php')) return `$${path.replaceAll('.', '->')}`;
  return /\.(?:py|rs|swift|rb)$/.test(file) ? path.replace(/^this(?=\.)/, 'self') : path;
}

function errorStep(fact: BodyFact, strings: LocaleStrings): string {
  const { stepRaises, stepPassesError, stepEnds } = strings.facts;
  if (fact.kind === 'exit') return stepEnds(fact.text === '' ? '' : ` ${inlineCode(fact.text)}`);
  const error = raisedErrorText(fact, strings);
  return fact.passedTo === undefined ? stepRaises(error) : stepPassesError(error, inlineCode(fact.passedTo));
}

function verbOf({ kind, to, creates }: CallEdge, { facts }: LocaleStrings): (name: string) => string {
  if (kind === 'use') return facts.stepPasses;
  if (creates === false && isCreation(to)) return facts.stepConstructs;
  return creates === true || isCreation(to) ? facts.stepCreates : facts.stepCalls;
}

/** Joins a condition and a step. Without a condition, the step gets a capital letter. */
function opened(condition: string, step: string): string {
  return condition === '' ? step.charAt(0).toUpperCase() + step.slice(1) : condition + step;
}

/** Whether a call of this function creates an object. In C# a function named like a constructor may be a local function. */
function isCreation(to: Declared): boolean {
  return to.kind === 'type' || (isConstructor(to) && !to.path.endsWith('.cs'));
}

function sentence(doc: string | undefined): string {
  // A heading such as `# Safety` is not a description of the function.
  return doc === undefined || doc.startsWith('# ') ? '' : ` — ${readable(escapeMarkdown(doc))}`;
}
