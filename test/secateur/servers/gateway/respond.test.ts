import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DomainError } from '../../../../packages/base/src/runtime/domain-error.ts';
import { failure } from '../../../../packages/secateur/src/servers/gateway/answer.ts';
import type { AnswerEdit } from '../../../../packages/secateur/src/servers/gateway/answer-edit.ts';
import {
  type AnswerBody,
  type ClientCall,
  readClientMessage,
  type UpstreamAnswer,
} from '../../../../packages/secateur/src/servers/gateway/client-call.ts';
import { respond } from '../../../../packages/secateur/src/servers/gateway/respond.ts';
import type { ServerEvent } from '../../../../packages/secateur/src/servers/gateway/server-events.ts';

const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';
const NEWS = '{"jsonrpc":"2.0","method":"notifications/progress"}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{}}';

/** Leaves everything as it is. */
const PLAIN: AnswerEdit = {
  body: async (bytes) => bytes,
  event: async (event) => ({ event, role: event.raw.includes('"result"') ? 'answer' : 'other' }),
};

interface Client {
  readonly message?: string;
  readonly acceptsEvents?: boolean;
  readonly edit?: Partial<AnswerEdit>;
}

/** Returns what a client gets of an upstream's response, and what `respond` throws. */
async function responded(answer: Partial<UpstreamAnswer>, client: Client = {}) {
  const call: ClientCall = {
    ...({ verb: 'POST', headers: {}, body: Buffer.alloc(0) } as const),
    acceptsEvents: client.acceptsEvents ?? false,
    message: readClientMessage(Buffer.from(client.message ?? REQUEST)),
    signal: new AbortController().signal,
  };
  let thrown: unknown;
  const url = await serving(async (response) => {
    try {
      const edit = { ...PLAIN, ...client.edit };
      await respond({ status: 200, headers: {}, body: bytes(ANSWER), ...answer }, { response, call, edit });
    } catch (error) {
      thrown = error;
      if (!response.headersSent) response.writeHead(599).end();
    }
  });
  const { status, headers, ...response } = await fetch(url).then(async (each) => ({
    status: each.status,
    headers: Object.fromEntries(each.headers),
    text: await each.text(),
  }));
  return { status, headers, text: response.text, thrown };
}

async function serving(handle: (response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((_, response) => void handle(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const bytes = (text: string): AnswerBody => ({ kind: 'bytes', bytes: Buffer.from(text) });
const event = (data: string): ServerEvent => ({ raw: Buffer.from(`data: ${data}\n\n`) });

/** Yields these events. An error among them breaks the stream. */
function stream(...all: (ServerEvent | Error)[]): AnswerBody {
  async function* events(): AsyncGenerator<ServerEvent> {
    for (const each of all) {
      if (each instanceof Error) throw each;
      yield each;
    }
  }
  return { kind: 'events', events: events() };
}

const failing = (error: Error): Partial<AnswerEdit> => ({ body: () => Promise.reject(error) });

describe('a response of the gateway in one piece', () => {
  it('[G1] the gateway returns status and headers of the upstream, and states the length of the body that it sends', async () => {
    const edit = { body: async () => Buffer.from('"é"') };
    const answer = { status: 418, headers: { 'retry-after': '3', 'content-length': '999' } };
    const { status, headers, text } = await responded(answer, { edit });
    expect([status, text]).toEqual([418, '"é"']);
    expect(headers).toMatchObject({ 'retry-after': '3', 'content-length': '4' });
  });

  it('[T1] the gateway returns 200 for a refused request and 502 for other refused messages, without the challenge', async () => {
    const refusal = { status: 401, headers: { 'www-authenticate': 'Bearer', 'retry-after': '3' } };
    const request = await responded(refusal);
    expect(request).toMatchObject({ status: 200, headers: { 'retry-after': '3' }, text: ANSWER });
    expect(request.headers).not.toHaveProperty('www-authenticate');
    const notification = await responded(refusal, { message: NEWS });
    expect(notification.status).toBe(502);
    expect(notification.headers).not.toHaveProperty('www-authenticate');
    const other = await responded({ ...refusal, status: 403 });
    expect(other).toMatchObject({ status: 403, headers: { 'www-authenticate': 'Bearer' } });
  });

  it('[G1] the gateway forwards a response without parsing if the message is not a request', async () => {
    const unread = failing(new Error('was read'));
    const { text, thrown } = await responded({ body: bytes('fine') }, { message: NEWS, edit: unread });
    expect([text, thrown]).toEqual(['fine', undefined]);
  });

  const foreign = failure('upstream_invalid_response', 'm');

  it.each([
    { status: 200, error: foreign, told: foreign },
    { status: 299, error: foreign, told: foreign },
    {
      status: 300,
      error: foreign,
      told: {
        code: 'upstream_http_error',
        message: 'The upstream answered with HTTP 300',
        data: { http_status: 300 },
        cause: foreign,
      },
    },
    { status: 500, error: new DomainError('disk_full', 'm'), told: { code: 'disk_full' } },
    { status: 500, error: new TypeError('ours'), told: new TypeError('ours') },
  ])('[G20] HTTP $status with $error.code is reported before anything is sent', async (given) => {
    const { status, thrown } = await responded({ status: given.status }, { edit: failing(given.error) });
    expect(thrown).toMatchObject(given.told);
    expect(status).toBe(599);
  });
});

describe('events of an upstream for a client that does not accept events', () => {
  it('[G1] the gateway returns the response from an event stream as JSON, with the headers of the upstream', async () => {
    const others = ['hello', NEWS, '{"id":2,"result":{}}'].map(event);
    const body = stream({ raw: Buffer.from(': hi\n\n') }, ...others, event(ANSWER), new Error('read on'));
    const edit = { body: async (answer: Buffer) => Buffer.from(`${answer} `) };
    const headers = { 'content-type': 'text/event-stream', 'mcp-session-id': 's' };
    const seen = await responded({ status: 201, headers, body }, { edit });
    expect(seen).toMatchObject({ status: 201, text: `${ANSWER} ` });
    expect(seen.headers).toMatchObject({ 'content-type': 'application/json', 'mcp-session-id': 's' });
  });

  it('[G20] the gateway treats an event stream without a response as an invalid response', async () => {
    const { thrown } = await responded({ body: stream(event(NEWS), event('{"id":2,"result":{}}')) });
    expect(thrown).toMatchObject({
      code: 'upstream_invalid_response',
      message: 'The upstream closed its event stream without an answer',
    });
  });
});

describe('events of an upstream for a client that accepts events', () => {
  const reading = { acceptsEvents: true };

  it('[G1] the gateway forwards events one by one, except responses to other requests', async () => {
    const edit: Partial<AnswerEdit> = {
      event: async (each) => ({
        event: each.raw.includes('{}') ? event('edited') : each,
        role: each.raw.includes('foreign') ? 'foreign' : 'answer',
      }),
    };
    const headers = { 'content-type': 'text/event-stream' };
    const body = stream(event('foreign'), event(ANSWER), event('more'));
    const seen = await responded({ status: 201, headers, body }, { ...reading, edit });
    expect(seen).toMatchObject({ status: 201, text: 'data: edited\n\ndata: more\n\n', thrown: undefined });
    expect(seen.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  });

  it('[G20] an event stream without a response ends with an error that has the id of the request', async () => {
    const { text, thrown } = await responded({ body: stream(event(NEWS)) }, reading);
    expect(text).toMatch(/^data: .*progress"\}\n\nevent: message\ndata: \{"jsonrpc":"2.0","id":1,"error":/);
    expect(text).toContain('The upstream closed its event stream without an answer');
    expect(thrown).toMatchObject({ code: 'upstream_invalid_response' });
  });

  it('[G20] an event stream that breaks off ends with an error that has the id of the request', async () => {
    const broken = failure('upstream_unavailable', 'it broke off');
    const { text, thrown } = await responded({ body: stream(event(NEWS), broken) }, reading);
    expect(text).toContain('"message":"it broke off"');
    expect(thrown).toBe(broken);
  });

  it('[G1] an event stream that can be resumed ends without an error', async () => {
    const resumable = { raw: Buffer.from(`id: 4\ndata: ${NEWS}\n\n`) };
    const { text, thrown } = await responded({ body: stream(resumable) }, reading);
    expect([text, thrown]).toEqual([resumable.raw.toString(), undefined]);
  });

  it('[G1] an event stream without a request ends without an error, even if it breaks off', async () => {
    const client = { ...reading, message: NEWS };
    expect(await responded({ body: stream(event(NEWS)) }, client)).toMatchObject({
      text: `data: ${NEWS}\n\n`,
      thrown: undefined,
    });
    const broken = new Error('it broke off');
    expect(await responded({ body: stream(event(NEWS), broken) }, client)).toMatchObject({
      text: `data: ${NEWS}\n\n`,
      thrown: broken,
    });
  });

  it('[G22] the gateway stops reading events after the client has disconnected', async () => {
    const read: string[] = [];
    let ended: unknown = 'still running';
    const url = await serving(async (response) => {
      async function* events(): AsyncGenerator<ServerEvent> {
        yield event('first');
        await once(response, 'close');
        yield event('second');
        yield event('third');
      }
      const edit: AnswerEdit = {
        ...PLAIN,
        event: async (each) => {
          read.push(each.raw.toString());
          return { event: each, role: 'other' };
        },
      };
      const call = { message: readClientMessage(Buffer.from(REQUEST)), acceptsEvents: true } as ClientCall;
      const answer = { status: 200, headers: {}, body: { kind: 'events', events: events() } } as const;
      ended = await respond(answer, { response, call, edit });
    });
    const client = new AbortController();
    await fetch(url, { signal: client.signal });
    client.abort();
    await expect.poll(() => ended).toBeUndefined();
    expect(read).toEqual(['data: first\n\n']);
  });
});
