import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noProcessWatchdog } from '../../../../packages/base/src/runtime/process-watchdog.ts';
import { Connection } from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio/child.ts';
import type { ServerProcess } from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio/processes.ts';
import {
  MessageQueue,
  Sessions,
} from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio/sessions.ts';
import {
  routeNotification,
  routeServerRequest,
} from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio.ts';
import { temporaryFolder } from '../../../support/secateur-cli.ts';

const HANDSHAKE = { key: 'a', user: undefined, initialize: undefined };
const NEWS = '{"method":"news"}';
const QUESTION = { idText: '"q"', method: 'sampling/createMessage', text: '{"id":"q","method":"sampling"}' };

function start() {
  const file = join(temporaryFolder(), 'received');
  const options = { env: process.env, cwd: undefined, watchdog: noProcessWatchdog, maxResponseBytes: 1e6 };
  const connection = new Connection(
    { ...options, command: ['sh', '-c', 'exec cat > "$0"', file] },
    { news: () => {}, question: () => {}, gone: () => {} },
  );
  onTestFinished(() => connection.close());
  const server: ServerProcess = {
    ...{ handshake: HANDSHAKE, connection, initialized: Promise.resolve(undefined) },
    ...{ ready: true, lastUsed: 0 },
  };
  let count = 0;
  const sessions = new Sessions(() => {
    count += 1;
    return `s${count}`;
  });
  /** Waits until the server was sent exactly these messages. */
  const received = async (lines: readonly object[]) => {
    const read = () => readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);
    await expect.poll(() => read().map((line) => JSON.parse(line))).toEqual(lines);
  };
  return { connection, server, sessions, received };
}

/** Returns a waiting call with the messages that it has received. */
function waiting(connection: Connection, session?: string, { acceptsEvents = true, takes = true } = {}) {
  const heard: string[] = [];
  connection.request(
    '{"id":1,"method":"x"}',
    {},
    {
      ...{ idText: '1', session, acceptsEvents, answer: () => {}, fail: () => {} },
      notify: (text) => {
        if (takes) heard.push(text);
        return takes;
      },
    },
  );
  return heard;
}

async function listened(stream: MessageQueue): Promise<string[]> {
  stream.end();
  const texts: string[] = [];
  for (let next = await stream.next(); next !== undefined; next = await stream.next()) texts.push(next.text);
  return texts;
}

const REFUSAL = {
  ...{ jsonrpc: '2.0', id: 'q' },
  error: { code: -32601, message: 'No connected client can answer this' },
};

describe('[G1] a notification of a server that belongs to no call', () => {
  it('routeNotification sends a notification to the only running call, of any client', () => {
    const { connection, server, sessions } = start();
    const listener = sessions.open(HANDSHAKE);
    listener.stream = new MessageQueue();
    const heard = waiting(connection);
    routeNotification(server, NEWS, sessions);
    expect(heard).toEqual([NEWS]);
  });

  it('routeNotification sends a notification once to every listening client, to its stream or with its latest call', async () => {
    const { connection, server, sessions } = start();
    const [streaming, calling, silent] = [1, 2, 3].map(() => sessions.open(HANDSHAKE));
    const stranger = sessions.open({ key: 'b', user: undefined, initialize: undefined });
    const stream = new MessageQueue();
    const strange = new MessageQueue();
    Object.assign(streaming ?? {}, { stream });
    stranger.stream = strange;
    const calls = [
      waiting(connection, streaming?.id),
      waiting(connection, calling?.id),
      waiting(connection, calling?.id),
      waiting(connection, calling?.id, { acceptsEvents: false }),
      waiting(connection, silent?.id, { acceptsEvents: false }),
      waiting(connection),
    ];
    routeNotification(server, NEWS, sessions);
    expect(calls).toEqual([[], [], [NEWS], [], [], []]);
    expect(await listened(stream)).toEqual([NEWS]);
    expect(await listened(strange)).toEqual([]);
  });

  it('routeNotification sends a notification to the stream if the only call does not accept events', async () => {
    const { connection, server, sessions } = start();
    const session = sessions.open(HANDSHAKE);
    session.stream = new MessageQueue();
    expect(waiting(connection, session.id, { acceptsEvents: false })).toEqual([]);
    routeNotification(server, NEWS, sessions);
    expect(await listened(session.stream)).toEqual([NEWS]);
  });
});

describe('[G1] a request of a server', () => {
  it('routeServerRequest sends a request to the latest call that accepts requests, with an id of the gateway', () => {
    const { connection, server, sessions } = start();
    const [first, second] = [sessions.open(HANDSHAKE), sessions.open(HANDSHAKE)];
    first.stream = new MessageQueue();
    const calls = [
      waiting(connection, first.id),
      waiting(connection, second.id),
      waiting(connection, first.id, { acceptsEvents: false }),
      waiting(connection, 'ended'),
      waiting(connection),
    ];
    routeServerRequest(server, QUESTION, sessions);
    const id = `secateur-${connection.pid}-q`;
    expect(calls).toEqual([[], [`{"id":"${id}","method":"sampling"}`], [], [], []]);
    expect([...second.questions]).toEqual([[JSON.stringify(id), { process: server, idText: '"q"' }]]);
    expect(first.questions.size).toBe(0);
  });

  it('routeServerRequest sends a request to a client with an open stream if no running call accepts requests', async () => {
    const { server, sessions } = start();
    const [silent, listening] = [sessions.open(HANDSHAKE), sessions.open(HANDSHAKE)];
    listening.stream = new MessageQueue();
    routeServerRequest(server, { ...QUESTION, idText: '7' }, sessions);
    expect([silent.questions.size, listening.questions.size]).toEqual([0, 1]);
    expect(await listened(listening.stream)).toHaveLength(1);
  });

  it('routeServerRequest refuses a request if no client accepts requests, or if the client does not read', async () => {
    const { connection, server, sessions, received } = start();
    const stranger = sessions.open({ key: 'b', user: undefined, initialize: undefined });
    stranger.stream = new MessageQueue();
    routeServerRequest(server, QUESTION, sessions);
    const session = sessions.open(HANDSHAKE);
    waiting(connection, session.id, { takes: false });
    routeServerRequest(server, QUESTION, sessions);
    expect(session.questions.size).toBe(0);
    await received([REFUSAL, { id: 1, method: 'x' }, REFUSAL]);
  });

  it('routeServerRequest responds to a ping itself', async () => {
    const { server, sessions, received } = start();
    routeServerRequest(server, { idText: '3', method: 'ping', text: '' }, sessions);
    await received([{ jsonrpc: '2.0', id: 3, result: {} }]);
  });
});

describe('[G1] a session of a stdio server', () => {
  it('ending a session leaves no open request and no stream', async () => {
    const { server, sessions, received } = start();
    const session = sessions.open(HANDSHAKE);
    const stream = new MessageQueue();
    session.stream = stream;
    session.questions.set('"x"', { process: server, idText: '"q"' });
    sessions.end(session);
    expect([sessions.size, session.questions.size, sessions.use('s1')]).toEqual([0, 0, undefined]);
    expect(await stream.next()).toBeUndefined();
    await received([REFUSAL]);
  });

  it('opening session 1,001 ends the session that was unused for the longest time', () => {
    const { sessions } = start();
    for (let at = 0; at < 1000; at += 1) sessions.open(HANDSHAKE);
    expect(sessions.use('s1')).toMatchObject({ id: 's1' });
    expect(sessions.size).toBe(1000);
    sessions.open(HANDSHAKE);
    expect([sessions.get('s1')?.id, sessions.get('s2'), sessions.get(undefined)]).toEqual([
      's1',
      undefined,
      undefined,
    ]);
  });

  it('closeAll ends every session and its stream', async () => {
    const { sessions } = start();
    const stream = new MessageQueue();
    sessions.open(HANDSHAKE).stream = stream;
    sessions.open(HANDSHAKE);
    sessions.closeAll();
    expect(sessions.use('s1')).toBeUndefined();
    expect(sessions.size).toBe(0);
    expect(await stream.next()).toBeUndefined();
  });
});
