/**
 * Finds entries of one template that stay: the first and last, extremes of numbers, and rare values of short
 * fields.
 */
import type { Entry } from './entries.ts';
import { numberIn } from './template.ts';

/** A field with at most this many different values is a status, a level, a method or a state. */
const MAX_VALUES = 12;
/** A value is rare if at most this many entries have it. */
const MAX_RARE = 2;
const MAX_RARE_SHARE = 0.01;

/** Returns positions in `entries`. */
export function standingOut(entries: readonly Entry[]): ReadonlySet<number> {
  const kept = new Set([0, entries.length - 1]);
  const width = entries[0]?.fields.length ?? 0;
  for (let field = 0; field < width; field += 1) {
    keepExtremes(entries, field, kept);
    keepRareValues(entries, field, kept);
  }
  return kept;
}

function keepExtremes(entries: readonly Entry[], field: number, kept: Set<number>): void {
  let least = { position: -1, value: Number.POSITIVE_INFINITY };
  let most = { position: -1, value: Number.NEGATIVE_INFINITY };
  for (const [position, entry] of entries.entries()) {
    const value = numberIn(entry.fields[field] ?? '');
    if (value === undefined) return;
    if (value < least.value) least = { position, value };
    if (value > most.value) most = { position, value };
  }
  if (least.value === most.value) return;
  kept.add(least.position);
  kept.add(most.position);
}

function keepRareValues(entries: readonly Entry[], field: number, kept: Set<number>): void {
  const positions = new Map<string, number[]>();
  for (const [position, entry] of entries.entries()) {
    const value = entry.fields[field] ?? '';
    positions.set(value, positions.get(value) ?? []);
    positions.get(value)?.push(position);
    if (positions.size > MAX_VALUES) return;
  }
  const limit = Math.max(MAX_RARE, Math.floor(entries.length * MAX_RARE_SHARE));
  const rare = [...positions.values()].filter((each) => each.length <= limit);
  for (const position of rare.flat()) kept.add(position);
}
