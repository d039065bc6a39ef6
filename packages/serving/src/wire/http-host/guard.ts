import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpHostOptions } from '../http-host.ts';
import { announcedLength, type HttpFailure, httpFailure, notFound, type RouteAccess } from '../http-route.ts';
import type { TokenGrant } from '../token-file.ts';
import { allowsTool, constantTimeEquals, hasPageCookie, rulesOf, type Tokens } from '../tokens.ts';
import { isLoopbackAddress, isLoopbackName, plainAddress } from './address.ts';
import type { Exchange, RouteEntry } from './exchange.ts';

const FOREIGN_HOST = httpFailure(
  403,
  'forbidden_host',
  'The Host header names neither this machine nor an allowed host',
);

const FOREIGN_ORIGIN = httpFailure(
  403,
  'forbidden_origin',
  'Web pages of this origin may not use this server',
);

const UNAUTHORIZED: HttpFailure = {
  ...httpFailure(401, 'unauthorized', 'A bearer token is required'),
  headers: { 'www-authenticate': 'Bearer' },
};

/**
 * Creates the check of a request's headers, which runs before the body is read. The check of Host stops web
 * pages whose name resolves to 127.0.0.1. The check of Origin stops pages of other origins.
 */
export function createGuard({ host, allowedHosts = [], bearerToken, tokens }: HttpHostOptions) {
  const allowed = new Set([host, ...allowedHosts].map((name) => name.toLowerCase()));

  const isOurs = (name: string | undefined, request: IncomingMessage) =>
    name !== undefined && (isLoopbackName(name) || allowed.has(name) || name === addressCalled(request));

  const isLoggedIn = (request: IncomingMessage) =>
    (bearerToken !== undefined && hasPageCookie(request, { secret: bearerToken })) ||
    tokens?.findPageUser(request) !== undefined;

  /** Whether a caller may use a route. Named tokens may use all routes; dashboard routes show them only their own data. */
  const mayEnter = (request: IncomingMessage, access: RouteAccess) => {
    const isGuarded = bearerToken !== undefined || tokens?.required === true;
    if (!isGuarded || carriesToken(request, bearerToken)) return true;
    if (access === 'public' || tokens?.find(bearerOf(request)) !== undefined) return true;
    return access === 'page' && isLoggedIn(request);
  };

  return (request: IncomingMessage, access: RouteAccess): HttpFailure | undefined => {
    if (!isOurs(hostName(request.headers.host), request) || hasSecondHost(request)) return FOREIGN_HOST;
    const { origin } = request.headers;
    if (origin !== undefined && !isOurs(originName(origin), request)) return FOREIGN_ORIGIN;
    return mayEnter(request, access) ? undefined : UNAUTHORIZED;
  };
}

/** Whether a request has several Host headers. Node reports the first, but a proxy may use the last. */
function hasSecondHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Returns the address to which the client connected. It may be used as Host, because DNS rebinding needs a name. */
function addressCalled({ socket }: IncomingMessage): string | undefined {
  return socket.localAddress === undefined ? undefined : plainAddress(socket.localAddress);
}

/** Returns the name in a Host header: `::1` for `[::1]:8006`, `localhost` for `localhost:8006`. `undefined` if it is invalid. */
function hostName(header: string | undefined): string | undefined {
  const parts = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+))(?::\d{1,5})?$/.exec(header ?? '');
  return (parts?.[1] ?? parts?.[2])?.toLowerCase();
}

function originName(origin: string): string | undefined {
  const parts = /^https?:\/\/([^/\s]+)$/i.exec(origin);
  return hostName(parts?.[1]);
}

function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function carriesToken(request: IncomingMessage, token: string | undefined): boolean {
  const given = bearerOf(request);
  return given !== undefined && token !== undefined && constantTimeEquals(given, token);
}

/** Creates the function that serves calls with named tokens, within their limits, or refuses them. */
export function createTokenGate(
  tokens: Tokens | undefined,
  serve: (entry: RouteEntry, exchange: Exchange) => Promise<void>,
): (exchange: Exchange, entry: RouteEntry) => Promise<HttpFailure | undefined> {
  return async (exchange, entry) => {
    const grant = tokens?.required ? grantOf(tokens, exchange, entry) : undefined;
    if (tokens === undefined || grant === undefined) {
      await serve(entry, exchange);
      return undefined;
    }
    exchange.user = grant.name;
    const refusal =
      entry.access === undefined ? await refusalOf({ tokens, grant }, exchange, entry) : undefined;
    if (refusal !== undefined) return refusal;
    const { response } = exchange;
    // Called when the response closes and not when the route returns, because a route may leave a stream
    // open.
    const forget = tokens.onRevoked(grant, () => response.destroy());
    onceClosed(response, forget);
    await tokens.serve(grant, () => serve(entry, exchange));
    return undefined;
  };
}

/** Returns the grant of a request: by its token or, on dashboard routes, by the browser's cookie. */
function grantOf(tokens: Tokens, { request }: Exchange, { access }: RouteEntry): TokenGrant | undefined {
  const bearer = tokens.find(bearerOf(request));
  return bearer ?? (access === undefined ? undefined : tokens.findPageUser(request));
}

/** Returns the reason to refuse a call, or counts the call. Calls of dashboard routes do not count. */
async function refusalOf(
  { tokens, grant }: { tokens: Tokens; grant: TokenGrant },
  { request, response }: Exchange,
  { tool }: RouteEntry,
): Promise<HttpFailure | undefined> {
  if (tool !== undefined && !allowsTool(rulesOf(grant), tool)) return notFound;
  // The length of a chunked body is unknown in advance.
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  if (grant.bytesPerMinute !== undefined && isChunked) return LENGTH_REQUIRED;
  const refusal = await tokens.limits.admit(grant, announcedLength(request));
  if (refusal !== undefined) {
    const headers = { 'retry-after': String(refusal.retryAfterS) };
    return { ...httpFailure(429, 'too_many_requests', refusal.message), headers };
  }
  onceClosed(response, () => tokens.limits.release(grant));
  return undefined;
}

/** Calls `done` when the response closes, or now if the client has already disconnected. */
function onceClosed(response: ServerResponse, done: () => void): void {
  if (response.destroyed) done();
  else response.once('close', done);
}

const LENGTH_REQUIRED = httpFailure(
  411,
  'length_required',
  'This token has a limit in bytes: send Content-Length',
);

export const WRONG_USER = httpFailure(
  403,
  'forbidden_user',
  'This server runs as a different user. Connect as that user, or send its token (Authorization: Bearer …).',
);

/** Whether the other end of a connection belongs to the user that runs the server. */
type OwnUserCheck = (socket: Socket) => boolean | Promise<boolean>;

/**
 * Creates a check that looks up the user at the other end of a loopback connection, once per connection. Only
 * Linux reports this user. On other systems callers need a token.
 */
export function createPeerUserCheck(platform: NodeJS.Platform, ownUid: number | undefined): OwnUserCheck {
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
 * Creates a check whether the kernel reports that a process of the server's user on this machine sent a
 * request. `false` if this is unknown, as always behind a proxy: the connection is then the proxy's.
 */
export function createStrictPeerUserCheck(
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
 * Returns a reader of a kernel table. The table lists all connections of the machine and takes milliseconds
 * to read, so concurrent callers share one read. A caller that arrives during a read waits for the next one,
 * because its connection may not be listed yet.
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

async function ownerOf(client: End, server: End, tables: readonly TableReader[]) {
  for (const read of tables) {
    const uid = ownerIn(await read(), client, server);
    if (uid !== undefined) return uid;
  }
  return undefined;
}

const TIME_WAIT = '06';

/** Returns the UID that the kernel's table lists for the connection from `client` to `server`. */
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

/** Returns the kernel's notations of an address: words in the machine's byte order, and IPv4 also as IPv6. */
function spellings({ address, port }: End): string[] {
  const portText = port.toString(16).toUpperCase().padStart(4, '0');
  if (address === '::1') return [`${'0'.repeat(24)}01000000:${portText}`];
  const bytes = Buffer.from(address.split('.').map(Number)).reverse();
  const word = bytes.toString('hex').toUpperCase();
  return [`${word}:${portText}`, `${'0'.repeat(16)}FFFF0000${word}:${portText}`];
}
