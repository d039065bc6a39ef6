import { fstatSync } from 'node:fs';
import type { RpcServer } from '../wire/protocol.ts';
import { serveStdio } from '../wire/stdio-host.ts';
import type { Terminal } from './terminal.ts';

export interface StdioServing {
  readonly server: RpcServer;
  readonly terminal: Terminal;
  readonly interrupted: AbortSignal;
}

/**
 * Serves until standard input ends or the user interrupts the program. Running calls are completed, unless
 * the client has disconnected: it could not read the responses, and the work may cost money.
 */
export async function serveOnStdio({ server, terminal, interrupted }: StdioServing): Promise<void> {
  const { input, output } = terminal;
  const clientGone = parentGone();
  const host = serveStdio(server, { input, output });
  const close = () => void host.close();
  interrupted.addEventListener('abort', close, { once: true });
  // A closed pipe has no reader, but a file may be read later.
  if (!isFile(output))
    input.once('end', () => {
      if (clientGone.aborted) close();
      else clientGone.addEventListener('abort', close, { once: true });
    });
  await host.closed;
}

function isFile(output: Terminal['output']): boolean {
  const { fd } = output as { fd?: number };
  return fd !== undefined && fstatSync(fd).isFile();
}

const LOOK_EVERY_MS = 250;

/** Returns a signal that aborts when the parent process ends after this call. */
export function parentGone(): AbortSignal {
  const parent = process.ppid;
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    controller.abort();
  }, LOOK_EVERY_MS);
  timer.unref();
  return controller.signal;
}
