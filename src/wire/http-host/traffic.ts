import type { Server, ServerResponse } from 'node:http';
import { LazyAbort } from '../lazy-abort.ts';

/** The exchanges under way: each aborts when its client leaves, and `close` ends them all in bounded time. */
export class Traffic {
  readonly #server: Server;
  readonly #running = new Set<LazyAbort>();
  #closing: Promise<void> | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  begin(response: ServerResponse): LazyAbort {
    const abort = new LazyAbort();
    this.#running.add(abort);
    response.once('close', () => {
      this.#running.delete(abort);
      if (!response.writableFinished) abort.abort();
      // A connection kept alive by its client would hold the door open.
      if (this.#closing !== undefined) setImmediate(() => this.#server.closeIdleConnections());
    });
    return abort;
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => {
      for (const abort of this.#running) abort.abort();
      this.#server.closeAllConnections();
    }, graceMs);
    await closed;
    clearTimeout(timer);
  }
}
