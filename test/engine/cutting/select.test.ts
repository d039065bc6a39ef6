import { expect, it } from 'vitest';
import { selectGaps } from '../../../packages/engine/src/cutting/select.ts';
import { readDocument } from '../../../packages/engine/src/reading/read.ts';

const functionOf = (name: string, call: string) =>
  `export function ${name}(input) {\n${`  const value = ${call}(input, 'with some words');\n`.repeat(8)}}\n`;
const document = readDocument([functionOf('retry', 'send'), functionOf('send', 'write')].join('\n'), {
  fileName: 'retry.js',
});

it('[P54] selectGaps keeps a short function that a shown function calls, unless the file is too long for a shell', () => {
  const none = new Set<number>();
  const gapsIf = (keepsCallees: boolean) =>
    selectGaps(
      {
        document,
        rules: new Set(['unrelated-units'] as const),
        isUnrelated: ({ name }) => name === 'send',
        ...{ literal: none, named: none, filtered: none, pinned: none },
        isComplete: false,
        keepsCallees,
      },
      [],
    ).flatMap(({ units }) => units.map(({ name }) => name));
  expect(gapsIf(true)).toEqual([]);
  expect(gapsIf(false)).toEqual(['send']);
});
