import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { proseSections } from '../../packages/reverse-spec/src/spec/parts.ts';

export interface MessagesCall {
  headers: IncomingHttpHeaders;
  body: MessagesBody;
}

interface MessagesBody {
  model: string;
  max_tokens: number;
  system: { text: string; cache_control?: unknown }[];
  messages: { role: string; content: string }[];
  output_config?: { format?: { type: string; schema: unknown } };
}

export type Answering = (call: MessagesCall, response: ServerResponse) => void;

export interface MessagesStandIn {
  url: string;
  calls: MessagesCall[];
  /** Requests being answered at the same time, at most. */
  peak(): number;
  answer(how: Answering): void;
  close(): Promise<void>;
}

/** A full answer, one sentence a section. */
export const fullAnswer: Record<string, string> = Object.fromEntries(
  proseSections.map((section) => [section, `模型写的 ${section}。`]),
);

export function says(text: string, more: Record<string, unknown> = {}): Answering {
  return (call, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: call.body.model,
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: {
          input_tokens: 100,
          output_tokens: 20,
          cache_read_input_tokens: 7,
          cache_creation_input_tokens: 3,
        },
        ...more,
      }),
    );
  };
}

/** Fails; back-off is asked to be short so that tests are. */
export function fails(status: number): Answering {
  return (_call, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '5' });
    response.end(
      JSON.stringify({ type: 'error', error: { type: 'some_error', message: 'words of the upstream' } }),
    );
  };
}

export const writesWell: Answering = says(JSON.stringify(fullAnswer));

/** Starts a fake of the Messages API on loopback. */
export async function startMessagesStandIn(): Promise<MessagesStandIn> {
  const calls: MessagesCall[] = [];
  let answering = writesWell;
  let open = 0;
  let peak = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    peak = Math.max(peak, open);
    response.once('close', () => {
      open -= 1;
    });
    const call = { headers: request.headers, body: await bodyOf(request) };
    calls.push(call);
    answering(call, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    peak: () => peak,
    answer: (how) => {
      answering = how;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<MessagesBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
