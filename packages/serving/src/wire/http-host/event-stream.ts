import type { ServerResponse } from 'node:http';
import type { EncodedJson } from '../messages/encode-json.ts';

export interface LazyEventStream {
  /** Opens the stream with its first message; a client too slow to read loses progress, never the answer. */
  readonly send: (message: unknown) => void;
  isOpen(): boolean;
  end(message: EncodedJson): void;
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
    end: (message) => {
      if (typeof message === 'string') return void response.end(event(message));
      response.write(EVENT_START);
      for (const piece of message) response.write(piece);
      response.end(EVENT_END);
    },
  };
}

const EVENT_START = 'event: message\ndata: ';
const EVENT_END = '\n\n';

function event(messageText: string): string {
  return EVENT_START + messageText + EVENT_END;
}
