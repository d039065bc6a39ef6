import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLines } from '../../packages/base/src/text/lines.ts';
import { recoverTextTool, recoveryErrorCodes } from '../../packages/engine/src/recover-text.ts';
import type { NumberedText } from '../../packages/engine/src/recovery/notes.ts';
import { createRecovery } from '../../packages/engine/src/recovery/recovery.ts';
import { MemoryStore } from '../../packages/engine/src/recovery/stores/memory.ts';
import { createDispatcher } from '../../packages/serving/src/wire/dispatcher.ts';
import { handClock } from '../support/hand-clock.ts';

async function recoveryOf(text: string, maxRecoveredBytes = 10_000) {
  const store = new MemoryStore({ ttlMs: 1e6, maxBytes: 1e9, clock: handClock(), randomBytes });
  const recovery = createRecovery({ store, randomBytes, maxRecoveredBytes });
  const { id } = await recovery.remember(text, []);
  return { recovery, id };
}

async function stored(text: string, maxRecoveredBytes?: number) {
  const { recovery, id } = await recoveryOf(text, maxRecoveredBytes);
  const tools = [recoverTextTool({ recovery, byCharacters: true })];
  const dispatcher = createDispatcher({ name: 't', version: '1', tools, errorCodes: recoveryErrorCodes });
  const signal = new AbortController().signal;
  const call = async (ranges: object[], include_line_numbers = false) => {
    const args = { prune_id: id, ranges, include_line_numbers };
    const result = await dispatcher.run('tools/call', { name: 'recover_text', arguments: args }, { signal });
    const [content] = result.content as { text: string }[];
    return (JSON.parse(content?.text ?? '') as { raw_text: string }).raw_text;
  };
  return call;
}

const refused = { code: -32005, data: { code: 'invalid_range', max_bytes: 10_000, max_ranges: 1000 } };

it('[X3] recover_text refuses ranges that together exceed the size limit, and its hint states the next step', async () => {
  const call = await stored('0123456789\n'.repeat(900));
  expect(await call([{ start_line: 1, end_line: 900 }])).toHaveLength(9899);
  const twice = [
    { start_line: 1, end_line: 900 },
    { start_line: 1, end_line: 900 },
  ];
  await expect(call(twice)).rejects.toMatchObject(refused);
  await expect(call(twice)).rejects.toMatchObject({
    data: { hint: expect.stringContaining('go on after the last one') },
  });
});

it('[X3] recover_text counts bytes against its size limit, including the bytes of line numbers', async () => {
  const accents = await stored('é'.repeat(6000));
  await expect(accents([{ start_line: 1, end_line: 1 }])).rejects.toMatchObject(refused);
  const blank = await stored('\n'.repeat(3000));
  expect(await blank([{ start_line: 1, end_line: 3000 }])).toHaveLength(2999);
  await expect(blank([{ start_line: 1, end_line: 3000 }], true)).rejects.toMatchObject(refused);
});

it('[X3] recover_text accepts at most a thousand ranges', async () => {
  const call = await stored('a\nb\n');
  const ranges = Array.from({ length: 1001 }, () => ({ start_line: 2, end_line: 2 }));
  expect((await call(ranges.slice(1))).split('\n')).toHaveLength(1000);
  await expect(call(ranges)).rejects.toMatchObject(refused);
});

it('[X3] recover_text refuses a thousand ranges of a large text before it builds the result', async () => {
  const call = await stored('x'.repeat(99).concat('\n').repeat(200_000));
  const ranges = Array.from({ length: 1000 }, () => ({ start_line: 1, end_line: 200_000 }));
  await expect(call(ranges)).rejects.toMatchObject(refused);
});

it('recover_text numbers the lines of a character range by their position in the whole text', async () => {
  const call = await stored('ab\ncd\nef\n');
  expect(await call([{ start_line: 1, end_line: 3, start_char: 5 }], true)).toBe('2│ d\n3│ ef');
});

it('[P15] recover_text splits a text into the same lines as splitLines', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é'), minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, fc.nat(), fc.nat(), async (whole, from, count) => {
      const lines = splitLines(whole);
      const start = 1 + (from % lines.length);
      const end = Math.min(lines.length, start + (count % lines.length));
      const call = await stored(whole);
      expect(await call([{ start_line: start, end_line: end }])).toBe(lines.slice(start - 1, end).join('\n'));
    }),
  );
});

it('[F19] [F23] recover_text returns a character range of a long line', async () => {
  const { recovery, id } = await recoveryOf('ab😀cd'.repeat(1000));
  const tool = recoverTextTool({ recovery, forAgents: true });
  const ranges = [{ start_line: 1, end_line: 1, start_char: 7, end_char: 12 }];
  const result = await tool.call(
    { prune_id: id, ranges },
    {
      signal: new AbortController().signal,
      requestId: '1',
      progress: () => {},
    },
  );
  expect(JSON.stringify(result)).toContain('1│ ab😀cd');
});

async function agentAnswer(text: string | NumberedText, args: object, asText = true): Promise<string> {
  const store = new MemoryStore({ ttlMs: 1e6, maxBytes: 1e9, clock: handClock(), randomBytes });
  const recovery = createRecovery({ store, randomBytes });
  const { id } = await recovery.claim(text, []);
  const tools = [recoverTextTool({ recovery, forAgents: true, asText })];
  const dispatcher = createDispatcher({ name: 't', version: '1', tools, errorCodes: recoveryErrorCodes });
  const params = { name: 'recover_text', arguments: { prune_id: id, ...args } };
  const { content } = await dispatcher.run('tools/call', params, { signal: new AbortController().signal });
  return (content as { text: string }[])[0]?.text ?? '';
}

const TWO_RANGES = {
  ranges: [
    { start_line: 102, end_line: 103 },
    { start_line: 105, end_line: 190 },
  ],
};
const FROM_101 = { text: 'a\nb\nc\nd\ne', numbering: { kind: 'from', firstLine: 101 } } as const;

it('[A14] recover_text returns several ranges as plain text, each after a line with its line numbers [A16]', async () => {
  expect(await agentAnswer(FROM_101, TWO_RANGES)).toBe(
    'lines 102-103:\n102│ b\n103│ c\nlines 105-105:\n105│ e',
  );
  expect(await agentAnswer(FROM_101, { ranges: [{ start_line: 104, end_line: 104 }] })).toBe('104│ d');
});

it('[P30] recover_text joins ranges by line breaks only if line numbers are off', async () => {
  expect(await agentAnswer(FROM_101, { ...TWO_RANGES, include_line_numbers: false })).toBe('b\nc\ne');
});

it('[A16] recover_text adds no line numbers to lines that begin with a printed number', async () => {
  const text = { text: '3:a\n17:b\n90:c', numbering: { kind: 'shown' } } as const;
  expect(await agentAnswer(text, { ranges: [{ start_line: 17, end_line: 90 }] })).toBe('17:b\n90:c');
});

it('[A14] recover_text returns JSON if the client shows structured content', async () => {
  const answer = JSON.parse(await agentAnswer(FROM_101, TWO_RANGES, false));
  expect(answer.metadata.ranges).toEqual([
    { start_line: 102, end_line: 103 },
    { start_line: 105, end_line: 105 },
  ]);
});
