import type { Server, ServerResponse } from 'node:http';

/** The exchanges under way: each has a signal that aborts when its client leaves, and `close` ends them all in bounded time. */
export class Traffic {
  readonly #server: Server;
  readonly #running = new Set<AbortController>();
  #closing: Promise<void> | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  begin(response: ServerResponse): AbortSignal {
    const controller = new AbortController();
    this.#running.add(controller);
    response.once('close', () => {
      this.#running.delete(controller);
      if (!response.writableFinished) controller.abort();
      // A connection kept alive by its client would hold the door open.
      if (this.#closing !== undefined) setImmediate(() => this.#server.closeIdleConnections());
    });
    return controller.signal;
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => {
      for (const controller of this.#running) controller.abort();
      this.#server.closeAllConnections();
    }, graceMs);
    await closed;
    clearTimeout(timer);
  }
}
