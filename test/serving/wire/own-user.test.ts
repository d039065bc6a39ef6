import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createPeerUserCheck,
  ownerIn,
  sharedReader,
} from '../../../packages/serving/src/wire/http-host/guard.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F47 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
   1: 0100007F:D431 0100007F:1F47 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
   2: 0100007F:D431 0100007F:1F47 01 00000000:00000000 02:00000000 00000000  1001        0 12 2 0 20 4 30 10 -1
   3: 0100007F:1F47 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 29 10 -1
   4: 00000000000000000000000001000000:D432 00000000000000000000000001000000:1F47 01 0:0 0:0 0 1002 0 14 1
   5: 0000000000000000FFFF00000100007F:D435 0000000000000000FFFF00000100007F:0050 01 0:0 0:0 0 1003 0 15 1
   6: 0100007F:D436 0100007F:0050 01 0:0 0:0
   7: 0100007F:D437`;

it('[X8] ownerIn returns the UID of the other end of a connection', () => {
  const end = (address: string, port: number) => ({ address, port });
  expect(ownerIn(TABLE, end('127.0.0.1', 0xd431), end('127.0.0.1', 8007))).toBe(1001);
  expect(ownerIn(TABLE, end('::1', 0xd432), end('::1', 8007))).toBe(1002);
  expect(ownerIn(TABLE, end('127.0.0.1', 0xd433), end('127.0.0.1', 8007))).toBeUndefined();
  expect(ownerIn(TABLE, end('127.0.0.2', 0xd431), end('127.0.0.1', 8007))).toBeUndefined();
  expect(ownerIn(TABLE, end('127.0.0.1', 0xd435), end('127.0.0.1', 80))).toBe(1003);
  // An incomplete line is ignored.
  expect(ownerIn(TABLE, end('127.0.0.1', 0xd436), end('127.0.0.1', 80))).toBeUndefined();
});

/** The server's end of a connection to an address of this machine. */
async function acceptedFrom(listenAt: string, callAt = listenAt): Promise<Socket> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, listenAt), 'listening');
  const client = connect((server.address() as AddressInfo).port, callAt);
  onTestFinished(() => void client.destroy());
  const connected = once(client, 'connect');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  await connected;
  return accepted;
}

const uid = process.getuid?.() ?? 0;
const addressOf = (family: string, internal: boolean) =>
  Object.values(networkInterfaces())
    .flat()
    .find((entry) => entry?.family === family && entry.internal === internal)?.address;

describe.runIf(process.platform === 'linux')('the user of a connection', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ...(addressOf('IPv6', true)
      ? [
          ['::1', '::1'],
          ['::', '127.0.0.1'],
        ]
      : []),
  ])('[X8] over %s, called at %s, the peer user is read once and remembered', async (listenAt, callAt) => {
    const socket = await acceptedFrom(listenAt, callAt);
    for (const [own, expected] of [
      [uid, true],
      [uid + 1, false],
    ] as const) {
      const isOwn = createPeerUserCheck('linux', own);
      const asked = isOwn(socket);
      expect(asked).toBeInstanceOf(Promise);
      expect(await asked).toBe(expected);
      expect(isOwn(socket)).toBe(expected);
    }
  });

  it('[X8] the peer user check returns false after the connection is closed', async () => {
    const socket = await acceptedFrom('127.0.0.1');
    socket.destroy();
    await once(socket, 'close');
    expect(createPeerUserCheck('linux', uid)(socket)).toBe(false);
  });

  it('[X8] the peer user check returns true for connections from other machines, and also if the system does not report users', async () => {
    const socket = await acceptedFrom('127.0.0.1');
    expect(createPeerUserCheck('darwin', uid + 1)(socket)).toBe(true);
    expect(createPeerUserCheck('linux', undefined)(socket)).toBe(true);
    const address = addressOf('IPv4', false);
    if (address === undefined) return;
    expect(createPeerUserCheck('linux', uid + 1)(await acceptedFrom(address))).toBe(true);
  });

  it('[X8] sharedReader returns an empty string if the kernel table cannot be read', async () => {
    expect(await sharedReader('/proc/net/no-such-table')()).toBe('');
  });
});

it('[X7] [X8] sharedReader reads the table once for all waiting requests, and never returns a table older than the request', async () => {
  const path = join((await temporaryTree({ table: 'old' })).real, 'table');
  const read = sharedReader(path);
  const first = read();
  expect(read()).toBe(first);
  // The read has begun, so a caller that arrives now may be missing in the table.
  await Promise.resolve();
  const second = read();
  expect(second).not.toBe(first);
  expect(read()).toBe(second);
  expect(await first).toBe('old');
  await writeFile(path, 'new');
  expect(await read()).toBe('new');
});

const canBeSomebodyElse = process.platform === 'linux' && process.getuid?.() === 0;

async function asNobody(port: number, path: string, token = ''): Promise<string> {
  const body = JSON.stringify(rpcRequest('ping'));
  const head = `POST ${path} HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\nContent-Type: application/json${token}\\r\\nContent-Length: ${body.length}\\r\\n\\r\\n`;
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${head}%s' '${body}' >&3; cat <&3`;
  const run = promisify(execFile)('bash', ['-c', script], {
    uid: 65_534,
    gid: 65_534,
    cwd: '/',
    timeout: 5000,
  });
  return (await run).stdout;
}

it.runIf(canBeSomebodyElse)(
  '[X8] the host refuses other users of the machine without the token',
  async () => {
    const host = await serveEcho();
    expect((await post(`${host.url}/rpc`, rpcRequest('ping'))).status).toBe(200);
    const refused = await asNobody(host.port, '/rpc');
    expect(refused).toMatch(/^HTTP\/1\.1 403/);
    expect(refused).toContain('"code":"forbidden_user"');
    const guarded = await serveEcho({ bearerToken: 'sesame' });
    const withToken = await asNobody(guarded.port, '/rpc', '\\r\\nAuthorization: Bearer sesame');
    expect(withToken).toMatch(/^HTTP\/1\.1 200/);
    const open = await serveEcho({ loopbackUsers: 'any' });
    expect(await asNobody(open.port, '/rpc')).toMatch(/^HTTP\/1\.1 200/);
  },
);

it('[X9] a web page can post only JSON, even to a raw route', async () => {
  const host = await serveEcho({
    routes: [{ kind: 'raw', path: '/raw', handle: async ({ response }) => void response.end('done') }],
  });
  const send = (headers: Record<string, string>) =>
    post(`${host.url}/raw`, '{}', headers).then(({ status }) => status);
  const origin = 'http://localhost:3000';
  expect(await send({ 'content-type': 'text/plain', origin })).toBe(415);
  expect(await send({ origin })).toBe(200);
  expect(await send({ 'content-type': 'text/plain' })).toBe(200);
  expect(await send({ 'content-type': 'Application/JSON ; charset=utf-8', origin })).toBe(200);
  expect(await send({ 'content-encoding': 'gzip', origin })).toBe(415);
  expect(await send({ 'content-encoding': 'Identity', origin })).toBe(200);
});
