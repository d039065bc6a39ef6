import { expect, it } from 'vitest';
import { focusOf } from '../../../../packages/secateur/src/servers/hooks/focus.ts';
import type { TranscriptEntry } from '../../../../packages/secateur/src/servers/hooks/transcript.ts';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const LINE = 'const timeout = readTimeout(settings);';
const limits = { maxTokens: 40_000, maxAgeMs: 60 * MINUTE, now: NOW };
const call = { tool: 'Read', id: 't2', source: { kind: 'file', path: 'src/a.ts' } } as const;
const read = (id: string, path: string): TranscriptEntry => ({
  kind: 'call',
  id,
  tool: 'Read',
  input: { file_path: path },
});
const result = (id: string, text: string, at?: number): TranscriptEntry => ({
  kind: 'result',
  id,
  text,
  at: at ?? NOW - MINUTE,
});
const shownIn = (entries: readonly TranscriptEntry[], change: object = {}) =>
  focusOf(call, entries, { ...limits, ...change }).shown?.map((output) => output.call);

it('[A5] [P52] focusOf returns the outputs shown before, each with its call, and the current call', () => {
  const { shown, command } = focusOf(call, [read('t1', 'src/b.ts'), result('t1', LINE)], limits);
  expect(shown).toEqual([{ call: 'Read src/b.ts', text: LINE }]);
  expect(command).toBe('Read src/a.ts');
});

it('[P52] focusOf writes a shell command on one line', () => {
  const input = { command: 'cat a.ts \\\n  b.ts' };
  const shell: TranscriptEntry = { kind: 'call', id: 't1', tool: 'Bash', input };
  expect(shownIn([shell, result('t1', LINE)])).toEqual(['cat a.ts \\ b.ts']);
});

it('[P52] focusOf omits the output of the current call and results without a known call', () => {
  expect(shownIn([read('t2', 'src/a.ts'), result('t2', LINE), result('t9', LINE)])).toEqual([]);
});

it('[P52] focusOf returns no shown outputs if the event has no id of the current call', () => {
  const { id: _, ...anonymous } = call;
  expect(focusOf(anonymous, [read('t1', 'src/b.ts'), result('t1', LINE)], limits).shown).toEqual([]);
});

it('[P52] focusOf omits outputs that are followed by more tokens than the setting allows', () => {
  const long = 'const value = 1;\n'.repeat(9000);
  const entries = [read('t0', 'old.ts'), result('t0', LINE), read('t1', 'big.ts'), result('t1', long)];
  expect(shownIn(entries, { maxTokens: 1_000_000 })).toEqual(['Read old.ts', 'Read big.ts']);
  expect(shownIn([...entries, read('t3', 'c.ts'), result('t3', LINE)])).toEqual(['Read c.ts']);
});

it('[P52] focusOf omits outputs from before the last compaction', () => {
  const before = [read('t0', 'old.ts'), result('t0', LINE)];
  const after = [read('t1', 'new.ts'), result('t1', LINE)];
  expect(shownIn([...before, { kind: 'compaction' }, ...after])).toEqual(['Read new.ts']);
});

it('[P52] focusOf omits outputs older than the setting, and outputs of unknown age', () => {
  const entries = [
    read('t0', 'old.ts'),
    result('t0', LINE, NOW - 61 * MINUTE),
    read('t1', 'b.ts'),
    result('t1', LINE),
  ];
  expect(shownIn(entries)).toEqual(['Read b.ts']);
  expect(shownIn(entries, { maxAgeMs: 90 * MINUTE })).toEqual(['Read old.ts', 'Read b.ts']);
  expect(shownIn([read('t1', 'b.ts'), { kind: 'result', id: 't1', text: LINE }])).toEqual([]);
});

it('[P52] focusOf returns no shown outputs if a setting is 0 or the client does not report compactions', () => {
  const entries = [read('t1', 'b.ts'), result('t1', LINE)];
  expect(shownIn(entries, { maxTokens: 0 })).toEqual([]);
  expect(shownIn(entries, { maxAgeMs: 0 })).toEqual([]);
  expect(focusOf(call, entries, undefined).shown).toBeUndefined();
});
