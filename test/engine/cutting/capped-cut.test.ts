import { expect, it } from 'vitest';
import { selectCapped } from '../../../packages/engine/src/cutting/capped-cut.ts';
import { Needs } from '../../../packages/engine/src/ranking/need.ts';
import { readDocument } from '../../../packages/engine/src/reading/read.ts';
import { pruneRequest } from '../../support/pruner.ts';

const lines = Array.from({ length: 80 }, (_, n) => `  total += price${n} * amount;`);
const text = ['function sum() {', ...lines, '}'].join('\n');
const document = readDocument(text, { fileName: 'sum.js' });
const scores = new Float64Array(document.lines.length);
const needs = new Needs(document.lines, { scores, areLogOdds: true, tier: 'full' }, 'code');

function keptLiterals(question: string): number[] {
  const request = pruneRequest({
    text,
    focus: { question },
    sourceType: 'code',
    options: { maxPruneRatio: 0.9 },
  });
  return [...(selectCapped(request, document, needs).pins.literal ?? [])];
}

it('[P28] selectCapped keeps lines with literals of a goal, but not of a long issue with words of many lines', () => {
  const goal = 'Why is `price7` added twice?';
  expect(keptLiterals(goal)).toEqual([8]);
  expect(keptLiterals(`${goal} ${'It happens on every page of the shop. '.repeat(20)}`)).toEqual([]);
});
