import { describe, expect, it, onTestFinished } from 'vitest';
import { noProcessWatchdog } from '../../../../packages/base/src/runtime/process-watchdog.ts';
import type { ServerExit } from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio/child.ts';
import { Connection } from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio/child.ts';

/** Prints its input, so that a test sends the server's messages itself and sees the messages to the server. */
const ECHO = ['cat'];

function connect(command: readonly string[] = ECHO) {
  const heard = { questions: [] as string[], news: [] as string[], ends: [] as ServerExit[] };
  const options = {
    command,
    env: process.env,
    cwd: undefined,
    watchdog: noProcessWatchdog,
    maxResponseBytes: 2000,
  };
  const connection = new Connection(options, {
    news: (text) => void heard.news.push(text),
    question: ({ text }) => void heard.questions.push(text),
    gone: (end) => void heard.ends.push(end),
  });
  onTestFinished(() => connection.close());
  return { connection, heard };
}

/** Sends a request and notes what becomes of it. */
function ask(connection: Connection, { id = 'a', session, params = {} }: Asked = {}) {
  const became = { answers: [] as string[], errors: [] as unknown[], notified: [] as string[] };
  const idText = JSON.stringify(id);
  const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const { cancel } = connection.request(text, params, {
    ...{ idText, session, acceptsEvents: true },
    answer: (answer) => void became.answers.push(answer),
    fail: (error) => void became.errors.push(error),
    notify: (news) => {
      became.notified.push(news);
      return true;
    },
  });
  return { ...became, cancel };
}

interface Asked {
  readonly id?: unknown;
  readonly session?: string;
  readonly params?: Record<string, never> | { _meta: Record<string, string> };
}

/** Makes the server print these lines, and waits until all of them were read. */
async function says(connection: Connection, heard: { news: string[] }, ...lines: string[]) {
  for (const line of lines) connection.send(line);
  const last = `{"method":"end ${Math.random()}"}`;
  connection.send(last);
  await expect.poll(() => heard.news.at(-1)).toBe(last);
  heard.news.pop();
}

describe('[G1] a call of a stdio server', () => {
  it('Connection replaces id and progress token of a call, and restores the id of the client in the response', async () => {
    const { connection, heard } = connect();
    const first = ask(connection, { id: 'x', params: { _meta: { progressToken: 'mine' } } });
    const second = ask(connection, { id: 'x' });
    await says(connection, heard, '{"id":2,"result":{"n":2}}', '{"id":1,"error":{}}', '{"id":1,"result":{}}');
    expect(heard.questions.map((text) => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: { progressToken: 1 } } },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} },
    ]);
    expect([first.answers, second.answers]).toEqual([
      ['{"id":"x","error":{}}'],
      ['{"id":"x","result":{"n":2}}'],
    ]);
    expect(connection.pending).toEqual([]);
  });

  it('Connection restores the token of the client in progress notifications, and restores the id of the client in subscriptions', async () => {
    const { connection, heard } = connect();
    const call = ask(connection, { id: 'x', params: { _meta: { progressToken: 'mine' } } });
    const other = ask(connection, { id: 'y' });
    const about = (id: unknown) => ({ 'io.modelcontextprotocol/subscriptionId': id });
    const lines = [
      { method: 'progress', params: { progressToken: 1 } },
      { method: 'listened', params: { _meta: about(2) } },
      { method: 'progress', params: { progressToken: 2 } },
      { method: 'progress', params: { progressToken: '1' } },
      { method: 'listened', params: { _meta: about(7) } },
      { method: 'listened', params: { _meta: 'x' } },
    ].map((each) => JSON.stringify(each));
    await says(connection, heard, ...lines);
    expect(call.notified).toEqual(['{"method":"progress","params":{"progressToken":"mine"}}']);
    expect(other.notified.map((text) => JSON.parse(text).params)).toEqual([{ _meta: about('y') }]);
    expect(heard.news).toEqual(lines.slice(2));
  });

  it('Connection sends a call as one line, even if it contains line breaks', async () => {
    const { connection, heard } = connect();
    await says(connection, heard, '{"method":\r\n\n"x",\n"params":{}}');
    expect(heard.news).toEqual(['{"method": "x", "params":{}}']);
  });
});

describe('[G22] a cancelled call of a stdio server', () => {
  it('Connection cancels a call at the server once, and drops its response', async () => {
    const { connection, heard } = connect();
    const call = ask(connection);
    call.cancel();
    call.cancel();
    await says(connection, heard, '{"id":1,"result":{}}');
    expect(heard.news.map((text) => JSON.parse(text))).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'the client gave up' },
      },
    ]);
    expect([call.answers, call.errors]).toEqual([[], []]);
  });

  it('Connection cancels only the call that has the given session and id', async () => {
    const { connection, heard } = connect();
    const calls = [
      ask(connection, { id: 1, session: 's' }),
      ask(connection, { id: 1, session: 't' }),
      ask(connection, { id: '1', session: 's' }),
      ask(connection, { id: 1 }),
    ];
    connection.abandon('1', 's');
    await says(connection, heard);
    expect(calls.map(({ errors }) => errors.length)).toEqual([1, 0, 0, 0]);
    expect(calls[0]?.errors[0]).toMatchObject({
      code: 'client_gone',
      message: 'The client cancelled this call',
    });
    expect(heard.news.map((text) => JSON.parse(text).params.requestId)).toEqual([1]);
    expect(connection.pending).toHaveLength(3);
  });
});

describe('[G20] a response of a stdio server above the size limit', () => {
  const padding = 'x'.repeat(3000);

  it.each([
    ['before', `{"id": 2 ,"result":"${padding}"}`],
    ['after', `{"result":"${padding}","id" :2}`],
  ])('an oversized response with its id %s the padding fails only its own call', async (_, line) => {
    const { connection, heard } = connect();
    const [first, second] = [ask(connection), ask(connection)];
    await says(connection, heard, line, '{"id":1,"result":{}}');
    expect(second.errors).toMatchObject([{ code: 'response_too_large', data: { max_response_bytes: 2000 } }]);
    expect([first.answers.length, first.errors]).toEqual([1, []]);
    expect(connection.pending).toEqual([]);
  });

  it('a response above the limit fails all calls if its id matches no call', async () => {
    const { connection, heard } = connect();
    const calls = [ask(connection), ask(connection)];
    await says(connection, heard, `{"id":7,"result":"${padding}"}`);
    expect(calls.map(({ errors }) => errors.length)).toEqual([1, 1]);
  });
});

describe('[G24] a stdio server that exits', () => {
  it('Connection fails open calls and later calls if the server exits', async () => {
    const { connection, heard } = connect(['sh', '-c', 'echo last words >&2; read line; exit 7']);
    const call = ask(connection);
    await expect.poll(() => heard.ends).toMatchObject([{ code: 7, signal: null, lastWords: 'last words\n' }]);
    const dead = {
      code: 'upstream_unavailable',
      message: 'The upstream process ended before it answered',
      hint: 'It is started again for the next call.',
      data: { exit_code: 7, signal: null },
    };
    expect(call.errors).toMatchObject([dead]);
    expect(connection.pending).toEqual([]);
    const late = ask(connection);
    late.cancel();
    expect(late.errors).toMatchObject([dead]);
    expect(heard.ends).toHaveLength(1);
  });

  it('Connection reports different errors for a server that exited, was killed or never started', async () => {
    const killed = connect();
    const call = ask(killed.connection);
    process.kill(killed.connection.pid ?? 0, 'SIGKILL');
    await expect.poll(() => call.errors).toMatchObject([{ data: { exit_code: null, signal: 'SIGKILL' } }]);
    const missing = connect(['/no/such/program']);
    const never = ask(missing.connection);
    await expect
      .poll(() => never.errors)
      .toMatchObject([
        {
          code: 'upstream_unavailable',
          message: 'The upstream could not be started',
          hint: 'Check its command in the configuration.',
          data: { exit_code: null, signal: null },
          cause: { code: 'ENOENT' },
        },
      ]);
  });

  it('Connection reports the end of a closed server once', async () => {
    const { connection, heard } = connect();
    expect(heard.ends).toEqual([]);
    await connection.close();
    expect(heard.ends).toHaveLength(1);
    await connection.close();
  });
});
