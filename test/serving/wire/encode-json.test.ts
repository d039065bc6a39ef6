import { PassThrough } from 'node:stream';
import { text as textFrom } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, textResult } from '../../../packages/base/src/tools/tool.ts';
import {
  answerTo,
  type EncodedJson,
  encodeJson,
} from '../../../packages/serving/src/wire/messages/rpc-message.ts';
import { serveStdio } from '../../../packages/serving/src/wire/stdio-host.ts';
import { echoServer } from './echo-server.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

function textOf(json: EncodedJson): string {
  return typeof json === 'string' ? json : Buffer.concat(json).toString('utf8');
}

const LONG = 300_000;

describe('encodeJson', () => {
  it.each([
    ['line breaks', 'x\n'.repeat(LONG)],
    ['control characters', '\u0001'.repeat(LONG)],
    ['pairs of surrogates', `a${'😀'.repeat(LONG)}`],
    ['a lone surrogate', `${'a'.repeat(262_143)}\ud83d${'b'.repeat(LONG)}`],
    ['quotes', '"\\'.repeat(LONG)],
  ])('encodeJson encodes a long text of %s as JSON.stringify does, in slices [X25]', async (_, text) => {
    const answer = {
      jsonrpc: '2.0',
      id: 7,
      result: {
        content: [{ type: 'text', text }, 'short', null, [], undefined],
        structuredContent: { tool: 'read', nothing: undefined, 'a "key"': text, list: [1, 2], after: {} },
      },
    };
    const encoded = await encodeJson(answer);
    expect(typeof encoded).toBe('object');
    expect(textOf(encoded) === JSON.stringify(answer)).toBe(true);
  });

  it('encodeJson encodes any JSON value as JSON.stringify does [X25]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.boolean(), async (value, isLong) => {
        const given = isLong ? { first: value, long: 'é'.repeat(LONG), last: [value] } : value;
        expect(textOf(await encodeJson(given))).toBe(JSON.stringify(given));
      }),
      { numRuns: 30 },
    );
  });

  it('encodeJson lets the event loop run between the slices of a long text [X25]', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await encodeJson({ text: 'x'.repeat(10 * LONG) });
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(5);
  });
});

it('answerTo also replaces the id in a response that is encoded in slices [W1] [X25]', async () => {
  const text = 'x'.repeat(2 * LONG);
  const encoded = await encodeJson({ jsonrpc: '2.0', id: 9007199254740992, result: { text } });
  const answered = textOf(answerTo('9007199254740993', encoded));
  expect(answered === `{"jsonrpc":"2.0","id":9007199254740993,"result":{"text":"${text}"}}`).toBe(true);
});

describe('a long response', () => {
  const text = 'é\n'.repeat(500_000);
  const long = defineTool({
    name: 'long',
    description: 'Reports progress, then answers a long text.',
    inputSchema: Type.Object({}),
    handle: async (_, { progress }) => {
      progress({ progress: 1 });
      return textResult(text);
    },
  });
  const server = echoServer({ tools: [long] });
  const call = (_meta: object) => rpcRequest('tools/call', { name: 'long', arguments: {}, _meta });
  const expected = JSON.stringify({ jsonrpc: '2.0', id: 1, result: textResult(text) });

  it('a long response arrives completely over HTTP, as JSON with its length [W1] [X25]', async () => {
    const { url } = await serveEcho({ rpc: { server, paths: ['/mcp'] } });
    const answer = await post(`${url}/mcp`, call({}));
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(expected)));
    expect((await answer.text()) === expected).toBe(true);
  });

  it('a long response arrives completely as a server-sent event after progress [W10] [X25]', async () => {
    const { url } = await serveEcho({ rpc: { server, paths: ['/mcp'] } });
    const accept = 'application/json, text/event-stream';
    const answer = await post(`${url}/mcp`, call({ progressToken: 'p' }), { accept });
    const [, event] = (await answer.text()).split('\n\n');
    expect(event === `event: message\ndata: ${expected}`).toBe(true);
  });

  it('a long response arrives completely as one line over stdio [W13] [X25]', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const written = textFrom(output);
    const host = serveStdio(server, { input, output });
    input.end(`${JSON.stringify(call({}))}\n`);
    await host.closed;
    output.end();
    const lines = (await written).split('\n');
    expect(lines.length).toBe(2);
    expect(lines[0] === expected).toBe(true);
  });
});
