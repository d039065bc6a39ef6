import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Dispatcher } from '../dispatcher.ts';
import { drained } from '../http-body.ts';
import type { HttpExchange } from '../http-route.ts';
import type { RpcServer } from '../rpc-server.ts';
import type { ModernHttp } from './leg.ts';
import { sdkServer } from './sdk-server.ts';

export function modernHttp(server: RpcServer, dispatcher: Dispatcher): ModernHttp {
  const exchanges = new AsyncLocalStorage<HttpExchange>();
  const reserve = (bytes: number) => exchanges.getStore()?.reserve?.(bytes) ?? true;
  const handler = createMcpHandler(() => sdkServer(server, dispatcher, reserve), { legacy: 'reject' });
  return async (exchange, body) => {
    const { request, response, signal } = exchange;
    const answer = await exchanges.run(exchange, () =>
      handler.fetch(webRequest(request, signal), { parsedBody: body }),
    );
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

/** Reads on while the client does not, so that nothing piles up in the SDK: such a client loses progress, never the answer. */
async function writeAnswer(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const chunk of answer.body ?? []) {
    if (response.writableNeedDrain) {
      if (isProgress(chunk)) continue;
      await drained(response);
    }
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.end();
}

/** The SDK writes each event as one chunk, and a notification's method first: an answer may quote one, but does not begin with it. */
function isProgress(chunk: Uint8Array): boolean {
  const start = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, 100)).toString(
    'latin1',
  );
  return /^event: message\ndata: \{(?:"jsonrpc":"2\.0",)?"method":"notifications\/progress"/.test(start);
}
