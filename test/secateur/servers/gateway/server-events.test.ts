import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  eventData,
  isResumable,
  messageEvent,
  readEvents,
  withEventData,
} from '../../../../packages/secateur/src/servers/gateway/server-events.ts';

async function* pieces(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  for (const [index, start] of places.slice(0, -1).entries()) yield bytes.subarray(start, places[index + 1]);
}

async function rawEvents(text: string, cuts: readonly number[] = [], maxBytes = 1e6): Promise<string[]> {
  const events: string[] = [];
  for await (const { raw } of readEvents(pieces(Buffer.from(text), cuts), { maxBytes }))
    events.push(raw.toString());
  return events;
}

const event = (text: string) => ({ raw: Buffer.from(text) });
const streamOf = (...ends: string[]) =>
  fc
    .array(fc.constantFrom('data: a', 'id: 1', ':', ' ', 'é', ...ends), { maxLength: 20 })
    .map((parts) => parts.join(''));
const anyCuts = fc.array(fc.nat(60), { maxLength: 8 });

it('[X14] the reader of event streams splits them at blank lines, with any line ends and any chunks', async () => {
  await fc.assert(
    fc.asyncProperty(streamOf('\n', '\r\n', '\n\n', '\r\n\r\n'), anyCuts, async (text, cuts) => {
      const lines = text.replaceAll('\r\n', '\n').split(/(?<=\n)/);
      const expected: string[] = [];
      let open = '';
      for (const line of lines) {
        open += line;
        if (line !== '\n') continue;
        expected.push(open);
        open = '';
      }
      if (open !== '') expected.push(`${open}\n\n`);
      const read = await rawEvents(text, cuts);
      expect(read.map((raw) => raw.replaceAll('\r\n', '\n'))).toEqual(expected);
    }),
    { numRuns: 400 },
  );
});

it('[X14] the reader of event streams returns every byte unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(streamOf('\n', '\r\n', '\n\n', '\r\n\r\n'), anyCuts, async (text, cuts) => {
      const read = (await rawEvents(text, cuts)).join('');
      expect([text, `${text}\n\n`]).toContain(read);
    }),
  );
});

it('[X14] the reader of event streams skips a byte order mark, even if it is split, and keeps other characters', async () => {
  expect(await rawEvents('\ufeffdata: 1\n\n', [1, 2])).toEqual(['data: 1\n\n']);
  expect(await rawEvents('\ufeff', [1, 2])).toEqual([]);
  expect(await rawEvents('\uff01: 1\n\n', [1, 2])).toEqual(['\uff01: 1\n\n']);
});

it('[G22] the reader of event streams accepts an event of the maximum size and rejects one byte more, in any chunks', async () => {
  expect(await rawEvents('data: 12\n\ndata: 34\n\n', [3, 12], 10)).toHaveLength(2);
  for (const cuts of [[], [4], [9]])
    await expect(rawEvents('data: 123\n\n', cuts, 10)).rejects.toMatchObject({
      code: 'response_too_large',
      message: "The upstream's answer is larger than 10 bytes",
      hint: 'Ask for less, or raise max_response_bytes.',
      data: { max_response_bytes: 10 },
    });
});

it('[X14] eventData returns the data lines of an event, except one space after each colon', () => {
  expect(eventData(event('event: x\ndata: {"a":1}\n\n')).toString()).toBe('{"a":1}');
  expect(eventData(event('data:{"a":\r\ndata:  1}\r\n\r\n')).toString()).toBe('{"a":\n 1}');
  expect(eventData(event(': data: no\ndatax: 1\n\n')).toString()).toBe('');
});

it('[X14] withEventData replaces all data lines by one line and keeps the other lines of the event', () => {
  const changed = withEventData(
    event('id: 7\r\ndata: {"a":\r\ndata: 1}\r\nevent: message\r\n\r\n'),
    Buffer.from('{"b":\n2,\r"c":3}'),
  );
  expect(changed.raw.toString()).toBe('id: 7\nevent: message\ndata: {"b": 2, "c":3}\n\n');
  for (const json of ['{"é":1}', '{"é":\n1}', '{"é":\r1}']) {
    const { raw } = withEventData(event('data: 1\n\n'), Buffer.from(json));
    expect(raw.toString()).toBe(`data: ${json.replace(/[\r\n]/, ' ')}\n\n`);
  }
});

it('[X14] isResumable returns true only for an event with a valid id', () => {
  expect(isResumable(event('data: 1\nid: 7\n\n'))).toBe(true);
  expect(isResumable(event('data: id: 7\nidea: 1\n id: 7\n\n'))).toBe(false);
  expect(messageEvent('{}').raw.toString()).toBe('event: message\ndata: {}\n\n');
});
