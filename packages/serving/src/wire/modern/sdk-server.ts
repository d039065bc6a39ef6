import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { INVALID_REQUEST, RpcError, type ToolCallContext } from '@secateur/base/tools/tool.ts';
import { type Dispatcher, errorResponse, type RpcResponse } from '../dispatcher.ts';
import type { ModernHttp } from '../http-host/endpoints.ts';
import { drained, type HttpExchange } from '../http-route.ts';
import { callKey, cancelledId, type ReadMessage, type RpcRequest } from '../messages/rpc-message.ts';
import { clientName, type RpcServer } from '../protocol.ts';
import type { LineWriter } from '../stdio-host.ts';

/**
 * Creates the SDK's low-level server, which handles the envelope and leaves the work to the dispatcher. The
 * SDK's high-level server would turn error codes of Sécateur into tool results.
 */
function sdkServer(server: RpcServer, dispatcher: Dispatcher, reserve?: Reserve): Server {
  const { name, version, instructions } = server;
  const capabilities = { tools: { listChanged: false } };
  const options = { capabilities, ...(instructions !== undefined && { instructions }) };
  const sdk = new Server({ name, version }, options);
  const forward =
    (method: string) => async (request: { params?: object | undefined }, context: ServerContext) =>
      run(dispatcher, { method, params: { ...request.params }, reserve }, context);
  sdk.setRequestHandler('tools/list', forward('tools/list'));
  sdk.setRequestHandler('tools/call', forward('tools/call'));
  return sdk;
}

type Reserve = ToolCallContext['reserve'];

async function run(
  dispatcher: Dispatcher,
  { method, params, reserve }: { method: string; params: Record<string, unknown>; reserve: Reserve },
  { mcpReq }: ServerContext,
): Promise<never> {
  const notify = (notification: { method: string; params: Record<string, unknown> }) => {
    // The notification fails if the client has disconnected.
    mcpReq.notify(notification).catch(() => {});
  };
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const client = clientName(envelope[CLIENT_INFO_META_KEY]);
  try {
    // The SDK checks results against the schema of the specification.
    const result = await dispatcher.run(method, params, { signal: mcpReq.signal, notify, client, reserve });
    if (!isPrintable(result)) throw dispatcher.failure(new TypeError(`${method}: the result is no JSON`));
    return result as Result as never;
  } catch (error) {
    const { code, message, data } = error as RpcError;
    throw new ProtocolError(code, message, data);
  }
}

const DEEPEST = 500;

/**
 * Whether JSON can represent a value. The SDK sends no response if it cannot serialise a result, so this is
 * checked first. Only the structure is read, so long strings cost no time.
 */
function isPrintable(value: unknown, depth = 0): boolean {
  if (typeof value === 'bigint' || depth > DEEPEST) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((inner) => isPrintable(inner, depth + 1));
}

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

/** Creates a request that has only headers and signal, because the body was already parsed. */
function webRequest({ headers, method = 'POST', url = '/' }: IncomingMessage, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    [value ?? ''].flat().join(', '),
  ]);
  return new Request(new URL(url, 'http://localhost'), { method, headers: pairs, signal });
}

/** Writes the response. If the client reads too slowly, progress messages are dropped, but never the response. */
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

/**
 * Whether a chunk is a progress notification. The SDK writes each event as one chunk, which begins with the
 * method. A response may contain this text later.
 */
function isProgress(chunk: Uint8Array): boolean {
  const start = Buffer.from(chunk.subarray(0, 100)).toString('latin1');
  return /^event: message\ndata: \{(?:"jsonrpc":"2\.0",)?"method":"notifications\/progress"/.test(start);
}

/**
 * Connects the SDK's stdio server to the transport of Sécateur, which reads and writes the lines. The SDK
 * gets only messages of revisions without a handshake.
 */
export function connectModernStdio(server: RpcServer, dispatcher: Dispatcher, writer: LineWriter) {
  const unanswered = new Map<string, () => void>();
  const settle = (id: unknown) => {
    const key = callKey(id as string | number);
    unanswered.get(key)?.();
    unanswered.delete(key);
  };
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      if (!('method' in message)) {
        writer.writeJson(await dispatcher.encode(message as RpcResponse));
        settle(message.id);
      } else if (message.method === 'notifications/progress') writer.offer(message);
      else writer.write(message);
    },
  };
  const connection = serveStdio(() => sdkServer(server, dispatcher), { transport, legacy: 'reject' });

  return {
    close: async () => {
      await connection.close();
      for (const giveUp of unanswered.values()) giveUp();
    },
    /** Resolves when the message got its response or was cancelled. Resolves immediately if it needs no response. */
    deliver: (message: ReadMessage, json: unknown): Promise<void> => {
      if (message.kind === 'request' && !isJSONRPCRequest(json)) {
        // The SDK would drop this message without a response.
        writer.write(errorResponse(message.id, invalidEnvelope));
        return Promise.resolve();
      }
      const answered = isOwedAnAnswer(message) ? waitFor(unanswered, callKey(message.id)) : Promise.resolve();
      transport.onmessage?.(json as JSONRPCMessage);
      if (message.kind === 'notification' && message.method === 'notifications/cancelled')
        settle(cancelledId(message.params));
      return answered;
    },
  };
}

const invalidEnvelope = new RpcError(
  INVALID_REQUEST,
  'Invalid request: the 2026-07-28 revision does not allow this format',
);

/** Whether a request gets a response. A subscription gets none: it stays open with the connection. */
function isOwedAnAnswer(message: ReadMessage): message is RpcRequest {
  return message.kind === 'request' && message.method !== 'subscriptions/listen';
}

/** Resolves when a request gets its response. Of two requests with the same id, the first response resolves both. */
function waitFor(unanswered: Map<string, () => void>, key: string): Promise<void> {
  const earlier = unanswered.get(key);
  return new Promise((resolve) => {
    unanswered.set(key, () => {
      earlier?.();
      resolve();
    });
  });
}
