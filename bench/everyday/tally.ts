/** Sums of a way over situations: how many are answered, and how many characters are gone. */
import { isAnswered, type Situation } from './situation.ts';
import type { Shown } from './ways.ts';

/** From this share of removable lines on, a situation counts as one where a cut is expected. */
export const MIN_CUTTABLE = 0.5;

export interface Result {
  readonly situation: Situation;
  readonly shown: Shown;
}

export interface Sums {
  readonly cases: number;
  readonly answered: number;
  /** Different outputs; some serve several situations. */
  readonly outputs: number;
  /** Outputs whose situations are all answered. */
  readonly answeredOutputs: number;
  /** Shares of the characters that were removed, per case; `NaN` without such a case. */
  readonly removed: number;
  readonly removedWhereCuttable: number;
  /** The mean of the shares of the outputs, so that a long output counts as much as a short one. */
  readonly removedPerOutput: number;
}

export function sumsOf(results: readonly Result[]): Sums {
  const isFine = ({ situation, shown }: Result) => isAnswered(situation, shown.isInView);
  const cuttable = results.filter(({ situation }) => situation.cuttable >= MIN_CUTTABLE);
  const outputs = [...groupBy(results, ({ situation }) => situation.output).values()];
  return {
    cases: results.length,
    answered: results.filter(isFine).length,
    outputs: outputs.length,
    answeredOutputs: outputs.filter((group) => group.every(isFine)).length,
    removed: removedShare(results),
    removedWhereCuttable: removedShare(cuttable),
    removedPerOutput: outputs.reduce((sum, group) => sum + removedShare(group), 0) / outputs.length,
  };
}

function removedShare(results: readonly Result[]): number {
  const before = results.reduce((sum, { situation }) => sum + situation.output.length, 0);
  const after = results.reduce((sum, { shown }) => sum + shown.characters, 0);
  return 1 - after / before;
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, groups.get(key) ?? []);
    groups.get(key)?.push(item);
  }
  return groups;
}
