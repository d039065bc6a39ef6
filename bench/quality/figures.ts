import type { Example } from './examples.ts';
import { diceFrom } from './rivals.ts';

export function recall({ gold }: Example, kept: ReadonlySet<number>): number {
  let found = 0;
  for (const line of gold) if (kept.has(line)) found += 1;
  return found / gold.size;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const DRAWS = 1000;

/** The middle 95 % of means when whole groups are drawn again with replacement. */
export function interval(values: readonly number[], groups: readonly string[]): [low: number, high: number] {
  const byGroup = new Map<string, { sum: number; count: number }>();
  for (const [at, group] of groups.entries()) {
    const entry = byGroup.get(group) ?? { sum: 0, count: 0 };
    byGroup.set(group, { sum: entry.sum + (values[at] ?? 0), count: entry.count + 1 });
  }
  const entries = [...byGroup.values()];
  const dice = diceFrom(`${values.length}`);
  const means = Array.from({ length: DRAWS }, () => {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < entries.length; draw += 1) {
      const entry = entries[Math.floor(dice() * entries.length)];
      sum += entry?.sum ?? 0;
      count += entry?.count ?? 0;
    }
    return sum / count;
  }).sort((a, b) => a - b);
  return [means[Math.floor(DRAWS * 0.025)] ?? Number.NaN, means[Math.floor(DRAWS * 0.975)] ?? Number.NaN];
}
