import type { CallGraph, Declared } from './call-graph.ts';
import type { TestMention } from './facts.ts';

/**
 * Importance of each function to a reader: what public functions lead to, what many call, what many tests
 * call.
 */
export interface Ranks {
  /** From 0 to 1 for the functions of the module; 0 for anything else. */
  of(path: string, name: string): number;
}

const ROUNDS = 20;
const DAMPING = 0.85;

/** PageRank over the call graph, started from exported functions and tested ones. */
export function rankFunctions({ functions, edges }: CallGraph, tests: readonly TestMention[]): Ranks {
  const keys = functions.map(keyOf);
  const tested = new Map(
    tests.map(({ filePath, symbolName, tests: places }) => [`${filePath}\0${symbolName}`, places.length]),
  );
  const start = functions.map(
    (each) => (each.isExported ? 1 : 0.1) + Math.log2(1 + (tested.get(keyOf(each)) ?? 0)),
  );
  const sum = start.reduce((all, each) => all + each, 0) || 1;
  const index = new Map(keys.map((key, at) => [key, at]));
  const targets = functions.map(() => new Set<number>());
  for (const { from, to } of edges) {
    const [one, other] = [index.get(keyOf(from)), index.get(keyOf(to))];
    if (one !== undefined && other !== undefined && one !== other) targets[one]?.add(other);
  }
  let ranks = start.map((each) => each / sum);
  for (let round = 0; round < ROUNDS; round += 1)
    ranks = spread(
      ranks,
      targets,
      start.map((each) => each / sum),
    );
  const most = ranks.reduce((top, each) => Math.max(top, each), 0) || 1;
  const known = new Map(keys.map((key, at) => [key, (ranks[at] ?? 0) / most]));
  return { of: (path, name) => known.get(`${path}\0${name}`) ?? 0 };
}

function spread(
  ranks: readonly number[],
  targets: readonly ReadonlySet<number>[],
  start: readonly number[],
): number[] {
  const next = start.map((each) => each * (1 - DAMPING));
  for (const [at, to] of targets.entries())
    for (const target of to) next[target] = (next[target] ?? 0) + (DAMPING * (ranks[at] ?? 0)) / to.size;
  return next;
}

export function keyOf({ path, name }: Pick<Declared, 'path' | 'name'>): string {
  return `${path}\0${name}`;
}
