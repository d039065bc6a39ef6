import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, BlockList, isIPv6 } from 'node:net';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { HttpHostOptions } from '../http-host.ts';

/** Whether a name is `localhost` or an address that only this machine can reach. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Whether the peer address of a socket, in node's notation, is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopbackName(plainAddress(address));
}

/** Returns an IPv4 address in IPv4 notation, even if it came through an IPv6 socket (`::ffff:…`). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

/** Returns the client of a request: the address of the socket, unless a trusted proxy forwards another address. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Creates a function that finds the client behind these proxies (`10.0.0.0/8`, `::1`). They are already validated. */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

  return ({ socket, headers }) => {
    const peer = plainAddress(socket.remoteAddress ?? '');
    const named = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((each) => plainAddress(each.trim()))
      .filter((each) => each !== '');
    // Each proxy appends the address of its own client. The client is the last address that is not a trusted
    // proxy.
    const hops = [...named, peer];
    return hops.findLast((each) => !isTrusted(each)) ?? hops[0] ?? peer;
  };
}

/** Throws if the host would listen on other addresses than loopback without permission, a token or TLS. */
export function requireSafeBindAddress(options: HttpHostOptions): void {
  const { host, allowRemote = false, bearerToken, tokens, tlsTerminated = false } = options;
  if (isLoopbackName(host.toLowerCase())) return;
  if (!allowRemote) {
    throw new DomainError('remote_not_allowed', `${host} can be reached from other machines`, {
      hint: 'Listen on 127.0.0.1, or allow remote clients explicitly.',
      data: { host },
    });
  }
  if ((bearerToken === undefined || bearerToken === '') && tokens?.required !== true) {
    throw new DomainError('bearer_token_required', `Listening on ${host} needs a bearer token`, {
      hint: 'Set the token in the environment; clients send it as "Authorization: Bearer …".',
      data: { host },
    });
  }
  if (!tlsTerminated) {
    throw new DomainError('tls_required', `Tokens would cross the network to ${host} in the clear`, {
      hint: 'Put a proxy with TLS in front of the server, and set tls_terminated.',
      data: { host },
    });
  }
}

export async function listenOn(server: Server, host: string, port: number): Promise<number> {
  await once(server.listen({ host, port }), 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenFailure(error, host, port);
  });
  return (server.address() as AddressInfo).port;
}

function listenFailure(cause: NodeJS.ErrnoException, host: string, port: number): unknown {
  const notHere = ['host_not_available', `${host} is no address of this machine`] as const;
  const known: Readonly<Record<string, readonly [code: string, message: string]>> = {
    EADDRINUSE: ['port_in_use', `Port ${port} on ${host} is taken by another program`],
    EACCES: ['port_forbidden', `Port ${port} may not be opened by this user`],
    EADDRNOTAVAIL: notHere,
    ENOTFOUND: notHere,
  };
  const [code, message] = known[cause.code ?? ''] ?? [];
  return code === undefined ? cause : new DomainError(code, message ?? '', { data: { host, port }, cause });
}
