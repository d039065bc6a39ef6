import type { Unit } from '../../../packages/engine/src/reading/document.ts';

/**
 * Returns the numbers of the lines that are removed if all removable units are removed, except units that
 * stand out or contain one of the words.
 */
function removedLines(
  units: readonly Unit[],
  lines: readonly string[],
  words: readonly string[] = [],
): Set<number> {
  const names = (from: number, to: number) =>
    lines.slice(from - 1, to).some((line) => words.some((word) => line.toLowerCase().includes(word)));
  return new Set(units.flatMap((unit) => removedFrom(unit, names)));
}

function removedFrom(unit: Unit, names: (from: number, to: number) => boolean): number[] {
  const { start, end, head, children = [], rule, standsOut } = unit;
  const isNamed = names(start, end);
  if (isNamed && (children.length === 0 || unit.kind === 'record' || names(start, head))) return [];
  if (rule === undefined || standsOut === true || isNamed)
    return children.flatMap((child) => removedFrom(child, names));
  const from = Math.max(start, head + 1);
  return Array.from({ length: end - from + 1 }, (_, index) => from + index);
}

/** Returns the visible text, and the share of characters that were removed. */
export function afterRemoval(
  units: readonly Unit[],
  lines: readonly string[],
  words: readonly string[] = [],
) {
  const removed = removedLines(units, lines, words);
  const kept = lines.filter((_, index) => !removed.has(index + 1)).join('\n');
  return { kept, share: 1 - kept.length / lines.join('\n').length };
}

/** Faults of a tree of units: ranges outside of the text, overlaps, children outside of their parent. */
export function unitFaults(units: readonly Unit[], { start, end }: { start: number; end: number }): string[] {
  let last = start - 1;
  return units.flatMap((unit) => {
    const place = `${unit.kind} ${unit.name} ${unit.start}-${unit.end}`;
    const faults: string[] = [];
    if (unit.start <= last || unit.end < unit.start || unit.end > end)
      faults.push(`${place} overlaps or leaves its parent`);
    if (unit.head < unit.start - 1 || unit.head > unit.end)
      faults.push(`${place} has its head at ${unit.head}`);
    last = unit.end;
    return [...faults, ...unitFaults(unit.children ?? [], unit)];
  });
}

/** All units of a tree in order. */
export function flat(units: readonly Unit[]): Unit[] {
  return units.flatMap((unit) => [unit, ...flat(unit.children ?? [])]);
}
