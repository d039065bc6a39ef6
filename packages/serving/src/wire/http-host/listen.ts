import type { Server } from 'node:http';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';

/** The port the server now listens on. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port));
    server.once('error', fail);
    server.listen({ host, port }, () => {
      server.off('error', fail);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
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
