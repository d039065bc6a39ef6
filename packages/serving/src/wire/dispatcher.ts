import { randomUUID } from 'node:crypto';
import type { Fields } from '@secateur/base/text/json-value.ts';
import { INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, RpcError } from '@secateur/base/tools/rpc-error.ts';
import type { ToolCallContext } from '@secateur/base/tools/tool.ts';
import { coreMethods } from './dispatcher/methods.ts';
import { type ProgressSink, progressSink } from './dispatcher/progress.ts';
import { createToolCalls } from './dispatcher/tool-calls.ts';
import { crashed, toRpcError } from './dispatcher/wire-error.ts';
import { type EncodedJson, encodeJson } from './messages/encode-json.ts';
import type { ReadMessage, RpcId, RpcRequest } from './messages/rpc-message.ts';
import type { RpcMethod, RpcServer } from './rpc-server.ts';

export type RpcResponse =
  | { jsonrpc: '2.0'; id: RpcId | null; result: Record<string, unknown> }
  | { jsonrpc: '2.0'; id: RpcId | null; error: { code: number; message: string; data?: Fields } };

export interface RpcNotification {
  jsonrpc: '2.0';
  method: string;
  params: Record<string, unknown>;
}

/** What a host lends to one message. */
export interface CallPorts {
  readonly signal: AbortSignal;
  /** Absent where nothing can reach the client before the answer. */
  readonly notify?: ((notification: RpcNotification) => void) | undefined;
  readonly delivered?: Promise<boolean> | undefined;
  /** Who calls, where the carrier knows. */
  readonly client?: string | undefined;
  readonly roots?: ToolCallContext['roots'];
  readonly reserve?: ToolCallContext['reserve'];
}

/** Answers JSON-RPC for one server, whatever carries the messages. Never throws, whatever arrives. */
export interface Dispatcher {
  /** `undefined`: the message wants no answer. */
  dispatch(message: ReadMessage, ports: CallPorts): Promise<RpcResponse | undefined>;
  /** Runs one method; throws `RpcError` and nothing else. For carriers with an envelope of their own. */
  run(method: string, params: Fields, ports: CallPorts): Promise<Record<string, unknown>>;
  unparsable(reason: string): RpcResponse;
  /** Encodes an answer; one that JSON cannot carry becomes an internal error. */
  encode(response: RpcResponse): Promise<EncodedJson>;
  /** What a client hears of a failure outside any method; the observer hears the rest. */
  failure(error: unknown): RpcError;
}

export function createDispatcher(
  server: RpcServer,
  { newId = randomUUID }: { newId?: () => string } = {},
): Dispatcher {
  const methods = new Map<string, RpcMethod>([
    ...coreMethods(server),
    ['tools/call', createToolCalls(server)],
    ...Object.entries(server.methods ?? {}),
  ]);

  const run: Dispatcher['run'] = async (method, params, ports) => {
    const handler = methods.get(method);
    if (handler === undefined)
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 100)}`);
    const progress = progressSink(params, ports.notify);
    const requestId = newId();
    try {
      return await handler(params, contextOf(requestId, ports, progress));
    } catch (error) {
      throw toRpcError(error, { server, requestId, tool: toolName(method, params) }, ports.signal);
    } finally {
      progress.end();
    }
  };

  const answer = async ({ id, method, params }: RpcRequest, ports: CallPorts): Promise<RpcResponse> => {
    try {
      return { jsonrpc: '2.0', id, result: await run(method, params, ports) };
    } catch (error) {
      return errorResponse(id, error as RpcError);
    }
  };

  const failure = (error: unknown) => crashed(error, { server, requestId: newId(), tool: undefined });

  return {
    run,
    failure,
    dispatch: async (message, ports) => {
      if (message.kind === 'request') return answer(message, ports);
      if (message.kind === 'invalid') return errorResponse(message.id, message.error);
      return undefined;
    },
    encode: async (response) => {
      try {
        return await encodeJson(response);
      } catch (error) {
        return JSON.stringify(errorResponse(response.id, failure(error)));
      }
    },
    unparsable: (reason) => {
      server.observer?.unparsable?.();
      return errorResponse(null, new RpcError(PARSE_ERROR, `Parse error: ${reason}`));
    },
  };
}

/** Asks the ports only for what the tool asks for: a signal and a promise for every call would cost more than the call. */
function contextOf(requestId: string, ports: CallPorts, progress: ProgressSink): ToolCallContext {
  return {
    requestId,
    progress: progress.send,
    get client() {
      return ports.client;
    },
    get signal() {
      return ports.signal;
    },
    get delivered() {
      return ports.delivered;
    },
    get roots() {
      return ports.roots;
    },
    get reserve() {
      return ports.reserve;
    },
  };
}

export function errorResponse(id: RpcId | null, { code, message, data }: RpcError): RpcResponse {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}

/** A JSON-RPC body for failure that HTTP or the stream has before there is a request to answer. */
export function carrierErrorResponse(
  code: string,
  message: string,
  rpcCode: number = INVALID_REQUEST,
): RpcResponse {
  // No `RpcError`: its stack is most of what refusing a call costs.
  return { jsonrpc: '2.0', id: null, error: { code: rpcCode, message, data: { code } } };
}

function toolName(method: string, params: Fields): string | undefined {
  return method === 'tools/call' && typeof params.name === 'string' ? params.name : undefined;
}
