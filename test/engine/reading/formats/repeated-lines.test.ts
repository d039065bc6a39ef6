import { expect, it } from 'vitest';
import { repeatedLineUnits } from '../../../../packages/engine/src/reading/repeated-lines.ts';
import { gapsOf } from './removed.ts';

const gaps = (lines: readonly string[]) => gapsOf(repeatedLineUnits(lines));
const repeat = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n));

it('[P53] repeatedLineUnits removes all but the first of ten identical lines in a row', () => {
  const lines = ['start', ...repeat(10, () => 'waiting for the server'), 'ready'];
  expect(gaps(lines)).toEqual([
    { lines: '3-11', kind: 'similar-lines', name: 'waiting for the server', count: 9 },
  ]);
});

it('repeatedLineUnits removes nothing from nine identical lines', () => {
  expect(gaps(repeat(9, () => 'waiting for the server'))).toEqual([]);
});

it('[P53] repeatedLineUnits removes all but the first and the last of twenty similar lines', () => {
  const lines = repeat(20, (n) => `copied file ${n} of 20`);
  expect(gaps(lines)).toEqual([
    { lines: '2-19', kind: 'similar-lines', name: 'copied file … of …', count: 18 },
  ]);
});

it('repeatedLineUnits removes nothing from nineteen similar lines', () => {
  expect(gaps(repeat(19, (n) => `copied file ${n} of 20`))).toEqual([]);
});

it.each(['failed to copy', 'BROKE on', '+ added', '├── package'])(
  'repeatedLineUnits labels each gap with the first word of its lines: %s',
  (words) => {
    const lines = repeat(30, (n) => `${words} file ${n}`);
    expect(gaps(lines).every(({ name }) => name.startsWith(words.split(' ')[0] ?? ''))).toBe(true);
  },
);

it('repeatedLineUnits removes no similar lines if one of them reports a failure', () => {
  const lines = repeat(30, (n) => (n === 12 ? `checked file ${n} "error"` : `checked file ${n} "fine"`));
  expect(gaps(lines)).toEqual([]);
});

it('repeatedLineUnits keeps a list of paths', () => {
  expect(gaps(repeat(40, (n) => `/srv/shop/src/cart-${n}.ts`))).toEqual([]);
});
