import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { BodyFact } from '../../../syntax/body-facts.ts';
import type { CallEdge, Declared, HeldCall } from '../../reading/call-graph.ts';
import { keyOf, type SpecFacts } from '../../reading/facts.ts';
import type { SkeletonExport } from '../../reading/skeleton.ts';

/** One step of a flow. Steps are sorted by `order`, the order of execution. */
export type Step =
  | { kind: 'call'; edge: CallEdge; line: number; order: number; places?: number }
  | { kind: 'held'; edge: HeldCall; line: number; order: number; places?: number }
  | { kind: 'raise'; fact: BodyFact; path: string; line: number; order: number };

/** Maximum number of steps of a flow. */
export const MAX_STEPS = 14;

/** Returns the steps of all functions, in execution order. */
export function stepsIn({ calls, bodies, files }: SpecFacts): Map<string, Step[]> {
  const called = calls.edges.map((edge): [string, Step] => [
    keyOf(edge.from),
    { kind: 'call', edge, line: edge.line, order: edge.order },
  ]);
  const held = calls.heldCalls.map((edge): [string, Step] => [
    keyOf(edge.from),
    { kind: 'held', edge, line: edge.line, order: edge.order },
  ]);
  const raised = files.flatMap(({ skeleton: { filePath: path } }) =>
    (bodies.get(path)?.facts ?? []).flatMap((fact, order): [string, Step][] =>
      fact.kind === 'raise' || fact.kind === 'check' || isGuard(fact)
        ? [[keyOf({ path, name: fact.owner }), { kind: 'raise', fact, path, line: fact.startLine, order }]]
        : [],
    ),
  );
  const steps = grouped([...called.filter(([, step]) => !isAccessor(step)), ...held, ...raised]);
  const ranges = new Map(calls.functions.map((each) => [keyOf(each), each]));
  const overloads = overloadsIn(bodies);
  for (const [key, own] of steps)
    steps.set(
      key,
      withoutRepeats(
        withoutPlainExits(
          inBody(own, [ranges.get(key), ...(overloads.get(key) ?? [])]).sort(
            (one, other) => one.order - other.order,
          ),
        ),
      ),
    );
  return steps;
}

/** Whether a step only reads a property through an accessor such as `getSize`. Such steps say little about a flow. */
function isAccessor(step: Step): boolean {
  if (step.kind !== 'call' || step.edge.kind !== 'call') return false;
  const { name, path, startLine, endLine } = step.edge.to;
  return isNamedLikeGetter(name, path) && endLine - startLine <= 2 && (endLine > startLine || CPP.test(path));
}

const CPP = /\.(?:h|hh|hpp|hxx|cc|cpp|cxx|ipp|inl)$/;

function isNamedLikeGetter(name: string, path: string): boolean {
  return /\.get[A-Z]\w*$/.test(name) || (CPP.test(path) && /\.(?:get|is|has)_\w+$/.test(name));
}

/** Removes returns at the end of the function, and returns of a value that is itself a step. */
function withoutPlainExits(steps: readonly Step[]): Step[] {
  const last = steps.findLastIndex((step) => !isExit(step));
  const lines = steps.flatMap((step) => (isExit(step) ? [] : [step.line]));
  const isTold = ({ startLine, endLine }: BodyFact) =>
    lines.some((line) => startLine <= line && line <= endLine);
  return steps
    .slice(0, last + 1)
    .filter((step) => step.kind !== 'raise' || !isExit(step) || !isTold(step.fact));
}

/** Whether a fact is an early return under a single condition. Returns under several conditions say little. */
function isGuard({ kind, when = [] }: BodyFact): boolean {
  return kind === 'exit' && when.length === 1 && !when[0]?.startsWith('switch (');
}

/** Whether a step only returns. */
export function isExit(step: Step): boolean {
  return step.kind === 'raise' && step.fact.kind === 'exit';
}

/** Returns the steps whose lines are inside a function. Overloads of the same name have other lines. */
function inBody(steps: readonly Step[], [range, ...overloads]: readonly (Lines | undefined)[]): Step[] {
  if (range === undefined) return [...steps];
  const inside = ({ startLine, endLine }: Lines) =>
    steps.filter(({ line }) => startLine <= line && line <= endLine);
  const own = inside(range);
  if (own.some(({ kind }) => kind !== 'raise')) return own;
  // The longest overload may only be a wrapper of another one.
  const others = overloads.map((each) => (each === undefined ? [] : inside(each)));
  return (
    others
      .sort((one, other) => other.length - one.length)
      .find((each) => each.some(({ kind }) => kind !== 'raise')) ?? own
  );
}

type Lines = Pick<Declared, 'startLine' | 'endLine'>;

function overloadsIn(bodies: SpecFacts['bodies']): ReadonlyMap<string, Lines[]> {
  return grouped(
    [...bodies].flatMap(([path, { functions }]) =>
      functions.map((each): [string, Lines] => [keyOf({ path, name: each.name }), each]),
    ),
  );
}

/** Returns a function with the lines of the overload whose steps are shown. */
export function describedOverload(
  each: Declared,
  steps: readonly Step[],
  bodies: SpecFacts['bodies'],
): Declared {
  const line = steps[0]?.line ?? each.startLine;
  const isInside = ({ startLine, endLine }: Lines) => startLine <= line && line <= endLine;
  if (isInside(each)) return each;
  const shown = bodies.get(each.path)?.functions.find((other) => other.name === each.name && isInside(other));
  return shown === undefined
    ? each
    : { ...each, startLine: shown.startLine, endLine: shown.endLine, doc: shown.doc };
}

/** Maximum number of calls of one function, under different conditions, that stay separate steps. */
const MAX_REPEATS = 3;

/**
 * Removes repeated steps, and calls that only create a raised error. If there are too many steps, all calls
 * of one function become one step.
 */
function withoutRepeats(steps: readonly Step[]): Step[] {
  const whole = (step: Step) => `${subjectOf(step)} ${conditionsOf(step).join()}`;
  const distinct = merged(steps, whole);
  if (distinct.length > MAX_STEPS) return merged(distinct, subjectOf);
  // A call after which the function returns is a branch of its own.
  const isOpen = (step: Step) => step.kind === 'raise' || step.edge.ends === undefined;
  const counts = grouped(distinct.filter(isOpen).map((step) => [subjectOf(step), step]));
  const isOften = (step: Step) => isOpen(step) && (counts.get(subjectOf(step))?.length ?? 0) > MAX_REPEATS;
  return merged(distinct, (step) => (isOften(step) ? subjectOf(step) : whole(step)));
}

/** Returns the subject of a step: the called function or the raised error. */
export function subjectOf(step: Step): string {
  if (step.kind === 'call') return keyOf(step.edge.to);
  if (step.kind === 'held') return step.edge.path;
  return `${step.fact.name} ${step.fact.text} ${step.fact.when?.join()}`;
}

function merged(steps: readonly Step[], keyFor: (step: Step) => string): Step[] {
  const seen = new Map<string, Step>();
  const raises = steps.flatMap((step) => (step.kind === 'raise' && !isExit(step) ? [step] : []));
  for (const step of steps) {
    const key = keyFor(step);
    const isError =
      step.kind === 'call' &&
      raises.some(({ fact }) => fact.startLine <= step.line && step.line <= fact.endLine);
    if (isError) continue;
    const known = seen.get(key);
    seen.set(key, known === undefined ? step : calledAgain(known, step));
  }
  return [...seen.values()];
}

/** Returns the conditions that all lists have in common at their start. */
export function commonHead(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = lists;
  const end = first.findIndex((condition, at) => lists.some((list) => list[at] !== condition));
  return end === -1 ? first : first.slice(0, end);
}

/** Merges two calls of one function. The result has the conditions that both share. If neither call has exactly these, it counts one more place. */
function calledAgain(known: Step, step: Step): Step {
  if (known.kind === 'raise' || known.kind !== step.kind) return known;
  const [one, other] = [conditionsOf(known), conditionsOf(step)];
  const shared = commonHead([one, other]);
  const { places, ...first } = known;
  const { ends: _, ...edge } = known.edge;
  const both = { ...first, edge: { ...edge, when: shared } } as typeof known;
  if (shared.length === other.length) return both;
  if (shared.length === one.length && places === undefined) return known;
  return { ...both, places: (places ?? 1) + 1 };
}

export function conditionsOf(step: Step): readonly string[] {
  return step.kind === 'raise' ? (step.fact.when ?? []) : step.edge.when;
}

const MAX_REACH = 200;

/** Returns the number of functions that a function calls, directly or through others. */
export function reach(start: Declared, callees: ReadonlyMap<string, readonly Declared[]>): number {
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

type Uses = (path: string, name: string) => number;

/** Methods that a test does not name, because they run when an object is created, called or iterated. */
const UNNAMED = /(?:^|\.)(?:constructor|__\w+__|initialize|init|invoke|invoke)$/;

/** Returns how often tests use a function. Ignores namespaces, because calls are found without them. */
export function usesInTests({ tests }: SpecFacts): Uses {
  const ending = (name: string) =>
    name
      .split(/[.:\\]+/)
      .slice(-2)
      .join('.');
  const known = new Map(
    tests.map(({ filePath, symbolName, tests: places }) => [
      keyOf({ path: filePath, name: ending(symbolName) }),
      places.length,
    ]),
  );
  // In C, headers declare functions that other files define.
  const inHeaders = new Map(
    tests.flatMap(({ filePath, symbolName, tests: places }) =>
      /\.h(?:h|pp|xx)?$/.test(filePath) ? [[ending(symbolName), places.length]] : [],
    ),
  );
  return (path, name) => {
    const type = UNNAMED.test(name) ? known.get(keyOf({ path, name: name.split('.').at(-2) ?? '' })) : 0;
    const declared = /\.c(?:c|pp|xx)?$/.test(path) ? inHeaders.get(ending(name)) : 0;
    return Math.max(known.get(keyOf({ path, name: ending(name) })) ?? 0, type ?? 0, declared ?? 0);
  };
}

const ENTRY = /(?:^|\/)(?:index|main|mod|lib|__init__)\.\w+$/;
const OTHERS_WEIGHT = 0.2;

/**
 * Returns weights of functions. They are lower for deprecated functions, and for those that the entry file of
 * the package does not export.
 */
export function entryWeights(facts: SpecFacts): (each: Declared) => number {
  const weight = exportWeights(facts);
  const old = new Set(
    [...facts.bodies].flatMap(([path, { facts: own }]) =>
      own.flatMap(({ kind, when, owner: name }) =>
        kind === 'deprecated' && when === undefined ? [keyOf({ path, name })] : [],
      ),
    ),
  );
  return (each) => {
    const isOld = [each.name, each.owner].some((name) => old.has(keyOf({ path: each.path, name })));
    return isOld ? weight(each) * OTHERS_WEIGHT : weight(each);
  };
}

function exportWeights({ files }: SpecFacts): (each: Declared) => number {
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

/** Returns the methods of the module that implement a method of an interface or trait, by the key of the latter. */
export function implementationsIn({ files, bodies, calls }: SpecFacts): ReadonlyMap<string, Declared[]> {
  const methods = grouped(calls.functions.map((each) => [each.owner, each]));
  const last = (name: string) => name.slice(name.lastIndexOf('.') + 1);
  const namesOf = (owner: string) => new Set(methods.get(owner)?.map(({ name }) => last(name)));
  const types = [...bodies.values()].flatMap((each) => each.types);
  const isBase = (base: string, owner: string) => last(base.replace(/<.*/s, '')) === last(owner);
  const open = new Set(
    files.flatMap(({ skeleton: { filePath: path, exports }, internals }) =>
      [...exports, ...internals].flatMap((each) => interfacesIn(each)).map((name) => keyOf({ path, name })),
    ),
  );
  const found = calls.functions
    .filter(({ path, owner }) => open.has(keyOf({ path, name: owner })))
    .map((each): [string, Declared[]] => {
      const { path, owner, name } = each;
      // In Go a type with all methods implements an interface.
      const owners = path.endsWith('.go')
        ? [...methods.keys()].filter((other) =>
            [...namesOf(owner)].every((method) => namesOf(other).has(method)),
          )
        : types.flatMap((type) => (type.bases.some((base) => isBase(base, owner)) ? [type.name] : []));
      const own = owners.filter((other) => other !== owner).flatMap((other) => methods.get(other) ?? []);
      return [keyOf(each), [...new Set(own.filter((other) => last(other.name) === last(name)))]];
    });
  return new Map(found.filter(([, own]) => own.length > 0));
}

/** Returns the names of interfaces and traits in a declaration, also without their namespaces. */
function interfacesIn({ name, kind, members = [] }: InternalDeclaration, around = ''): string[] {
  const own =
    kind === 'interface' || kind === 'trait' ? [around + name, name.slice(name.lastIndexOf('.') + 1)] : [];
  return [...own, ...members.flatMap((each) => interfacesIn(each, `${around}${name}.`))];
}

type InternalDeclaration = Pick<SkeletonExport, 'name' | 'kind' | 'members'>;

export function deprecatedIn({ bodies }: SpecFacts): ReadonlySet<string> {
  const isOld = ({ kind }: BodyFact) => kind === 'deprecated';
  const keys = [...bodies].map(([path, { facts }]) =>
    facts.filter(isOld).map(({ owner: name }) => keyOf({ path, name })),
  );
  return new Set(keys.flat());
}
