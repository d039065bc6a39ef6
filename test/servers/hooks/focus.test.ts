import { expect, it } from 'vitest';
import { bareLine } from '../../../src/ranking/focus/bare-line.ts';
import { textHash } from '../../../src/ranking/focus.ts';
import { rememberShown } from '../../../src/ranking/shown.ts';
import { focusOf } from '../../../src/servers/hooks/focus.ts';
import type { TranscriptEntry } from '../../../src/servers/hooks/transcript.ts';

const LINE = 'const timeout = readTimeout(settings);';
const call = { tool: 'Read', id: 't2', source: { kind: 'file', path: 'src/a.ts' } } as const;

it('[A5] knows what the agent was shown before, and that it reads a file', async () => {
  const { seen, command } = await focusOf(call, [{ kind: 'result', id: 't1', text: `   12\t${LINE}` }]);
  expect(seen?.has(textHash(bareLine(LINE)))).toBe(true);
  expect(command).toBe('Read src/a.ts');
});

it('[A5] does not take the output itself for something the agent has seen', async () => {
  const { seen } = await focusOf(call, [{ kind: 'result', id: 't2', text: LINE }]);
  expect(seen?.has(textHash(bareLine(LINE)))).toBe(false);
});

const CUT = [
  '✂ prn_4KQ7MZT05X: 90 of 120 lines cut in 2 gaps; recover_text gives lines back by number',
  '✂ 1-60',
  LINE,
  '✂ 90-119 (imports)',
];

it.each([
  ['recover_text', 'mcp__plugin_secateur_secateur__recover_text', { prune_id: 'prn_4KQ7MZT05X', ranges: [] }],
  ['the command line', 'Bash', { command: 'npx secateur recover prn_4KQ7MZT05X 1-60' }],
])(
  '[A5] [P27] knows how many gaps the run has shown, and that %s asked lines back',
  async (_, tool, input) => {
    const shown = { kind: 'result', id: 't1', text: CUT.join('\n') } as const;
    const numbered = {
      kind: 'result',
      id: 't0',
      text: CUT.map((line, at) => `${at + 1}→${line}`).join('\n'),
    } as const;
    const other = {
      kind: 'call',
      id: 'c0',
      tool: 'Bash',
      input: { command: 'grep -rn "secateur recover" docs' },
    } as const;
    const { askedBack } = await focusOf(call, [
      numbered,
      shown,
      other,
      { kind: 'call', id: 'c1', tool, input },
    ]);
    expect(askedBack).toEqual({ gaps: 4, recoveries: 1 });
  },
);

it.each([
  ['recover_text', 'recover_text', { prune_id: 'prn_4KQ7MZT05X', ranges: [{}, {}, {}] }],
  ['the command line', 'Bash', { command: 'secateur recover prn_4KQ7MZT05X 1-60 70 90-119 && npm test' }],
])('[A5] [P27] counts each range that %s asks for', async (_, tool, input) => {
  const shown = { kind: 'result', id: 't1', text: CUT.join('\n') } as const;
  const { askedBack } = await focusOf(call, [shown, { kind: 'call', id: 'c1', tool, input }]);
  expect(askedBack).toEqual({ gaps: 2, recoveries: 3 });
});

it('[A5] [P27] takes the same call again, right after it was cut, for asking back', async () => {
  const read = (id: string, path: string) =>
    ({ kind: 'call', id, tool: 'Read', input: { file_path: path } }) as const;
  const shown = (id: string, text: string) => ({ kind: 'result', id, text }) as const;
  const recoveries = (...entries: TranscriptEntry[]) =>
    focusOf(call, entries).then(({ askedBack }) => askedBack?.recoveries);
  const first = [read('t1', 'a.ts'), shown('t1', CUT.join('\n'))];
  expect(await recoveries(...first, read('t3', 'a.ts'))).toBe(1);
  expect(await recoveries(...first, read('t3', 'b.ts'))).toBe(0);
  expect(await recoveries(...first, read('t3', 'b.ts'), read('t4', 'a.ts'))).toBe(0);
  expect(await recoveries(read('t1', 'a.ts'), shown('t1', LINE), read('t3', 'a.ts'))).toBe(0);
});

it('[X25] focusOf reads the lines of many and of long entries as if each were read alone', async () => {
  const lines = Array.from({ length: 9000 }, (_, at) => `const value${at} = readValue(settings, ${at});`);
  const short = lines.slice(0, 3000).map((text): TranscriptEntry => ({ kind: 'agent', text }));
  const long: TranscriptEntry = { kind: 'result', id: 't1', text: lines.slice(3000).join('\n') };
  const alone = new Set<number>();
  for (const entry of [...short, long]) if ('text' in entry) rememberShown(alone, entry.text);
  const { seen } = await focusOf(call, [...short, long]);
  expect([...(seen ?? [])].sort()).toEqual([...alone].sort());
});
