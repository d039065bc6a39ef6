import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpFailure } from '../http-failure.ts';
import type { RouteAccess } from '../http-route.ts';
import { hasPageCookie } from '../page-cookie.ts';
import type { Tokens } from '../tokens.ts';
import { isLoopbackName, plainAddress } from './loopback.ts';

export interface GuardRules {
  /** Names and addresses, beside loopback ones, under which the host may be asked; lower case, without ports. */
  readonly allowedHosts: readonly string[];
  readonly bearerToken: string | undefined;
  /** Named tokens: each of them opens the door too. */
  readonly tokens?: Tokens | undefined;
}

export type Guard = (request: IncomingMessage, access: RouteAccess) => HttpFailure | undefined;

const FOREIGN_HOST: HttpFailure = {
  status: 403,
  code: 'forbidden_host',
  message: 'The Host header names neither this machine nor an allowed host',
};

const FOREIGN_ORIGIN: HttpFailure = {
  status: 403,
  code: 'forbidden_origin',
  message: 'Web pages of this origin may not use this server',
};

const UNAUTHORIZED: HttpFailure = {
  status: 401,
  code: 'unauthorized',
  message: 'A bearer token is required',
  headers: { 'www-authenticate': 'Bearer' },
};

/**
 * Looks at headers only, so that no body is read before its sender is trusted. A web page that points its own name at 127.0.0.1
 * is stopped by the Host check, one that calls us across origins by the Origin check.
 */
export function createGuard({ allowedHosts, bearerToken, tokens }: GuardRules): Guard {
  const allowed = new Set(allowedHosts);
  const token = bearerToken === undefined ? undefined : digest(bearerToken);

  const isOurs = (name: string | undefined, request: IncomingMessage) =>
    name !== undefined && (isLoopbackName(name) || allowed.has(name) || name === addressCalled(request));

  const isLoggedIn = (request: IncomingMessage) =>
    (bearerToken !== undefined && hasPageCookie(request, { secret: bearerToken })) ||
    tokens?.findPageUser(request) !== undefined;

  /** A named token opens the tools, and the page for what is its own. */
  const mayEnter = (request: IncomingMessage, access: RouteAccess) => {
    const isGuarded = token !== undefined || tokens?.required === true;
    if (!isGuarded || carriesToken(request, token)) return true;
    if (access === 'public' || tokens?.find(bearerOf(request)) !== undefined) return true;
    return access === 'page' && isLoggedIn(request);
  };

  return (request, access) => {
    if (!isOurs(hostName(request.headers.host), request) || hasSecondHost(request)) return FOREIGN_HOST;
    const { origin } = request.headers;
    if (origin !== undefined && !isOurs(originName(origin), request)) return FOREIGN_ORIGIN;
    return mayEnter(request, access) ? undefined : UNAUTHORIZED;
  };
}

/** Node shows the first Host header only; a proxy before us may use the last. */
function hasSecondHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** The address the client connected to: asking for it by number is never a trick with names. */
function addressCalled({ socket }: IncomingMessage): string | undefined {
  return socket.localAddress === undefined ? undefined : plainAddress(socket.localAddress);
}

/** `[::1]:8006` → `::1`, `localhost:8006` → `localhost`; `undefined` if it is not a host. */
function hostName(header: string | undefined): string | undefined {
  const parts = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+))(?::\d{1,5})?$/.exec(header ?? '');
  return (parts?.[1] ?? parts?.[2])?.toLowerCase();
}

function originName(origin: string): string | undefined {
  const parts = /^https?:\/\/([^/\s]+)$/i.exec(origin);
  return hostName(parts?.[1]);
}

export function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

function carriesToken(request: IncomingMessage, token: Buffer | undefined): boolean {
  const given = bearerOf(request);
  return given !== undefined && token !== undefined && timingSafeEqual(digest(given), token);
}

/** Whether a request carries this very token. */
export function tokenCheck(token: string): (request: IncomingMessage) => boolean {
  const expected = digest(token);
  return (request) => carriesToken(request, expected);
}

/** Equal lengths for every input, so that the comparison reveals nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
