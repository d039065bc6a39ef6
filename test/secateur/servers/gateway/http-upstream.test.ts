import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DomainError } from '../../../../packages/base/src/runtime/domain-error.ts';
import {
  type ClientCall,
  type Credentials,
  readClientMessage,
} from '../../../../packages/secateur/src/servers/gateway/client-call.ts';
import {
  type HttpUpstreamOptions,
  httpUpstream,
} from '../../../../packages/secateur/src/servers/gateway/upstreams/http.ts';
import { answering, startUpstream } from '../../../support/gateway.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';

function call(given: Partial<ClientCall> = {}, text = CALL): ClientCall {
  return {
    ...({ verb: 'POST', headers: {}, body: Buffer.from(text), acceptsEvents: false } as const),
    message: readClientMessage(Buffer.from(text)),
    signal: new AbortController().signal,
    ...given,
  };
}

function open(url: string, options: Partial<HttpUpstreamOptions> = {}) {
  const upstream = httpUpstream({ url, connectTimeoutMs: 5000, maxResponseBytes: 1000, ...options });
  onTestFinished(() => upstream.close());
  return upstream;
}

async function textOf(answer: Awaited<ReturnType<ReturnType<typeof open>['call']>>): Promise<string> {
  if (answer.body.kind === 'bytes') return answer.body.bytes.toString();
  let text = '';
  for await (const { raw } of answer.body.events) text += raw.toString();
  return text;
}

describe('a request to an HTTP upstream', () => {
  it('[G1] the gateway sends a request to the path and query of the configured URL, and accepts JSON and events in response', async () => {
    let asked: string | undefined;
    const server = await startUpstream((seen, response) => {
      asked = response.req.url;
      answering({})(seen, response);
    });
    await open(`${server.url}/a?b=c`).call(call({ headers: { 'mcp-name': 'x', accept: '*/*' } }));
    expect(asked).toBe('/rpc/a?b=c');
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      body: CALL,
      headers: {
        'mcp-name': 'x',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    });
  });

  it('[G1] the gateway forwards the Accept header of a client that accepts events, and the Accept header of a GET request', async () => {
    const server = await startUpstream((_, response) => response.end('{}'));
    const upstream = open(server.url);
    await upstream.call(call({ acceptsEvents: true, headers: { accept: 'text/event-stream' } }));
    await upstream.call(call({ verb: 'GET', message: { kind: 'none' }, headers: { accept: 'x/y' } }));
    expect(server.seen.map(({ headers }) => [headers.accept, headers['content-type']])).toEqual([
      ['text/event-stream', 'application/json'],
      ['x/y', undefined],
    ]);
    expect(server.seen[1]?.body).toBe('');
  });

  it('[G25] the gateway gives configured headers priority over headers of the client, and credentials priority over both', async () => {
    const server = await startUpstream(answering({}));
    const headers = { 'Mcp-A': 'table', 'Mcp-B': 'table' };
    const credentials: Credentials = {
      headers: async () => ({ 'MCP-A': 'secret' }),
      renew: async () => false,
    };
    const given = { 'mcp-a': 'client', 'mcp-b': 'client', 'mcp-c': 'client' };
    await open(server.url, { headers, credentials }).call(call({ headers: given }));
    expect(server.seen[0]?.headers).toMatchObject({ 'mcp-a': 'secret', 'mcp-b': 'table', 'mcp-c': 'client' });
  });

  it('[G25] [T2] the gateway sends name and password of an address as a header, and lists the address without them', async () => {
    const server = await startUpstream(answering({}));
    const upstream = open(server.url.replace('//', '//me:secret@'));
    await upstream.call(call());
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${btoa('me:secret')}`);
    expect(upstream.state()).toEqual({ kind: 'http', url: server.url, session: 'none' });
  });
});

describe('the response of an HTTP upstream', () => {
  /** More than a socket delivers in one chunk. */
  const LARGE = '0123456789'.repeat(100_000);

  it('[G1] the gateway returns the status of the upstream, and the headers that a client can use', async () => {
    const server = await startUpstream((_, response) => {
      const headers = { 'content-type': 'text/plain', allow: 'POST', 'retry-after': '1', 'mcp-x': 'y' };
      response.writeHead(418, { ...headers, 'www-authenticate': 'Basic', 'set-cookie': 'a=b', server: 'z' });
      response.end(LARGE);
    });
    const answer = await open(server.url, { maxResponseBytes: LARGE.length }).call(call());
    expect(answer).toMatchObject({
      status: 418,
      headers: {
        ...{ 'content-type': 'text/plain', allow: 'POST', 'retry-after': '1', 'mcp-x': 'y' },
        'www-authenticate': 'Basic',
      },
    });
    expect(Object.keys(answer.headers)).toHaveLength(5);
    expect(await textOf(answer)).toBe(LARGE);
  });

  it('[G20] the gateway accepts a response of exactly max_response_bytes, and rejects one byte more', async () => {
    const server = await startUpstream(({ body }, response) => response.end('x'.repeat(body.length)));
    const upstream = open(server.url, { maxResponseBytes: 100 });
    const sized = (size: number) => upstream.call(call({ body: Buffer.alloc(size) }));
    for (const size of [0, 100]) expect(await textOf(await sized(size))).toHaveLength(size);
    await expect(sized(101)).rejects.toMatchObject({ code: 'response_too_large' });
  });

  it('[G1] the gateway reads an event stream event by event', async () => {
    const server = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' });
      response.end(': hi\n\ndata: 1\n\n');
    });
    const answer = await open(server.url).call(call());
    expect(answer.body.kind).toBe('events');
    expect(await textOf(answer)).toBe(': hi\n\ndata: 1\n\n');
  });
});

describe('[G1] when the gateway opens a session for the caller', () => {
  const NEWS = '{"jsonrpc":"2.0","method":"notifications/x"}';
  const HELLO = '{"jsonrpc":"2.0","id":1,"method":"initialize"}';
  it.each<[string, ClientCall, number]>([
    ['a call', call(), 2],
    ['a call in a session', call({ headers: { 'mcp-session-id': 's' } }), 1],
    ['a handshake', call({}, HELLO), 1],
    ['a notification', call({}, NEWS), 1],
    ['a call of the newest revision', call({ headers: { 'mcp-protocol-version': '2026-07-28' } }), 1],
    ['a farewell', call({ verb: 'DELETE' }), 1],
  ])('HTTP 400 opens a session only for a call without one: %s', async (_, given, requests) => {
    const server = await startUpstream((__, response) => response.writeHead(400).end('no session'));
    const answer = await open(server.url).call(given);
    expect([answer.status, server.seen.length]).toEqual([400, requests]);
  });
});

describe('[T3] refused credentials', () => {
  const refusing = () => startUpstream((_, response) => response.writeHead(401).end('no'));
  const refusal = () => new DomainError('sign_in_required', 'sign in');

  it('the gateway renews refused credentials and repeats the call once', async () => {
    const server = await startUpstream((seen, response) => {
      if (seen.headers.authorization === 'new') answering({})(seen, response);
      else response.writeHead(401).end('no');
    });
    let current = 'old';
    const refused: unknown[] = [];
    const credentials: Credentials = {
      headers: async () => ({ authorization: current }),
      renew: async (headers) => {
        refused.push(headers);
        current = 'new';
        return true;
      },
      refusal,
    };
    const answer = await open(server.url, { credentials }).call(call());
    expect([answer.status, server.seen.length]).toEqual([200, 2]);
    expect(refused).toEqual([{ authorization: 'old' }]);
  });

  it.each([
    [true, 2],
    [false, 1],
  ])(
    'if `renew` resolves to %s and the upstream refuses every call, the call fails after %i requests',
    async (renewed, calls) => {
      const server = await refusing();
      const credentials: Credentials = { headers: async () => ({}), renew: async () => renewed, refusal };
      await expect(open(server.url, { credentials }).call(call())).rejects.toMatchObject({
        code: 'sign_in_required',
      });
      expect(server.seen).toHaveLength(calls);
      const plain = open(server.url, {
        credentials: { headers: async () => ({}), renew: async () => false },
      });
      expect((await plain.call(call())).status).toBe(401);
    },
  );

  it('the gateway does not renew credentials after a status other than 401', async () => {
    const server = await startUpstream((_, response) => response.writeHead(403).end('no'));
    const renew = () => Promise.reject(new Error('renewed'));
    const upstream = open(server.url, { credentials: { headers: async () => ({}), renew, refusal } });
    expect((await upstream.call(call())).status).toBe(403);
  });
});

describe('[G20] a failed call of an HTTP upstream', () => {
  it('a call fails with upstream_unavailable if no server listens', async () => {
    await expect(open('http://127.0.0.1:1/').call(call())).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: 'The upstream cannot be reached',
      hint: 'Check that the server is running and that its url in the configuration is right.',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('a call fails with upstream_unavailable if the upstream closes the connection without a response', async () => {
    const server = await startUpstream((_, response) => response.destroy());
    await expect(open(server.url).call(call())).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: 'The upstream closed the connection without an answer',
      cause: { code: 'UND_ERR_SOCKET' },
    });
  });

  it('a call fails with upstream_unavailable if the connection is reset', async () => {
    const server = createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const upstream = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await expect(upstream.call(call())).rejects.toMatchObject({
      message: 'The upstream closed the connection without an answer',
      cause: { code: 'ECONNRESET' },
    });
  });

  it('a call fails with upstream_unavailable if the response is incomplete, as JSON or as events', async () => {
    for (const contentType of ['application/json', 'text/event-stream']) {
      const server = await startUpstream((_, response) => {
        response
          .writeHead(200, { 'content-type': contentType, 'content-length': '1000' })
          .write('data: 1\n\n');
        setTimeout(() => response.destroy(), 20);
      });
      const read = open(server.url).call(call()).then(textOf);
      await expect(read).rejects.toMatchObject({
        code: 'upstream_unavailable',
        message: 'The upstream broke off in the middle of its answer',
        cause: expect.any(Error),
      });
    }
  });

  it('a call fails with upstream_invalid_response if the server does not use HTTP', async () => {
    const server = createServer((socket) => socket.end('220 smtp ready\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const upstream = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await expect(upstream.call(call())).rejects.toMatchObject({
      code: 'upstream_invalid_response',
      message: 'The upstream does not speak HTTP',
      cause: { name: 'HTTPParserError' },
    });
  });

  it('an aborted call of an HTTP upstream rejects with the reason of the abort, before or during the response', async () => {
    const reason = new DomainError('client_gone', 'gone');
    const client = new AbortController();
    const server = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hi\n\n');
    });
    const answer = await open(server.url).call(call({ signal: client.signal }));
    const read = textOf(answer);
    client.abort(reason);
    await expect(read).rejects.toBe(reason);
    await expect(open(server.url).call(call({ signal: client.signal }))).rejects.toBe(reason);
  });
});

it('[G24] closing an HTTP upstream ends its held session and its connections', async () => {
  const server = await startUpstream(({ body, headers, method }, response) => {
    if (body.includes('"initialize"')) response.setHeader('mcp-session-id', 's1');
    else if (method === 'POST' && headers['mcp-session-id'] === undefined) response.statusCode = 400;
    response.end('{}');
  });
  const upstream = open(server.url);
  await upstream.call(call());
  expect(upstream.state()).toMatchObject({ session: 'held' });
  expect(server.seen[1]?.headers.accept).toBe('application/json, text/event-stream');
  await upstream.close();
  expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's1' } });
  await expect(upstream.call(call())).rejects.toMatchObject({ code: 'upstream_unavailable' });
});

it('[G24] closing an HTTP upstream that was never called does nothing', async () => {
  await open('http://127.0.0.1:1/').close();
});
