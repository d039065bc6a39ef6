/** `localhost`, or an address that only this machine reaches. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** The address of a socket's other end, as node writes it. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopbackName(plainAddress(address));
}

/** An IPv4 address that came through an IPv6 socket, as IPv4 writes it. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
