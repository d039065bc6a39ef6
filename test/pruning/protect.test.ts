import { expect, it } from 'vitest';
import { pruneRequest, testPruner } from '../support/pruner.ts';
import { filler, survivors } from './protect/survivors.ts';

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

it('[P21] leaves no half of a short statement', async () => {
  const call = ['    report = build_report(', '        retry_policy,', '        title,', '    )'];
  const lines = ['def run():', ...filler(20), ...call, ...filler(20)];
  const { annotations } = await testPruner().prune(
    pruneRequest({
      text: lines.join('\n'),
      focus: { question: 'retry_policy' },
      options: { maxPruneRatio: 0.9 },
    }),
  );
  const hidden = (number: number) => annotations.some(({ start, end }) => start <= number && number <= end);
  expect([22, 23, 24, 25].map(hidden)).toEqual([false, false, false, false]);
});
