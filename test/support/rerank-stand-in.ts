import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface RerankCall {
  authorization: string | undefined;
  queries: string[];
  documents: string[];
}

export interface RerankStandIn {
  url: string;
  calls: RerankCall[];
  /** Sets the next responses. */
  answer(how: Answering): void;
  close(): Promise<void>;
}

export type Answering = (call: RerankCall, response: ServerResponse) => void;

/** Answers with the given JSON. */
export function json(make: (call: RerankCall) => unknown, status = 200): Answering {
  return (call, response) => response.writeHead(status).end(JSON.stringify(make(call)));
}

/** The most relevant document is the one that shares most words with the query. */
const wordOverlap = json(({ queries, documents }) => {
  const wanted = new Set(queries[0]?.split(/\W+/));
  return { scores: documents.map((text) => text.split(/\W+/).filter((word) => wanted.has(word)).length) };
});

/** Starts a fake of the paid reranker on loopback. */
export async function startRerankStandIn(): Promise<RerankStandIn> {
  const calls: RerankCall[] = [];
  let answering = wordOverlap;
  const server = createServer(async (request, response) => {
    const call = { authorization: request.headers.authorization, ...(await bodyOf(request)) };
    calls.push(call);
    answering(call, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1/inference/reranker`,
    calls,
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

async function bodyOf(request: IncomingMessage): Promise<{ queries: string[]; documents: string[] }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
