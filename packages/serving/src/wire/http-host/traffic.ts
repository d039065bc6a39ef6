import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The exchanges under way: each aborts when its client leaves, and `close` ends them all in bounded time. */
export class Traffic {
  readonly #server: Server;
  readonly #running = new Set<AbortController>();
  readonly #busy = new Set<Socket>();
  #closing: Promise<void> | undefined;
  #draining = false;

  constructor(server: Server) {
    this.#server = server;
  }

  /**
   * Ends connections on which nothing moved for a while: unused ones, and those of clients that do not read
   * their answers. A call that is still being worked on has nothing to move.
   */
  endStalled(afterMs: number): void {
    this.#server.setTimeout(afterMs, (socket) => {
      if (!this.#busy.has(socket) || socket.writableLength > 0) socket.destroy();
    });
  }

  begin(response: ServerResponse): AbortController {
    // Its signal, the costly part, is made on first use; most calls end before.
    const abort = new AbortController();
    const { socket } = response;
    this.#running.add(abort);
    if (socket !== null) this.#busy.add(socket);
    response.once('close', () => {
      this.#running.delete(abort);
      if (socket !== null) this.#busy.delete(socket);
      if (!response.writableFinished) abort.abort();
      // A connection kept alive by its client would hold the door open.
      if (this.#closing !== undefined) setImmediate(() => this.#server.closeIdleConnections());
    });
    return abort;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  drain(): void {
    this.#draining = true;
  }

  close(graceMs: number): Promise<void> {
    this.drain();
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
