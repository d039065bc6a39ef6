import type { DependencyEdge } from '../../../reading/facts.ts';

/**
 * The arrows without those that follow from others (a transitive reduction): where `a → b → c` is drawn, `a → c` only
 * hides it. What reaches what stays the same, circles included.
 */
export function essentialEdges(edges: readonly DependencyEdge[]): DependencyEdge[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  return edges.filter(({ from, to }) => {
    targets.get(from)?.delete(to);
    const isImplied = reaches(from, to, targets);
    if (!isImplied) targets.get(from)?.add(to);
    return !isImplied;
  });
}

function reaches(from: string, to: string, targets: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of targets.get(at) ?? []) {
      if (next === to) return true;
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return false;
}
