import type { IncomingHttpHeaders } from 'node:http';
import { plainName } from '@secateur/base/text/plain-name.ts';
import { META } from './protocol.ts';

/** The name in the `clientInfo` of an `initialize`. */
export function initializedClient(params: Readonly<Record<string, unknown>>): string | undefined {
  return clientName(params.clientInfo);
}

/** The name in `_meta`, where requests of the newer revisions carry it each time. */
export function claimedClient({ _meta: meta }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof meta === 'object' && meta !== null && META.client in meta
    ? clientName(meta[META.client])
    : undefined;
}

/** Names a client that did not introduce itself by its program: `curl/8.5` → `curl`. */
export function userAgentName({ 'user-agent': agent }: IncomingHttpHeaders): string | undefined {
  const product = agent?.split(/[/\s(]/, 1)[0];
  return product === undefined || product === '' ? undefined : plainName(product);
}

/** Returns a session id that names its client: servers, one or several, then need to remember nothing. */
export function sessionIdFor(client: string | undefined, id: string): string {
  return client === undefined ? id : `${client}~${id}`;
}

export function clientOfSession(sessionId: string | undefined): string | undefined {
  const end = sessionId?.lastIndexOf('~') ?? -1;
  return sessionId === undefined || end <= 0 ? undefined : plainName(sessionId.slice(0, end));
}

/** The name in a `clientInfo`. */
export function clientName(info: unknown): string | undefined {
  if (typeof info !== 'object' || info === null || !('name' in info)) return undefined;
  return typeof info.name === 'string' && info.name !== '' ? plainName(info.name) : undefined;
}
