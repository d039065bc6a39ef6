import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { HttpFailure } from '../http-failure.ts';
import { isLoopbackAddress, plainAddress } from './loopback.ts';

export const FOREIGN_USER: HttpFailure = {
  status: 403,
  code: 'forbidden_user',
  message:
    'Another account of this machine runs this server; it answers its own account, or whoever holds its token',
};

/** Whether the other end of a connection belongs to the account this server runs as. */
export type OwnUserCheck = (socket: Socket) => boolean | Promise<boolean>;

/**
 * Linux tells whose socket the other end of a loopback connection is. Elsewhere nobody does: there a token has to tell
 * callers apart. Asked once a connection.
 */
export function ownUserCheck(platform: NodeJS.Platform, ownUid: number | undefined): OwnUserCheck {
  if (platform !== 'linux' || ownUid === undefined) return () => true;
  const known = new WeakMap<Socket, boolean>();
  return (socket) => {
    const { remoteAddress, localAddress, remotePort, localPort } = socket;
    if (remoteAddress === undefined || localAddress === undefined) return false;
    if (!isLoopbackAddress(remoteAddress)) return true;
    const before = known.get(socket);
    if (before !== undefined) return before;
    const client = { address: plainAddress(remoteAddress), port: remotePort ?? 0 };
    const server = { address: plainAddress(localAddress), port: localPort ?? 0 };
    return ownerOf(client, server).then((uid) => {
      known.set(socket, uid === ownUid);
      return uid === ownUid;
    });
  };
}

interface End {
  readonly address: string;
  readonly port: number;
}

async function ownerOf(client: End, server: End): Promise<number | undefined> {
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'latin1').catch(() => '');
    const uid = ownerIn(text, client, server);
    if (uid !== undefined) return uid;
  }
  return undefined;
}

const TIME_WAIT = '06';

/** The account in a table of the kernel that holds the connection from `client` to `server`. */
export function ownerIn(table: string, client: End, server: End): number | undefined {
  const ends = spellings(client).flatMap((from) => spellings(server).map((to) => ` ${from} ${to} `));
  for (const line of table.split('\n')) {
    if (!ends.some((pair) => line.includes(pair))) continue;
    const [, , , state, , , , uid] = line.trim().split(/ +/);
    if (state !== TIME_WAIT && uid !== undefined) return Number(uid);
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
