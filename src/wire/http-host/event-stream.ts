import type { ServerResponse } from 'node:http';

export interface LazyEventStream {
  /** Opens the stream with its first message; a client too slow to read loses progress, never the answer. */
  readonly send: (message: unknown) => void;
  isOpen(): boolean;
  end(messageText: string): void;
}

/** Turns the response into server-sent events only when there is something to say before the answer. */
export function lazyEventStream(response: ServerResponse): LazyEventStream {
  const isOpen = () => response.headersSent;
  return {
    isOpen,
    send: (message) => {
      if (response.destroyed || response.writableNeedDrain) return;
      if (!isOpen())
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      response.write(event(JSON.stringify(message)));
    },
    end: (messageText) => {
      response.end(event(messageText));
    },
  };
}

function event(messageText: string): string {
  return `event: message\ndata: ${messageText}\n\n`;
}
