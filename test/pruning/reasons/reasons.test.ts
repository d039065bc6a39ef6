import { expect, it } from 'vitest';
import type { SourceType } from '../../../src/ranking/scorer.ts';
import { pruneRequest, testPruner } from '../../support/pruner.ts';
import { filler } from '../protect/survivors.ts';

async function reasons(
  lines: readonly string[],
  goal: string,
  { sourceType = 'code', maxPruneRatio = 0.8 }: { sourceType?: SourceType; maxPruneRatio?: number } = {},
): Promise<string[]> {
  const request = pruneRequest({
    text: lines.join('\n'),
    focus: { question: goal },
    sourceType,
    options: { maxPruneRatio },
  });
  return (await testPruner().prune(request)).annotations.map(({ reason }) => reason);
}

const numbered = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index));

it('[P17] names the file of search results, or counts the files', async () => {
  const inOne = numbered(
    40,
    (index) => `src/app/store.ts:${index + 1}:  const entry_${index} = readEntry(${index});`,
  );
  expect(
    (await reasons(inOne, 'something else')).every(
      (reason) => reason === 'hors focus: résultats dans src/app/store.ts',
    ),
  ).toBe(true);
  const inMany = numbered(40, (index) => `src/app/file_${index}.ts:7:  const entry = readEntry(${index});`);
  expect(
    (await reasons(inMany, 'something else')).every((reason) =>
      /^hors focus: résultats dans \d+ fichiers$/.test(reason),
    ),
  ).toBe(true);
});

it('[P17] counts tests that passed', async () => {
  const passed = numbered(60, (index) => `tests/test_store.py::test_entry_number_${index} PASSED`);
  const run = [
    '=== test session starts ===',
    ...passed,
    'tests/test_retry.py::test_gives_up FAILED',
    '=== 1 failed, 60 passed in 2.10s ===',
  ];
  expect(await reasons(run, 'why does test_gives_up fail', { sourceType: 'logs' })).toEqual([
    expect.stringMatching(/^hors focus: \d+ tests réussis$/),
  ]);
});

it('[P17] names the key a piece of JSON stands under', async () => {
  const entries = numbered(60, (index) => `    "package-${index}": "^${index}.0.0",`);
  const json = ['{', '  "name": "app",', '  "dependencies": {', ...entries, '    "last": "1"', '  }', '}'];
  expect(await reasons(json, 'what is the name of the app')).toContain('hors focus: clé dependencies');
});

it('[P17] says nothing that would end its marker or break its line', async () => {
  const body = numbered(30, (index) => `    value_${index} = compute_something_boring(${index}, "padding")`);
  const [reason = ''] = await reasons(
    ['# Nothing', 'nothing', `# Odd ⟧ title\u2028with breaks ${'long '.repeat(40)}`, ...body],
    'nothing',
    { sourceType: 'docs', maxPruneRatio: 1 },
  );
  expect(reason).toMatch(/^hors focus: section Odd title with breaks/);
  expect(reason.length).toBeLessThanOrEqual(60);
});

it('[P17] names the function a block of code belonged to', async () => {
  const text = ['def retry(policy):', ...filler(3), 'def parse_yaml(path):', ...filler(20)].join('\n');
  const { annotations } = await testPruner().prune(
    pruneRequest({ text, focus: { question: 'retry policy' }, options: { maxPruneRatio: 1 } }),
  );
  expect(annotations.at(-1)?.reason).toBe('hors focus: fonction parse_yaml');
});

it('[P17] lists what a block hid, what the goal speaks of first, and counts the rest', async () => {
  const functions = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
  const text = [
    'def retry(policy):',
    ...filler(3),
    ...functions.flatMap((name) => [`def handle_${name}(path):`, ...filler(12)]),
  ].join('\n');
  const { annotations } = await testPruner().prune(
    pruneRequest({
      text,
      focus: { question: 'retry policy, not handle_zeta' },
      options: { maxPruneRatio: 0.97 },
    }),
  );
  const reasons = annotations.map(({ reason }) => reason).filter((reason) => reason.includes('handle_'));
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) expect(reason.length).toBeLessThanOrEqual(60);
  expect(reasons.join()).toMatch(/fonctions? handle_\w+(?:, handle_\w+)* \+\d/);
});
