import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import {
  type ClientCall,
  readClientMessage,
  type UpstreamAnswer,
} from '../../../../packages/secateur/src/servers/gateway/client-call.ts';
import {
  HeldSession,
  HeldSessions,
} from '../../../../packages/secateur/src/servers/gateway/upstreams/http/held-sessions.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';

function call(headers: Record<string, string> = {}): ClientCall {
  return {
    ...({ verb: 'POST', headers, body: Buffer.from(CALL), acceptsEvents: false } as const),
    message: readClientMessage(Buffer.from(CALL)),
    signal: new AbortController().signal,
  };
}

const answered = (text: string, status = 200, headers = {}): UpstreamAnswer => ({
  status,
  headers,
  body: { kind: 'bytes', bytes: Buffer.from(text) },
});
const DONE = answered('{"jsonrpc":"2.0","id":1,"result":{}}');
const REFUSED = answered('no session', 400);
const HELLO = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}';

/** A server with sessions; each `initialize` opens the next one, and only that is good. */
function sessionServer(changes: { refusal?: UpstreamAnswer; hello?: () => Promise<UpstreamAnswer> } = {}) {
  const seen: { what: string; session: string | undefined; version: string | undefined }[] = [];
  let opened = 0;
  const held = new HeldSession(async ({ verb, body, headers }) => {
    const what = verb === 'POST' ? (JSON.parse(body.toString()) as { method: string }).method : verb;
    seen.push({ what, session: headers['mcp-session-id'], version: headers['mcp-protocol-version'] });
    if (what === 'initialize') {
      opened += 1;
      return changes.hello?.() ?? answered(HELLO, 200, { 'mcp-session-id': `s${opened}` });
    }
    if (headers['mcp-session-id'] !== `s${opened}`) return changes.refusal ?? REFUSED;
    return DONE;
  });
  return { held, seen, steps: () => seen.map(({ what, session }) => `${what} ${session ?? '-'}`) };
}

const OPENING = ['tools/call -', 'initialize -', 'notifications/initialized s1', 'tools/call s1'];

it('[G1] HeldSession sends a call directly to a server without sessions, and opens no session', async () => {
  const asked: ClientCall[] = [];
  const held = new HeldSession(async (each) => {
    asked.push(each);
    return DONE;
  });
  const given = call();
  expect(await held.call(given)).toBe(DONE);
  expect(asked).toEqual([given]);
  expect(held.isHeld).toBe(false);
  await held.close();
  expect(asked).toHaveLength(1);
});

it('[G1] HeldSession opens a session at the first refusal of a server that requires one, and uses it for later calls', async () => {
  const { held, seen, steps } = sessionServer();
  expect(await held.call(call())).toBe(DONE);
  expect(held.isHeld).toBe(true);
  expect(await held.call(call())).toBe(DONE);
  expect(steps()).toEqual([...OPENING, 'tools/call s1']);
  expect(seen.slice(2).map(({ version }) => version)).toEqual(['2025-06-18', '2025-06-18', '2025-06-18']);
});

it('[G1] concurrent callers of HeldSession share one handshake', async () => {
  const { held, steps } = sessionServer();
  expect(await Promise.all([held.call(call()), held.call(call())])).toEqual([DONE, DONE]);
  expect(steps().filter((step) => step.startsWith('initialize'))).toHaveLength(1);
});

it('[G1] HeldSession opens a lost session again, once for all callers', async () => {
  let good = 's1';
  const steps: string[] = [];
  const held = new HeldSession(async ({ body, headers }) => {
    const { method } = JSON.parse(body.toString()) as { method: string };
    steps.push(`${method} ${headers['mcp-session-id'] ?? '-'}`);
    if (method === 'initialize') return answered(HELLO, 200, { 'mcp-session-id': good });
    return headers['mcp-session-id'] === good ? DONE : answered('gone', 404);
  });
  await held.call(call());
  good = 's2';
  const slow = held.call(call());
  expect(await held.call(call())).toBe(DONE);
  expect(await slow).toBe(DONE);
  expect(steps.filter((step) => step.startsWith('initialize'))).toHaveLength(2);
  expect(await held.call(call())).toBe(DONE);
  expect(steps.at(-1)).toBe('tools/call s2');
});

it('[G1] HeldSession keeps a new session when a late refusal for the old session arrives', async () => {
  let good = 's1';
  let refuse: () => void = () => {};
  const steps: string[] = [];
  const held = new HeldSession(async ({ body, headers }) => {
    const { 'mcp-name': name = '', 'mcp-session-id': session } = headers;
    const isHello = body.includes('"initialize"');
    steps.push(isHello ? 'initialize' : `${name} ${session}`);
    if (isHello) return answered(HELLO, 200, { 'mcp-session-id': good });
    if (session === good) return DONE;
    if (name === 'slow') await new Promise<void>((resolve) => (refuse = resolve));
    return REFUSED;
  });
  await held.call(call());
  good = 's2';
  const slow = held.call(call({ 'mcp-name': 'slow' }));
  expect(await held.call(call())).toBe(DONE);
  refuse();
  expect(await slow).toBe(DONE);
  expect(steps.filter((step) => step === 'initialize')).toHaveLength(2);
  expect(steps.at(-1)).toBe('slow s2');
});

it.each([
  [400, 'no JSON at all', true],
  [404, 'null', true],
  [400, '{"id":1,"error":"no session"}', true],
  [400, '{"error":{"code":1,"message":"m"}}', true],
  [400, '{"id":null,"error":{"code":1,"message":"m"}}', true],
  [400, '{"id":1,"error":{"code":-32000,"message":"m"}}', true],
  [404, '{"id":1,"error":{"code":-32001,"message":"m"}}', true],
  [400, '{"id":1,"error":{"code":-32600,"message":"m"}}', true],
  [400, '{"id":1,"error":{"code":-32602,"message":"m"}}', false],
  [500, 'no JSON at all', false],
  [401, '{"id":null,"error":{"code":-32001,"message":"m"}}', false],
])('[G21] HTTP %i with body %s opens a session: %s', async (status, text, wants) => {
  const refusal = answered(text, status);
  const { held, steps } = sessionServer({ refusal });
  expect(await held.call(call())).toBe(wants ? DONE : refusal);
  expect(steps()).toEqual(wants ? OPENING : OPENING.slice(0, 1));
});

const LOGGED = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n';

async function* events(...data: string[]) {
  for (const each of data) yield { raw: Buffer.from(each) };
}

it('[G21] HeldSession returns a refusal that is an event stream unchanged, with any status', async () => {
  const refusal: UpstreamAnswer = { status: 400, headers: {}, body: { kind: 'events', events: events() } };
  const { held } = sessionServer({ refusal });
  expect(await held.call(call())).toBe(refusal);
});

it.each([
  ['opens none', async () => answered(HELLO)],
  ['breaks off', () => Promise.reject(new Error('gone'))],
])('[G20] if the server %s, HeldSession returns the refusal', async (_, hello) => {
  const { held } = sessionServer({ hello });
  expect(await held.call(call())).toBe(REFUSED);
  expect(await held.call(call())).toBe(REFUSED);
  expect(held.isHeld).toBe(false);
});

it.each<[string, UpstreamAnswer['body'], string]>([
  ['events', { kind: 'events', events: events(': hi\n\n', `data: ${HELLO}\n\n`) }, '2025-06-18'],
  ['a log and events', { kind: 'events', events: events(LOGGED, `data: ${HELLO}\n\n`) }, '2025-06-18'],
  ['no version', { kind: 'bytes', bytes: Buffer.from('{"result":{}}') }, '2025-11-25'],
  ['no result', { kind: 'bytes', bytes: Buffer.from('{"result":null}') }, '2025-11-25'],
  ['no JSON', { kind: 'bytes', bytes: Buffer.from('hello') }, '2025-11-25'],
])('[G1] a handshake response with %s determines the revision', async (_, body, version) => {
  const hello = async () => ({ status: 200, headers: { 'mcp-session-id': 's1' }, body });
  const { held, seen } = sessionServer({ hello });
  expect(await held.call(call())).toBe(DONE);
  expect(seen.at(-1)).toEqual({ what: 'tools/call', session: 's1', version });
});

it('[G20] HeldSession opens no session if the events of the handshake contain no response', async () => {
  const body = { kind: 'events', events: events(': hi\n\n') } as const;
  const hello = async () => ({ status: 200, headers: { 'mcp-session-id': 's1' }, body });
  const { held } = sessionServer({ hello });
  expect(await held.call(call())).toBe(REFUSED);
});

it('[G1] HeldSession sends the protocol version that the caller sent', async () => {
  const { held, seen } = sessionServer();
  await held.call(call({ 'mcp-protocol-version': '2025-03-26', 'mcp-session-id': 'theirs' }));
  expect(seen.at(-1)).toEqual({ what: 'tools/call', session: 's1', version: '2025-03-26' });
});

it('[G24] close ends the session once, and does not wait for a server that has exited', async () => {
  const { held, seen } = sessionServer();
  await held.call(call());
  await held.close();
  await held.close();
  expect(seen.filter(({ what }) => what === 'DELETE')).toEqual([
    { what: 'DELETE', session: 's1', version: '2025-06-18' },
  ]);
  expect(held.isHeld).toBe(false);
  const leaving = new HeldSession(async ({ verb, body, headers }) => {
    if (verb === 'DELETE') throw new Error('gone');
    if (body.includes('"initialize"')) return answered(HELLO, 200, { 'mcp-session-id': 's1' });
    return headers['mcp-session-id'] === undefined ? REFUSED : DONE;
  });
  await leaving.call(call());
  expect(leaving.isHeld).toBe(true);
  await leaving.close();
});

it('[T19] HeldSessions opens one session per user, and each request to end a session runs as its user', async () => {
  const users = new AsyncLocalStorage<string>();
  const steps: string[] = [];
  let opened = 0;
  const sessions = new HeldSessions(async ({ verb, body, headers }) => {
    const what = verb === 'POST' ? (JSON.parse(body.toString()) as { method: string }).method : verb;
    steps.push(`${users.getStore()} ${what} ${headers['mcp-session-id'] ?? '-'}`);
    if (what !== 'initialize') return headers['mcp-session-id'] === undefined ? REFUSED : DONE;
    opened += 1;
    return answered(HELLO, 200, { 'mcp-session-id': `s${opened}` });
  });
  expect(sessions.state()).toEqual({ session: 'none' });
  const as = (user: string) => users.run(user, () => sessions.call({ ...call(), user }));
  await as('alice');
  await as('bob');
  await as('alice');
  expect(sessions.state()).toEqual({ session: 'held' });
  await sessions.close();
  expect(steps.filter((step) => step.includes('tools/call s') || step.includes('DELETE'))).toEqual([
    'alice tools/call s1',
    'bob tools/call s2',
    'alice tools/call s1',
    'alice DELETE s1',
    'bob DELETE s2',
  ]);
});
