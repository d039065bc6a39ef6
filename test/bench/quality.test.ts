import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSets } from '../../bench/quality/examples.ts';
import { interval, mean, recall } from '../../bench/quality/figures.ts';
import { foldScorers, realPruning } from '../../bench/quality/pruning.ts';
import { fill, RIVALS } from '../../bench/quality/rivals.ts';

const sets = readSets(fileURLToPath(new URL('../../bench/quality/examples', import.meta.url)), 100);
const examples = [...sets.values()].flat();
const prune = realPruning(foldScorers(true));

describe('[Q1] the quality bench', () => {
  it.each(Object.entries(RIVALS))(
    'the quality benchmark lets the baseline %s show at most as many characters as the real result',
    (_name, order) => {
      for (const example of examples) {
        const kept = fill(order(example), example.lines, 500);
        const characters = [...kept].reduce((sum, line) => sum + (example.lines[line] ?? '').length + 1, 0);
        expect(characters).toBeLessThanOrEqual(500);
      }
    },
  );

  it('the quality benchmark counts hidden lines from the markers of the result', async () => {
    const [example] = examples;
    if (example === undefined) throw new Error('no examples');
    const kept = await prune(example, 0.9);
    expect(kept.lines.size).toBeLessThan(example.lines.length);
    expect(kept.characters).toBeLessThan(example.text.length);
  });

  it('`interval` contains the mean, even if all groups have the same mean', () => {
    const [low, high] = interval([0, 1, 0, 1], ['a', 'a', 'b', 'b']);
    expect([low, high]).toEqual([0.5, 0.5]);
    const [lowest, highest] = interval([0, 0, 1, 1], ['a', 'a', 'b', 'b']);
    expect(lowest).toBeLessThan(highest);
  });
});

describe('[Q2] the bench on our own examples', () => {
  it.each([0.6, 0.7])(
    '[P50] pruning at a ratio of %d keeps six of seven lines that the goals need, in whole sections',
    async (ratio) => {
      const found = await Promise.all(
        examples.map(async (example) => recall(example, (await prune(example, ratio)).lines)),
      );
      expect(mean(found)).toBeGreaterThan(0.85);
    },
  );

  it('pruning at a ratio of 0.9 removes 80 % of the characters of logs and keeps every failure', async () => {
    for (const example of sets.get('own-logs') ?? []) {
      const { lines, characters } = await prune(example, 0.9);
      expect(characters).toBeLessThan(0.2 * example.text.length);
      expect(recall(example, lines)).toBe(1);
    }
  });
});
