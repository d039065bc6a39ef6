import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Dispatcher } from '../dispatcher.ts';
import type { HttpExchange } from '../http-route.ts';
import type { RpcServer } from '../rpc-server.ts';
import { sdkServer } from './sdk-server.ts';

export function modernHttp(
  server: RpcServer,
  dispatcher: Dispatcher,
): (exchange: HttpExchange, body: unknown) => Promise<void> {
  const handler = createMcpHandler(() => sdkServer(server, dispatcher), { legacy: 'reject' });
  return async ({ request, response, signal }, body) => {
    const answer = await handler.fetch(webRequest(request, signal), { parsedBody: body });
    await writeAnswer(answer, response);
  };
}

/** The body is parsed already, so the request carries headers and the signal only. */
function webRequest({ headers, method = 'POST', url = '/' }: IncomingMessage, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    [value ?? ''].flat().join(', '),
  ]);
  return new Request(new URL(url, 'http://localhost'), { method, headers: pairs, signal });
}

async function writeAnswer(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const chunk of answer.body ?? []) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
  });
}
