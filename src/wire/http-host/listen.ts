import type { Server } from 'node:http';
import { DomainError } from '../../runtime/domain-error.ts';

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

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  const data = { host, port };
  if (error.code === 'EADDRINUSE') {
    return new DomainError('port_in_use', `Port ${port} on ${host} is taken by another program`, {
      data,
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new DomainError('port_forbidden', `Port ${port} may not be opened by this user`, {
      data,
      cause: error,
    });
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new DomainError('host_not_available', `${host} is no address of this machine`, {
      data,
      cause: error,
    });
  }
  return error;
}
