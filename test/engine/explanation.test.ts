import { expect, it } from 'vitest';
import { KEEP_RULES, REMOVED } from '../../packages/engine/src/explanation.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

const filler = (count: number) =>
  Array.from({ length: count }, (_, at) => `    value_${at} = compute_something(${at}, "padding")`);
const lines = [
  'def retry(policy):',
  '    policy.attempts += 1',
  ...filler(30),
  '# ⟦NO_PRUNE_BEGIN⟧',
  '# ⟦NO_PRUNE_END⟧',
  'def other():',
  ...filler(30),
];

it('[P27] an explanation contains one letter per line, and names the best removed line of each gap', async () => {
  const request = pruneRequest({
    text: lines.join('\n'),
    focus: { question: 'how are retry attempts counted?' },
    options: { maxPruneRatio: 0.9, explain: true },
  });
  const { explanation, annotations, id } = await testPruner().prune(request);
  expect(explanation?.rules).toHaveLength(lines.length);
  expect(explanation?.scores).toHaveLength(lines.length);
  const letters = new Set<string>([...Object.values(KEEP_RULES), REMOVED]);
  expect([...(explanation?.rules ?? '')].every((letter) => letters.has(letter))).toBe(true);
  for (const [index, letter] of [...(explanation?.rules ?? '')].entries()) {
    const isRemoved = annotations.some(({ start, end }) => start <= index + 1 && index + 1 <= end);
    expect(letter === REMOVED).toBe(isRemoved);
  }
  expect(explanation?.rules[0]).toBe(KEEP_RULES.literal);
  expect(explanation?.rules[32]).toBe(KEEP_RULES.directive);
  expect(explanation?.blocks.map(({ start, end, reason }) => ({ start, end, reason }))).toEqual(
    annotations.map(({ start, end, reason }) => ({ start, end, reason })),
  );
  for (const { start, end, bestScore } of explanation?.blocks ?? [])
    expect(bestScore).toBe(Math.max(...(explanation?.scores.slice(start - 1, end) ?? [])));
  expect(id).toMatch(/^prn_/);
});

it('[P24] an explanation changes neither id nor text, and is made only if the request asks for it', async () => {
  const pruner = testPruner();
  const request = pruneRequest({ text: lines.join('\n'), options: { maxPruneRatio: 0.9 } });
  const plain = await pruner.prune(request);
  const explained = await pruner.prune({ ...request, options: { ...request.options, explain: true } });
  expect(plain.explanation).toBeUndefined();
  expect(explained.prunedText).toBe(plain.prunedText);
});
