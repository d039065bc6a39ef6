import { spawn } from 'node:child_process';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serveStdio } from '../../../packages/serving/src/wire/stdio-host.ts';
import { echoServer } from './echo-server.ts';

type Message = Record<string, unknown>;

function start(options: { maxMessageBytes?: number; output?: Writable } = {}) {
  const input = new PassThrough();
  const lines: string[] = [];
  const output = options.output ?? collector(lines);
  const { maxMessageBytes } = options;
  const host = serveStdio(echoServer(), {
    input,
    output,
    ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }),
  });
  const messages = (): Message[] =>
    lines
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { input, host, messages, send: (message: unknown) => input.write(`${JSON.stringify(message)}\n`) };
}

function collector(lines: string[]): Writable {
  return new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
}

const call = (id: unknown, name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

function withMeta(message: ReturnType<typeof call>, _meta: object) {
  return { ...message, params: { ...message.params, _meta } };
}

describe('the stdio host', () => {
  test('[P7] [W13] the stdio host responds to one message per line in any chunks, and ends after its input', async () => {
    const { input, host, messages } = start();
    const text = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\r\n\n${JSON.stringify(call('b', 'echo', { text: 'hé 𝒳' }))}`;
    for (const byte of Buffer.from(text)) input.write(Buffer.from([byte]));
    input.end();
    await host.closed;
    expect(messages()).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'b', result: { content: [{ type: 'text', text: 'hé 𝒳' }] } },
    ]);
  });

  test('[W13] the stdio host ignores notifications, blank lines and unrequested responses', async () => {
    const { input, host, messages, send } = start();
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    send({ jsonrpc: '2.0', id: 9, result: {} });
    input.end('\n   \n\r\n');
    await host.closed;
    expect(messages()).toEqual([]);
  });

  test('[W13] the stdio host receives and sends ten megabytes', async () => {
    const { input, host, messages, send } = start();
    const text = 'é'.repeat(5_000_000);
    send(call(1, 'echo', { text }));
    input.end();
    await host.closed;
    const [answer] = messages() as Array<{ result: { content: Array<{ text: string }> } }>;
    expect(answer?.result.content[0]?.text === text).toBe(true);
  });

  test('[W13] the stdio host refuses a message above the size limit and serves the next one', async () => {
    const { input, host, messages, send } = start({ maxMessageBytes: 1000 });
    send(call(1, 'echo', { text: 'x'.repeat(100_000) }));
    send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    input.end();
    await host.closed;
    expect(messages()).toMatchObject([
      {
        id: null,
        error: { message: 'A message is larger than 1000 bytes', data: { code: 'input_too_large' } },
      },
      { id: 2, result: {} },
    ]);
  });

  test('[W13] the stdio host runs calls concurrently and sends each response when the call finishes', async () => {
    const { input, host, messages, send } = start();
    send(call('slow', 'slow', { steps: 0, wait_ms: 100 }));
    send(call('quick', 'echo', { text: 'x' }));
    input.end();
    await host.closed;
    expect(messages().map(({ id }) => id)).toEqual(['quick', 'slow']);
  });

  test('[W10] the stdio host sends progress before the response', async () => {
    const { input, host, messages, send } = start();
    send(withMeta(call(1, 'slow', { steps: 2, wait_ms: 0 }), { progressToken: 0 }));
    input.end();
    await host.closed;
    expect(messages()).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 0, progress: 1 } },
      { method: 'notifications/progress', params: { progressToken: 0, progress: 2 } },
      { id: 1, result: {} },
    ]);
  });

  test('[W11] the stdio host stops a cancelled call without a response, and continues other calls', async () => {
    const { input, host, messages, send } = start();
    send(call(1, 'slow', { steps: 0, wait_ms: 60_000 }));
    send(call('1', 'slow', { steps: 0, wait_ms: 20 }));
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    input.end();
    await host.closed;
    expect(messages()).toMatchObject([{ id: '1', result: {} }]);
  });

  test('[W13] the stdio host reads no further requests while the client does not read', async () => {
    let release: (() => void) | undefined;
    const output = new Writable({
      highWaterMark: 10,
      write(_chunk, _encoding, done) {
        release = done;
      },
    });
    const { input, host, send } = start({ output });
    send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await expect.poll(() => input.isPaused()).toBe(true);
    release?.();
    await expect.poll(() => input.isPaused()).toBe(false);
    await host.close();
  });

  test('[W10] the stdio host drops progress for a client that reads too slowly, but never the response', async () => {
    const lines: string[] = [];
    const output = new Writable({
      highWaterMark: 1000,
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        setTimeout(done, 1);
      },
    });
    const { input, host, send } = start({ output });
    send(withMeta(call(1, 'slow', { steps: 10_000, wait_ms: 0 }), { progressToken: 0 }));
    input.end();
    await host.closed;
    expect(lines.length).toBeLessThan(100);
    expect(JSON.parse(lines.filter(Boolean).at(-1) ?? '')).toMatchObject({ id: 1, result: {} });
  });
});

describe('the end of a stdio host', () => {
  test('[W13] the stdio host ends and cancels its calls when the reader of its output exits', async () => {
    const output = new PassThrough();
    const { host, send } = start({ output });
    send(call(1, 'slow', { steps: 0, wait_ms: 60_000 }));
    await new Promise((resolve) => setImmediate(resolve));
    output.destroy(new Error('EPIPE'));
    await host.closed;
  });

  test('[W13] closing the stdio host cancels running calls', async () => {
    const { input, host, send } = start();
    send(call(1, 'slow', { steps: 0, wait_ms: 60_000 }));
    await new Promise((resolve) => setImmediate(resolve));
    await host.close();
    expect(input.destroyed).toBe(true);
  });

  test('[W13] the stdio host returns a parse error without an id for a line that is not JSON', async () => {
    const { input, host, messages } = start();
    input.end('{"jsonrpc":\n');
    await host.closed;
    expect(messages()).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code: -32700 } }]);
  });

  test('[W13] the stdio host accepts an input stream of strings instead of bytes', async () => {
    const { input, host, messages, send } = start();
    input.setEncoding('utf8');
    send(call(1, 'echo', { text: 'hé 𝒳' }));
    input.end();
    await host.closed;
    expect(messages()).toMatchObject([{ id: 1, result: { content: [{ text: 'hé 𝒳' }] } }]);
  });

  test('[W13] the stdio host responds to all received requests before it ends if its input breaks off', async () => {
    const { input, host, messages, send } = start();
    input.on('error', () => {});
    send(call(1, 'slow', { steps: 0, wait_ms: 20 }));
    await new Promise((resolve) => setImmediate(resolve));
    input.destroy(new Error('EIO'));
    await host.closed;
    expect(messages()).toMatchObject([{ id: 1, result: {} }]);
  });

  test('[W13] the stdio host ends after the last response is written, or after its reader has exited', async () => {
    for (const takes of [true, false]) {
      let taken = false;
      const output = new Writable({
        write(_chunk, _encoding, done) {
          setTimeout(() => {
            if (!takes) return void output.destroy();
            taken = true;
            done();
          }, 50);
        },
      });
      const { input, host, send } = start({ output });
      send({ jsonrpc: '2.0', id: 1, method: 'ping' });
      input.end();
      await host.closed;
      expect(taken).toBe(takes);
    }
  });

  test('the stdio host gives each call its own request id', async () => {
    const received: unknown[] = [];
    const server = echoServer({ observer: { received: ({ requestId }) => void received.push(requestId) } });
    const [input, output] = [new PassThrough(), new PassThrough()];
    const host = serveStdio(server, { input, output, newId: () => `call-${received.length + 1}` });
    input.write(`${JSON.stringify(call(1, 'echo', { text: '' }))}\n`);
    input.end(`${JSON.stringify(call(2, 'echo', { text: '' }))}\n`);
    await host.closed;
    expect(received).toEqual(['call-1', 'call-2']);
  });

  test('[W5] the stdio host ignores malformed lines or returns an error, and serves the next request', async () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10))),
      fc.json().map((json) => Buffer.from(json)),
      fc.string().map((text) => Buffer.from(text.replaceAll('\n', ''))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { maxLength: 8 }), async (lines) => {
        const { input, host, messages } = start();
        for (const line of lines) input.write(Buffer.concat([line, Buffer.from('\n')]));
        input.end('{"jsonrpc":"2.0","id":"last","method":"ping"}');
        await host.closed;
        expect(messages().at(-1)).toEqual({ jsonrpc: '2.0', id: 'last', result: {} });
      }),
      { numRuns: 200 },
    );
  });
});

describe('the stdio host in a separate process', () => {
  const args = ['--import', 'tsx', fileURLToPath(new URL('./echo-stdio.ts', import.meta.url))];

  test('[W13] [W14] the stdio host exits by itself after the last response, also in the newest revision', async () => {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    child.stdin.write(`${JSON.stringify(withMeta(call(1, 'slow', { steps: 0, wait_ms: 50 }), meta))}\n`);
    child.stdin.end(`${JSON.stringify(call(2, 'echo', { text: 'x' }))}\n`);
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(0);
    const answers = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Message);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  });
});
