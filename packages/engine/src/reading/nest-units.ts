import type { Unit } from './document.ts';

/**
 * Builds a tree of units from a flat list: a unit inside another becomes its child; one that crosses the end
 * of another is left out.
 */
export function nestUnits(flat: readonly Unit[]): Unit[] {
  const ordered = [...flat].sort((a, b) => a.start - b.start || b.end - a.end);
  const roots: Nested[] = [];
  const open: Nested[] = [];
  for (const unit of ordered) {
    while (open.length > 0 && (open.at(-1) as Nested).end < unit.start) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined && (unit.end > parent.end || unit.start <= parent.head)) continue;
    const nested: Nested = { ...unit, children: [] };
    (parent === undefined ? roots : parent.children).push(nested);
    open.push(nested);
  }
  return roots;
}

type Nested = Omit<Unit, 'children'> & { children: Nested[] };
