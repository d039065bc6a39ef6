import type { RpcServer } from '../wire/rpc-server.ts';
import { serveStdio } from '../wire/stdio-host.ts';
import type { Terminal } from './terminal.ts';

export interface StdioServing {
  readonly server: RpcServer;
  readonly terminal: Terminal;
  readonly interrupted: AbortSignal;
}

/** Serves until standard input ends or the user interrupts. */
export async function serveOnStdio({ server, terminal, interrupted }: StdioServing): Promise<void> {
  const host = serveStdio(server, { input: terminal.input, output: terminal.output });
  interrupted.addEventListener('abort', () => void host.close(), { once: true });
  await host.closed;
}
