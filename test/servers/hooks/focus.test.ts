import { expect, it } from 'vitest';
import { bareLine } from '../../../src/ranking/focus/bare-line.ts';
import { textHash } from '../../../src/ranking/focus.ts';
import { focusOf } from '../../../src/servers/hooks/focus.ts';

const LINE = 'const timeout = readTimeout(settings);';
const call = { tool: 'Read', id: 't2', source: { kind: 'file', path: 'src/a.ts' } } as const;

it('[A5] knows what the agent was shown before, and that it reads a file', () => {
  const { seen, command } = focusOf(call, [{ kind: 'result', id: 't1', text: `   12\t${LINE}` }]);
  expect(seen?.has(textHash(bareLine(LINE)))).toBe(true);
  expect(command).toBe('Read src/a.ts');
});

it('[A5] does not take the output itself for something the agent has seen', () => {
  const { seen } = focusOf(call, [{ kind: 'result', id: 't2', text: LINE }]);
  expect(seen?.has(textHash(bareLine(LINE)))).toBe(false);
});
