import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface PruningService {
  /** URL of the endpoint, with its path. */
  readonly url: string;
  readonly requests: { method: string; contentType: string; body: unknown }[];
  /** The next request is answered too late, with HTTP 500, or with JSON of another shape. */
  failNext(how: 'timeout' | 'http_error' | 'invalid_response'): void;
  close(): Promise<void>;
}

/** A pruning service on loopback, for a whole file of tests: keeps the lines that contain `keep`. */
export async function startPruningService(): Promise<PruningService> {
  const requests: PruningService['requests'] = [];
  let failure: Parameters<PruningService['failNext']>[0] | undefined;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { input?: unknown };
    requests.push({
      method: request.method ?? '',
      contentType: request.headers['content-type'] ?? '',
      body,
    });
    const how = failure;
    failure = undefined;
    if (how === undefined) sendKept(String(body.input), response);
    else if (how === 'http_error') response.writeHead(500).end();
    else if (how === 'invalid_response') response.end('{"answer":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prune`,
    requests,
    failNext: (how) => {
      failure = how;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendKept(input: string, response: ServerResponse): void {
  const kept = input.split('\n').filter((line) => line.includes('keep'));
  const output = kept.join('\n');
  response.end(JSON.stringify({ output, output_bytes: Buffer.byteLength(output) }));
}
