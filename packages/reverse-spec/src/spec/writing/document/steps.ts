import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { BodyFact } from '../../../syntax/body-facts.ts';
import type { CallEdge, Declared, HeldCall } from '../../reading/call-graph.ts';
import { keyOf, type SpecFacts } from '../../reading/facts.ts';

/** One step of a function. `order` gives the execution order. */
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
      fact.kind === 'raise' || fact.kind === 'check'
        ? [[keyOf({ path, name: fact.owner }), { kind: 'raise', fact, path, line: fact.startLine, order }]]
        : [],
    ),
  );
  const steps = grouped([...called.filter(([, step]) => !isAccessor(step)), ...held, ...raised]);
  const ranges = new Map(calls.functions.map((each) => [keyOf(each), each]));
  for (const [key, own] of steps)
    steps.set(
      key,
      withoutRepeats(inBody(own, ranges.get(key)).sort((one, other) => one.order - other.order)),
    );
  return steps;
}

/** Whether a step only reads a property through its accessor, such as `getSize`, which says little about a flow. */
function isAccessor(step: Step): boolean {
  if (step.kind !== 'call' || step.edge.kind !== 'call') return false;
  const { name, startLine, endLine } = step.edge.to;
  return /\.get[A-Z]\w*$/.test(name) && endLine > startLine && endLine - startLine <= 2;
}

/** Returns the steps inside the lines of a function. Steps of other overloads with the same name are removed. */
function inBody(steps: readonly Step[], range: Declared | undefined): Step[] {
  const isInside = ({ line }: Step) =>
    range === undefined || (range.startLine <= line && line <= range.endLine);
  return steps.filter(isInside);
}

/**
 * Removes repeated steps and calls that create a raised error. If there are too many steps, all calls of one
 * function become one step.
 */
function withoutRepeats(steps: readonly Step[]): Step[] {
  const distinct = merged(steps, (step) => `${subjectOf(step)} ${conditionsOf(step).join()}`);
  return distinct.length <= MAX_STEPS ? distinct : merged(distinct, subjectOf);
}

/** Returns what a step is about: the function it calls or the error it raises. */
export function subjectOf(step: Step): string {
  if (step.kind === 'call') return keyOf(step.edge.to);
  if (step.kind === 'held') return step.edge.path;
  return `${step.fact.name} ${step.fact.text} ${step.fact.when?.join()}`;
}

function merged(steps: readonly Step[], keyFor: (step: Step) => string): Step[] {
  const seen = new Map<string, Step>();
  const raises = steps.filter((step) => step.kind === 'raise');
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

/** Returns the conditions with which all lists begin. */
export function commonHead(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = lists;
  const end = first.findIndex((condition, at) => lists.some((list) => list[at] !== condition));
  return end === -1 ? first : first.slice(0, end);
}

/**
 * Merges two calls of one function. The result has only the conditions that both share, and counts the places
 * if neither call includes the other.
 */
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

/** Returns how many functions a function calls, directly or through others. */
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
