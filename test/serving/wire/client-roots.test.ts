import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, textResult } from '../../../packages/base/src/tools/tool.ts';
import { ClientRoots } from '../../../packages/serving/src/wire/http-host/client-roots.ts';
import type { HttpHostOptions } from '../../../packages/serving/src/wire/http-host.ts';
import { hashToken, writeTokenFile } from '../../../packages/serving/src/wire/token-file.ts';
import { Tokens } from '../../../packages/serving/src/wire/tokens.ts';
import { echoServer } from './echo-server.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const folders = defineTool({
  name: 'folders',
  description: 'Names the folders its client works in.',
  inputSchema: Type.Object({}),
  handle: async (_, { roots }) => textResult(roots === undefined ? 'cannot ask' : (await roots()).join()),
});

function serveFolders(options: Partial<HttpHostOptions> = {}) {
  return serveEcho({ rpc: { server: echoServer({ tools: [folders] }), paths: ['/mcp'] }, ...options });
}

describe('[F15] roots of clients over HTTP', () => {
  /** Connects a client whose root contains the number of requests for roots. */
  async function connect(url: string, headers: Record<string, string> = {}) {
    const client = new Client(
      { name: 'editor', version: '1' },
      { capabilities: { roots: { listChanged: true } } },
    );
    let asked = 0;
    client.setRequestHandler(ListRootsRequestSchema, async () => {
      asked += 1;
      return { roots: [{ uri: `file:///asked/${asked}` }] };
    });
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
    await client.connect(transport as Transport);
    onTestFinished(() => client.close());
    const named = async () => {
      const { content } = await client.callTool({ name: 'folders', arguments: {} });
      return (content as { text: string }[])[0]?.text;
    };
    return { client, transport, named };
  }

  it('the host requests roots once from a client that offers them, and again after the client reports a change', async () => {
    const { url } = await serveFolders();
    const { client, named } = await connect(url);
    expect([await named(), await named()]).toEqual(['file:///asked/1', 'file:///asked/1']);
    await client.notification({ method: 'notifications/roots/list_changed' });
    expect(await named()).toBe('file:///asked/2');
  });

  it('the host does not request roots again after a change of another client or after another notification', async () => {
    const { url } = await serveFolders();
    const [one, two] = [await connect(url), await connect(url)];
    expect([await one.named(), await two.named()]).toEqual(['file:///asked/1', 'file:///asked/1']);
    await two.client.notification({ method: 'notifications/roots/list_changed' });
    await one.client.notification({ method: 'notifications/initialized' });
    expect([await one.named(), await two.named()]).toEqual(['file:///asked/1', 'file:///asked/2']);
  });

  it('the host requests no roots from a client without event streams or from a session without roots', async () => {
    const { url } = await serveFolders();
    const session = (await connect(url)).transport.sessionId ?? '';
    const call = rpcRequest('tools/call', { name: 'folders', arguments: {} });
    const cannotAsk = { result: { content: [{ text: 'cannot ask' }] } };
    const accept = 'application/json, text/event-stream';
    expect(await (await post(`${url}/mcp`, call, { 'mcp-session-id': session })).json()).toMatchObject(
      cannotAsk,
    );
    const others: Record<string, string>[] = [{ accept, 'mcp-session-id': 'some-session' }, { accept }];
    for (const headers of others)
      expect(await (await post(`${url}/mcp`, call, headers)).json()).toMatchObject(cannotAsk);
  });

  it('the host requests no roots from a client with a named token', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'secateur-')), 'tokens.json');
    await writeTokenFile(path, [{ name: 'alice', sha256: hashToken('a-token') }]);
    const tokens = await Tokens.open({ path, clock: systemClock, onUnreadable: () => {} });
    onTestFinished(() => tokens.close());
    const { url } = await serveFolders({ tokens });
    const { named } = await connect(url, { authorization: 'Bearer a-token' });
    expect(await named()).toBe('cannot ask');
  });
});

/** Calls that ask for the roots of clients, and the questions that were sent to them. */
function askRoots() {
  const roots = new ClientRoots();
  const questions: { jsonrpc: string; id: string; method: string }[] = [];
  const ask = (session: string, signal = new AbortController().signal) =>
    roots.of(session, { send: (question) => questions.push(question as (typeof questions)[0]), signal });
  const answer = (place: number, result: unknown) => roots.answered(questions[place]?.id, result);
  return { roots, questions, ask, answer };
}

describe('[F15] requests for roots', () => {
  it('concurrent calls of a session share one request for roots; each session has its own request', async () => {
    const { questions, ask, answer } = askRoots();
    const calls = [ask('one'), ask('one'), ask('two')];
    expect(questions).toMatchObject([
      { jsonrpc: '2.0', method: 'roots/list' },
      { jsonrpc: '2.0', method: 'roots/list' },
    ]);
    answer(1, { roots: [{ uri: 'file:///two' }] });
    answer(0, { roots: [{ uri: 'file:///one' }, { uri: 'file:///more' }] });
    const one = ['file:///one', 'file:///more'];
    expect(await Promise.all(calls)).toEqual([one, one, ['file:///two']]);
  });

  it.each([
    [undefined],
    [null],
    ['file:///text'],
    [{}],
    [{ roots: 'file:///text' }],
    [{ roots: [null, 'file:///text', { uri: 7 }, {}] }],
  ])('the roots are an empty list if the client responds with %j', async (result) => {
    const { ask, answer } = askRoots();
    const call = ask('session');
    answer(0, result);
    expect(await call).toEqual([]);
  });

  it('an unrequested response does not change the roots of a session', async () => {
    const { roots, ask, answer } = askRoots();
    const call = ask('session');
    for (const id of ['another', 1, null, undefined]) roots.answered(id, { roots: [{ uri: 'file:///x' }] });
    answer(0, { roots: [{ uri: 'file:///mine' }] });
    expect(await call).toEqual(['file:///mine']);
    answer(0, { roots: [] });
    expect(await ask('session')).toEqual(['file:///mine']);
  });

  it('a waiting call requests the roots itself if the call that requested them was cancelled', async () => {
    const { questions, ask, answer } = askRoots();
    const leaving = new AbortController();
    const [left, stays] = [ask('session', leaving.signal), ask('session')];
    leaving.abort();
    expect(await left).toEqual([]);
    await expect.poll(() => questions.length).toBe(2);
    answer(1, { roots: [{ uri: 'file:///mine' }] });
    expect(await stays).toEqual(['file:///mine']);
  });

  it('the host remembers the roots of 1,000 sessions; session 1,001 makes it request all roots again', async () => {
    const { questions, ask, answer } = askRoots();
    const known = async (session: string) => {
      const before = questions.length;
      const call = ask(session);
      answer(questions.length - 1, { roots: [] });
      await call;
      return questions.length === before;
    };
    for (let session = 1; session <= 1000; session += 1) await known(String(session));
    expect([await known('1'), await known('1000')]).toEqual([true, true]);
    expect([await known('1001'), await known('1001'), await known('1')]).toEqual([false, true, false]);
  });
});
