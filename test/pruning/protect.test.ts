import { expect, it } from 'vitest';
import { pruneRequest, testPruner } from '../support/pruner.ts';
import { survivors } from './protect/survivors.ts';

it('[P21] passes a text whole, without a fallback, when protection leaves nothing to prune', async () => {
  const text = Array.from({ length: 50 }, (_, index) => `import module_number_${index}`).join('\n');
  const { prunedText, stats, warnings } = await testPruner().prune(
    pruneRequest({ text, options: { maxPruneRatio: 1, structure: 'all' } }),
  );
  expect(prunedText).toBe(text);
  expect(stats).toMatchObject({ usedFallback: false, prunedLines: 0 });
  expect(warnings).toEqual([]);
});

it('[P21] keeps the changes of a diff and only prunes their context', async () => {
  const context = (name: string) =>
    Array.from({ length: 15 }, (_, index) => ` context line ${index} of ${name}, long enough to pay`);
  const lines = [
    'diff --git a/a.c b/a.c',
    '--- a/a.c',
    '+++ b/a.c',
    '@@ -1,30 +1,31 @@',
    ...context('one'),
    '-old();',
    '+new();',
    ...context('two'),
  ];
  const kept = await survivors(lines, 'code');
  expect(kept).toEqual(
    expect.arrayContaining(['diff --git a/a.c b/a.c', '@@ -1,30 +1,31 @@', '-old();', '+new();']),
  );
  expect(kept.length).toBeLessThan(lines.length);
});
