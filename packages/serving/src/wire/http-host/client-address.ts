import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { plainAddress } from './loopback.ts';

/** Returns the client of a request: the socket's address, unless a trusted proxy names another. */
export type ClientAddress = (request: IncomingMessage) => string;

/** `10.0.0.0/8`, `192.168.1.7` or `::1`; checked when the settings are read. */
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
    // Each proxy appends whom it heard; the last address no trusted proxy vouches for is the client.
    const hops = [...named, peer];
    return hops.findLast((each) => !isTrusted(each)) ?? hops[0] ?? peer;
  };
}
