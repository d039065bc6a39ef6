import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpFailure } from '../http-failure.ts';
import { isLoopbackAddress, plainAddress } from './address.ts';

export const FOREIGN_USER: HttpFailure = {
  status: 403,
  code: 'forbidden_user',
  message:
    'This server runs as a different user. Connect as that user, or send its token (Authorization: Bearer …).',
};

/** Whether the other end of a connection belongs to the account this server runs as. */
type OwnUserCheck = (socket: Socket) => boolean | Promise<boolean>;

/**
 * On Linux, looks up the user of the other end of a loopback connection, once per connection. Other systems
 * cannot: there a token has to distinguish callers.
 */
export function ownUserCheck(platform: NodeJS.Platform, ownUid: number | undefined): OwnUserCheck {
  if (platform !== 'linux' || ownUid === undefined) return () => true;
  const known = new WeakMap<Socket, boolean>();
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map(sharedReader);
  return (socket) => {
    const { remoteAddress, localAddress, remotePort, localPort } = socket;
    if (remoteAddress === undefined || localAddress === undefined) return false;
    if (!isLoopbackAddress(remoteAddress)) return true;
    const before = known.get(socket);
    if (before !== undefined) return before;
    const client = { address: plainAddress(remoteAddress), port: remotePort ?? 0 };
    const server = { address: plainAddress(localAddress), port: localPort ?? 0 };
    return ownerOf(client, server, tables).then((uid) => {
      known.set(socket, uid === ownUid);
      return uid === ownUid;
    });
  };
}

/**
 * Returns whether the kernel says that a process of this user on this machine sent a request; `false` if
 * unknown. Behind a proxy the connection belongs to the proxy and says nothing about the sender.
 */
export function strictOwnUserCheck(
  isOwnUser: OwnUserCheck,
  {
    platform,
    ownUid,
    isBehindProxy,
  }: { platform: NodeJS.Platform; ownUid: number | undefined; isBehindProxy: boolean },
): (request: IncomingMessage) => boolean | Promise<boolean> {
  if (platform !== 'linux' || ownUid === undefined || isBehindProxy) return () => false;
  return ({ socket, headers }) => {
    const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
    return !isForwarded && isLoopbackAddress(socket.remoteAddress ?? '') && isOwnUser(socket);
  };
}

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

interface End {
  readonly address: string;
  readonly port: number;
}

type TableReader = () => Promise<string>;

/**
 * Reads a table once for concurrent callers: it lists every connection of the machine and takes milliseconds.
 * A caller during a reading waits for the next one, since its connection may be newer than this one.
 */
export function sharedReader(path: string): TableReader {
  let reading: Promise<unknown> = Promise.resolve();
  let next: Promise<string> | undefined;
  return () => {
    next ??= reading.then(() => {
      next = undefined;
      const table = readFile(path, 'latin1').catch(() => '');
      reading = table;
      return table;
    });
    return next;
  };
}

async function ownerOf(
  client: End,
  server: End,
  tables: readonly TableReader[],
): Promise<number | undefined> {
  for (const read of tables) {
    const uid = ownerIn(await read(), client, server);
    if (uid !== undefined) return uid;
  }
  return undefined;
}

const TIME_WAIT = '06';

/** The account in a table of the kernel that holds the connection from `client` to `server`. */
export function ownerIn(table: string, client: End, server: End): number | undefined {
  const pairs = spellings(client).flatMap((from) => spellings(server).map((to) => ` ${from} ${to} `));
  for (const pair of pairs) {
    for (let at = table.indexOf(pair); at !== -1; at = table.indexOf(pair, at + 1)) {
      const [state, , , , uid] = table.slice(at + pair.length, table.indexOf('\n', at)).split(/ +/);
      if (state !== TIME_WAIT && uid !== undefined) return Number(uid);
    }
  }
  return undefined;
}

/** As the kernel writes addresses: words of 32 bits in the machine's byte order, an IPv4 address also as IPv6 sees it. */
function spellings({ address, port }: End): string[] {
  const portText = port.toString(16).toUpperCase().padStart(4, '0');
  if (address === '::1') return [`${'0'.repeat(24)}01000000:${portText}`];
  const bytes = Buffer.from(address.split('.').map(Number)).reverse();
  const word = bytes.toString('hex').toUpperCase();
  return [`${word}:${portText}`, `${'0'.repeat(16)}FFFF0000${word}:${portText}`];
}
