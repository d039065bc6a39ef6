import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  type PlainRoute,
  plainFailureBody,
  type RawRoute,
  readBody,
} from '../../../packages/serving/src/wire/http-route.ts';
import { sendRaw } from './raw-http.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const show: PlainRoute = {
  method: 'GET',
  path: '/show/:name',
  handle: async ({ params, query }) => ({ json: { params, query: Object.fromEntries(query) } }),
};

const take: PlainRoute = {
  method: 'POST',
  path: '/take',
  handle: async ({ body }) => ({ status: 201, headers: { 'x-kind': 'taken' }, json: { body } }),
};

describe('plain routes', () => {
  test('[W9] a route receives decoded path parameters and a decoded query', async () => {
    const { url } = await serveEcho({ routes: [show] });
    const answer = await fetch(`${url}/show/a%20b%2Fc?x=1&y=%C3%A9`);
    expect(await answer.json()).toEqual({ params: { name: 'a b/c' }, query: { x: '1', y: 'é' } });
  });

  test('[W9] a question mark inside the query is part of the query', async () => {
    const { url } = await serveEcho({ routes: [show] });
    const answer = await fetch(`${url}/show/a?next=/b?c=1&y=2`);
    expect(await answer.json()).toMatchObject({ query: { next: '/b?c=1', y: '2' } });
  });

  test.each(['/show/', '/show', '/show/a/b', '/show/%ff'])(
    '[W9] the route /show/:name does not match %s',
    async (path) => {
      const { url } = await serveEcho({ routes: [show] });
      expect((await fetch(url + path)).status).toBe(404);
    },
  );

  test('[W9] a POST route receives parsed JSON and chooses status and headers', async () => {
    const { url } = await serveEcho({ routes: [take] });
    const answer = await post(`${url}/take`, { a: 1 });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-kind')).toBe('taken');
    expect(await answer.json()).toEqual({ body: { a: 1 } });
  });

  test('[W9] a POST route is not called for malformed JSON, other content types, other methods and too large bodies', async () => {
    const { url } = await serveEcho({ routes: [take], maxBodyBytes: 100 });
    expect((await post(`${url}/take`, '{')).status).toBe(400);
    expect((await post(`${url}/take`, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await fetch(`${url}/take`)).status).toBe(405);
    expect((await post(`${url}/take`, 'x'.repeat(1000))).status).toBe(413);
    expect((await post(`${url}/take`, JSON.stringify('x'.repeat(98)))).status).toBe(201);
    expect((await post(`${url}/take`, JSON.stringify('x'.repeat(99)))).status).toBe(413);
  });

  test('[W9] the size limit also applies exactly to a chunked body', async () => {
    const { url } = await serveEcho({ routes: [take], maxBodyBytes: 100 });
    const send = (text: string) => {
      const body = new Blob([JSON.stringify(text)]).stream();
      const headers = { 'content-type': 'application/json' };
      return fetch(`${url}/take`, { method: 'POST', body, duplex: 'half', headers } as RequestInit);
    };
    const fits = await send('x'.repeat(98));
    expect(await fits.json()).toEqual({ body: 'x'.repeat(98) });
    expect((await send('x'.repeat(99))).status).toBe(413);
  });

  test('[W9] the error response states what is wrong with a body', async () => {
    const { url } = await serveEcho({ routes: [take], failureBody: plainFailureBody });
    const said = async (body: string | Uint8Array<ArrayBuffer>) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/take`, { method: 'POST', body, headers });
      return ((await answer.json()) as { error: unknown }).error;
    };
    const failure = (reason: string) => ({
      code: 'invalid_json',
      message: `The body cannot be read: ${reason}`,
    });
    expect(await said('')).toEqual(failure('the body is empty'));
    expect(await said('{')).toEqual(failure('the text is not valid JSON'));
    expect(await said(new Uint8Array([0x22, 0xff, 0x22]))).toEqual(failure('the text is not valid UTF-8'));
  });

  test('[W9] a PUT route receives a body, a DELETE route does not; both receive the headers', async () => {
    const routes = (['PUT', 'DELETE'] as const).map(
      (method): PlainRoute => ({
        method,
        path: '/thing',
        handle: async ({ headers, body }) => ({ json: { who: headers['x-who'], body } }),
      }),
    );
    const { url } = await serveEcho({ routes });
    const send = async (method: string, body: string | null) =>
      (
        await fetch(`${url}/thing`, {
          method,
          body,
          headers: { 'content-type': 'application/json', 'x-who': 'me' },
        })
      ).json();
    expect(await send('PUT', '[1]')).toEqual({ who: 'me', body: [1] });
    expect(await send('DELETE', null)).toEqual({ who: 'me' });
  });

  test('[W9] a route is not called if the client disconnects before its body is complete, and no error is reported', async () => {
    const seen: unknown[] = [];
    const note: PlainRoute = {
      ...take,
      handle: async ({ body }) => {
        seen.push(body);
        return { json: {} };
      },
    };
    const { url, port } = await serveEcho({ routes: [note], onError: (error) => seen.push(error) });
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n[1]`;
    await Promise.all([
      sendRaw(port, head('/take'), { waitMs: 50 }),
      sendRaw(port, head('/rpc'), { waitMs: 50 }),
    ]);
    expect((await post(`${url}/take`, 'whole')).status).toBe(400);
    expect((await post(`${url}/take`, ['whole'])).status).toBe(200);
    expect(seen).toEqual([['whole']]);
  });

  test('[W9] a path can have routes for several methods, and a 405 response lists the methods', async () => {
    const read: PlainRoute = { method: 'GET', path: '/take', handle: async () => ({ json: 'read' }) };
    const { url } = await serveEcho({ routes: [read, take] });
    expect(await (await fetch(`${url}/take`)).json()).toBe('read');
    expect((await post(`${url}/take`, 1)).status).toBe(201);
    const refused = await fetch(`${url}/take`, { method: 'DELETE' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(await refused.json()).toMatchObject({ error: { message: 'This path answers GET, POST only' } });
  });

  test('[W9] a route can return text, and HEAD returns the headers of GET without the body', async () => {
    const page: PlainRoute = {
      method: 'GET',
      path: '/',
      handle: async () => ({ body: '<p>é</p>', headers: { 'content-type': 'text/html; charset=utf-8' } }),
    };
    const { url } = await serveEcho({ routes: [page] });
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toBe('<p>é</p>');
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '9', '']);
  });

  test('[W9] a route that throws returns 500 without the error message, and the host reports the error', async () => {
    const errors: unknown[] = [];
    const broken: PlainRoute = {
      method: 'GET',
      path: '/broken',
      handle: async () => {
        throw new Error('password=hunter2');
      },
    };
    const { url } = await serveEcho({ routes: [broken], onError: (error) => errors.push(error) });
    const answer = await fetch(`${url}/broken`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('hunter2');
    expect(errors).toHaveLength(1);
  });
});

describe('raw routes of a host', () => {
  test('[W9] a raw route receives every method, the path parameters and both streams', async () => {
    const raw: RawRoute = {
      kind: 'raw',
      path: '/api/:server/rpc',
      handle: async ({ request, response, params }) => {
        const body = await readBody(request, 1000);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${request.method} ${params.server}\n\n`);
        response.end(body.kind === 'read' ? body.bytes : body.kind);
      },
    };
    const { url } = await serveEcho({ routes: [raw] });
    for (const method of ['POST', 'GET', 'DELETE', 'PATCH']) {
      const body = method === 'GET' ? null : 'abc';
      const answer = await fetch(`${url}/api/pruner/rpc`, { method, body });
      expect(await answer.text()).toBe(`data: ${method} pruner\n\n${body ?? ''}`);
    }
  });

  test('[W11] the signal of a raw route aborts when the client disconnects', async () => {
    const seen: string[] = [];
    const raw: RawRoute = {
      kind: 'raw',
      path: '/hang',
      handle: async ({ signal }) => {
        seen.push('started');
        await once(signal, 'abort');
        seen.push('aborted');
      },
    };
    const { url } = await serveEcho({ routes: [raw] });
    const client = new AbortController();
    fetch(`${url}/hang`, { signal: client.signal }).catch(() => {});
    await expect.poll(() => seen).toEqual(['started']);
    client.abort();
    await expect.poll(() => seen).toEqual(['started', 'aborted']);
  });

  test('[W9] a raw route that throws synchronously returns 500 like other routes', async () => {
    const raw: RawRoute = {
      kind: 'raw',
      path: '/at-once',
      handle: () => {
        throw new Error('boom');
      },
    };
    const { url } = await serveEcho({ routes: [raw] });
    expect((await fetch(`${url}/at-once`)).status).toBe(500);
  });

  test('[W9] the host closes only the connection of a raw route that throws after it began its response', async () => {
    const raw: RawRoute = {
      kind: 'raw',
      path: '/half',
      handle: async ({ response }) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half');
        throw new Error('boom');
      },
    };
    const { url } = await serveEcho({ routes: [raw] });
    await expect(fetch(`${url}/half`).then((answer) => answer.text())).rejects.toThrow();
    expect((await post(`${url}/rpc`, rpcRequest('ping'))).status).toBe(200);
  });
});
