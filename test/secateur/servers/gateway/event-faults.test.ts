import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventData, readEvents } from '../../../../packages/secateur/src/servers/gateway/server-events.ts';
import { MessageQueue } from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio/sessions.ts';
import { startGateway, startUpstream } from '../../../support/gateway.ts';

const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'read', arguments: {} } };
const accept = 'application/json, text/event-stream';

async function through(events: string) {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events);
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const text = await (await gateway.post('files', request, { accept })).text();
  const [server] = await gateway.servers();
  return { text, circuit: server?.circuit };
}

const answerTo = (id: unknown, text = 'fine') =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

it('[X14] an event stream without a response returns an error, which the circuit breaker counts', async () => {
  const news = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}';
  const { text, circuit } = await through(`data: ${news}\n\n`);
  expect(text).toMatch(/"id":7,"error":\{"code":-31004/);
  expect(circuit).toMatchObject({ failures: 1 });
});

it('[X14] an event stream that the client can resume may end before the response', async () => {
  const { text, circuit } = await through('id: 1\ndata: {"jsonrpc":"2.0","method":"x"}\n\n');
  expect(text).toBe('id: 1\ndata: {"jsonrpc":"2.0","method":"x"}\n\n');
  expect(circuit).toMatchObject({ failures: 0 });
});

it('[X14] the gateway drops responses without a matching request', async () => {
  const { text } = await through(`data: ${answerTo(8, 'not yours')}\n\ndata: ${answerTo(7)}\n\n`);
  expect(text).toContain('fine');
  expect(text).not.toContain('not yours');
});

it('[X14] the gateway masks a response in an event stream that begins with a byte order mark', async () => {
  const { text } = await through(`\ufeffdata: ${answerTo(7, 'long line\n'.repeat(5000))}\n\n`);
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain('prn_');
});

it('[X14] the gateway reads the same events from a stream however it is split into chunks, and with any line ends', async () => {
  const payloads = ['{"a":1}', '{"b":"\\n"}', '{}'];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.array(fc.nat(80), { maxLength: 8 }),
      async (end, marked, cuts) => {
        const text = payloads.map((json) => `event: message${end}data: ${json}${end}${end}`).join('');
        const bytes = Buffer.from(`${marked ? '\ufeff' : ''}${text}`);
        const read: string[] = [];
        for await (const event of readEvents(pieces(bytes, cuts), { maxBytes: 1e6 }))
          read.push(eventData(event).toString());
        expect(read).toEqual(payloads);
      },
    ),
  );
});

async function* pieces(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  for (const [index, start] of places.slice(0, -1).entries()) yield bytes.subarray(start, places[index + 1]);
}

it('[X6] MessageQueue keeps a limited number of messages for a client that does not read, and never drops the response', async () => {
  const queue = new MessageQueue();
  const kept = Array.from({ length: 50_000 }, () => queue.push({ text: 'x'.repeat(100), isAnswer: false }));
  expect(kept.filter(Boolean).length).toBeLessThanOrEqual(1000);
  expect(queue.push({ text: 'answer', isAnswer: true })).toBe(true);
  queue.end();
  const texts: string[] = [];
  for (let next = await queue.next(); next !== undefined; next = await queue.next()) texts.push(next.text);
  expect(texts.at(-1)).toBe('answer');
});
