import { expect, it } from 'vitest';
import { focusOf } from '../../../src/servers/hooks/focus.ts';
import type { TranscriptEntry } from '../../../src/servers/hooks/transcript.ts';

const LINE = 'const timeout = readTimeout(settings);';
const call = { tool: 'Read', id: 't2', source: { kind: 'file', path: 'src/a.ts' } } as const;
const read = (id: string, path: string): TranscriptEntry => ({
  kind: 'call',
  id,
  tool: 'Read',
  input: { file_path: path },
});
const result = (id: string, text: string): TranscriptEntry => ({ kind: 'result', id, text });

it('[A5] [P52] focusOf gives the outputs shown before, each with its call, and the call itself', () => {
  const { shown, command } = focusOf(call, [read('t1', 'src/b.ts'), result('t1', LINE)]);
  expect(shown).toEqual([{ call: 'Read src/b.ts', text: LINE }]);
  expect(command).toBe('Read src/a.ts');
});

it('[P52] focusOf names a shell command on one line', () => {
  const shell: TranscriptEntry = {
    kind: 'call',
    id: 't1',
    tool: 'Bash',
    input: { command: 'cat a.ts \\\n  b.ts' },
  };
  expect(focusOf(call, [shell, result('t1', LINE)]).shown).toEqual([
    { call: 'cat a.ts \\ b.ts', text: LINE },
  ]);
});

it('[P52] focusOf leaves out the output of the call itself and results without a known call', () => {
  expect(focusOf(call, [read('t2', 'src/a.ts'), result('t2', LINE), result('t9', LINE)]).shown).toEqual([]);
});

it('[P52] focusOf gives nothing if the event names no call id, because the output itself could be among the results', () => {
  const { id: _, ...anonymous } = call;
  expect(focusOf(anonymous, [read('t1', 'src/b.ts'), result('t1', LINE)]).shown).toEqual([]);
});

it('[P52] focusOf leaves out outputs further back than 160,000 characters', () => {
  const entries = [
    read('t0', 'old.ts'),
    result('t0', LINE),
    read('t1', 'big.ts'),
    result('t1', 'x'.repeat(160_000)),
  ];
  expect(focusOf(call, entries).shown?.map((output) => output.call)).toEqual(['Read big.ts']);
});
