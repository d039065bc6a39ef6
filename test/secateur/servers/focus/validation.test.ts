import { expect, it } from 'vitest';
import { startFocus } from '../../../support/focus.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

type Row = readonly [field: string, bad: readonly unknown[], good: readonly unknown[]];

const QUESTION: Row = ['context_focus_question', ['', ' \n', 'x'.repeat(1001), 7], ['x', '界'.repeat(1000)]];
const MAX_OUTPUT: Row = ['max_output_bytes', [1023, 10_485_761, 2000.5, '2000'], [1024, 10_485_760]];
const TIMEOUT: Row = ['timeout_ms', [99, 300_001, 100.5, '100'], [5_000, 300_000]];
const CWD: Row = ['cwd', ['', '..', '/', 'a/../../b', 'x\0'], ['.', 'd']];

async function hold(tool: string, base: Record<string, unknown>, rows: readonly Row[]) {
  const focus = await startFocus({ root: await temporaryTree({ 'a.txt': 'x', 'd/b.txt': 'x' }) });
  expect(await focus.refusedFields(tool, base)).toEqual([]);
  expect(await focus.refusedFields(tool, { ...base, surprise: 1 })).toEqual(['surprise']);
  for (const [field, bad, good] of rows) {
    for (const value of bad) {
      const fields = await focus.refusedFields(tool, { ...base, [field]: value });
      expect(
        fields.map((each) => each.split(/[.[]/)[0]),
        `${field}: ${JSON.stringify(value)?.slice(0, 60)}`,
      ).toEqual([field]);
    }
    for (const value of good) {
      expect(await focus.refusedFields(tool, { ...base, [field]: value }), `${field}: ${value}`).toEqual([]);
    }
  }
  const required = Object.keys(base);
  const without = async (field: string) => focus.refusedFields(tool, { ...base, [field]: undefined });
  for (const field of required) expect(await without(field)).toEqual([field]);
}

it('read validates each argument as the table in this test lists [FV8] [FV9] [FV10] [FV11] [F4]', async () => {
  await hold('read', { path: 'a.txt' }, [
    [
      'path',
      ['', '..', '../a', '/etc/passwd', 'a\0b', 'd/../../a', 7, null],
      ['d/../a.txt', './a.txt', 'not/there'],
    ],
    ['encoding', ['latin1', 'utf8', 8], ['utf-8']],
    QUESTION,
    MAX_OUTPUT,
  ]);
});

it('bash validates each argument as the table in this test lists [FV12] [FV13] [FV14] [FV15] [FV16] [FV17] [F4]', async () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, '']));
  await hold('bash', { cmd: 'true' }, [
    ['cmd', ['', 'x'.repeat(50_001), 'a\0b', 7], [`true ${'x'.repeat(49_990)}`]],
    CWD,
    [
      'env',
      [{ lower: 'x' }, { '1A': 'x' }, { A: 1 }, { A: 'x'.repeat(4001) }, { A: 'x\0' }, many(201), 'A=1'],
      [{ _A1: '' }, many(200)],
    ],
    TIMEOUT,
    QUESTION,
    MAX_OUTPUT,
  ]);
});

it('grep validates each argument as the table in this test lists [FV18] [FV19] [FV20] [FV21] [FV22] [FV23] [FV24] [FV25] [FV26] [F4]', async () => {
  await hold('grep', { pattern: 'x', paths: ['.'] }, [
    ['pattern', ['', 'x'.repeat(10_001), 'a\0', 7], ['x'.repeat(10_000), '-x']],
    [
      'paths',
      [[], Array(101).fill('.'), ['..'], ['a.txt', '/etc'], ['a\0'], [''], [7], '.'],
      [Array(100).fill('a.txt')],
    ],
    CWD,
    ['fixed_string', ['true', 1], [true, false]],
    ['case_sensitive', ['true', 1], [true, false]],
    TIMEOUT,
    ['max_matches', [0, 5001, 1.5, '1'], [1, 5000]],
    QUESTION,
    MAX_OUTPUT,
  ]);
});
