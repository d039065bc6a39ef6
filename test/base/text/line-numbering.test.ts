import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineNumbers, numberingOf, splitLines } from '../../../packages/base/src/text/lines.ts';

const catN = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => `${String(first + at).padStart(6)}\tconst a${at} = ${at};`).join(
    '\n',
  );

describe('numberingOf', () => {
  it.each([
    ['cat -n', catN(1, 40)],
    ['nl -ba and sed', catN(120, 40)],
    ['nl, which leaves blank lines without a number', '     1\ta\n\n     2\tb\n\n     3\tc'],
    ['grep -n', '3:const a\n17:const b\n90:const c'],
    ['grep -n with context', '2-x\n3:const a\n4-y\n--\n17:const b\n18-z'],
    ['a read tool that wraps numbered lines', `<file>\n${catN(1, 40).replaceAll('\t', '| ')}\n</file>`],
    ['our own numbers', '36│ a\n37│ b\n38│ c'],
  ])('[A16] numberingOf finds the numbers that %s prints', (_, text) => {
    expect(numberingOf(text)).toEqual({ kind: 'shown' });
  });

  it.each([
    ['two files with numbers', `${catN(1, 20)}\n${catN(1, 20)}`],
    ['grep -n in several files', 'a.ts:3:const a\na.ts:9:x\nb.ts:4:y\nb.ts:5:z'],
    ['sizes that rise', '4\ta.ts\n12\tb.ts\n90\tc.ts\n412\td.ts'],
    ['times', '10:01 start\n10:02 run\n11:40 end'],
    ['dates', '2024-01-01 a\n2025-01-01 b\n2026-01-01 c'],
    ['code', 'const a = 1;\nconst b = 2;\nconst c = 3;'],
    ['two numbered lines', '1: a\n2: b'],
    ['nothing', ''],
  ])('[A16] numberingOf returns undefined for %s', (_, text) => {
    expect(numberingOf(text)).toBeUndefined();
  });

  it('[A16] numberingOf uses the first line number of the caller, even if the lines begin with numbers', () => {
    expect(numberingOf(catN(1, 40), 120)).toEqual({ kind: 'from', firstLine: 120 });
    expect(numberingOf(catN(1, 40), 1)).toBeUndefined();
  });
});

describe('lineNumbers', () => {
  it('[A16] lineNumbers finds at least the lines between two printed numbers', () => {
    const steps = fc.array(fc.record({ step: fc.integer({ min: 1, max: 9 }), isBare: fc.boolean() }), {
      minLength: 4,
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, fc.nat(), fc.nat(), (parts, from, length) => {
        let number = 0;
        const lines = parts.flatMap(({ step, isBare }) => {
          number += step;
          return isBare ? [`${number}:x`, ''] : [`${number}:x`];
        });
        const numbers = lineNumbers(lines, numberingOf(lines.join('\n')));
        const start = 1 + (from % lines.length);
        const end = Math.min(lines.length, start + (length % 20));
        const seen = { start: numbers.numberOf(start), end: numbers.numberOf(end) };
        const found = numbers.linesOf(seen);
        expect(found?.start).toBeLessThanOrEqual(start);
        expect(found?.end).toBeGreaterThanOrEqual(end);
      }),
    );
  });

  it('[A16] lineNumbers returns undefined for numbers that the output does not show', () => {
    const numbers = lineNumbers(splitLines('3:a\n17:b\n90:c'), { kind: 'shown' });
    expect(numbers.linesOf({ start: 18, end: 80 })).toBeUndefined();
    expect(numbers.linesOf({ start: 1, end: 20 })).toEqual({ start: 1, end: 2 });
    expect([numbers.first, numbers.last]).toEqual([3, 90]);
  });
});
