import { randomUUID } from 'node:crypto';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { type Fields, isFields } from '@secateur/base/text/json.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { type ArgumentCheck, compileArgumentCheck } from '@secateur/base/tools/schema-check.ts';
import {
  type FieldError,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  invalidParams,
  METHOD_NOT_FOUND,
  OVERLOADED,
  PARSE_ERROR,
  type ProgressUpdate,
  REQUEST_CANCELLED,
  RpcError,
  type Tool,
  type ToolCallContext,
} from '@secateur/base/tools/tool.ts';
import {
  type EncodedJson,
  encodeJson,
  type ReadMessage,
  type RpcId,
  type RpcRequest,
} from './messages/rpc-message.ts';
import { LEGACY_VERSIONS, NEWEST_LEGACY, type RpcMethod, type RpcServer } from './protocol.ts';
export type RpcResponse =
  | { jsonrpc: '2.0'; id: RpcId | null; result: Record<string, unknown> }
  | { jsonrpc: '2.0'; id: RpcId | null; error: { code: number; message: string; data?: Fields } };

export type RpcNotification = { jsonrpc: '2.0'; method: string; params: Record<string, unknown> };

/** Functions that a host provides for one message. */
export interface CallPorts
  extends Pick<ToolCallContext, 'signal' | 'delivered' | 'client' | 'roots' | 'reserve'> {
  /** Sends a notification before the response; absent if the host cannot. */
  readonly notify?: ((notification: RpcNotification) => void) | undefined;
}

/** Responds to JSON-RPC messages for one server, over any transport. Never throws. */
export interface Dispatcher {
  /** Responds to a message. Returns `undefined` if the message needs no response. */
  dispatch(message: ReadMessage, ports: CallPorts): Promise<RpcResponse | undefined>;
  /** Runs one method. For transports that have their own envelope. Throws only `RpcError`. */
  run(method: string, params: Fields, ports: CallPorts): Promise<Record<string, unknown>>;
  unparsable(reason: string): RpcResponse;
  /** Encodes a response. A value that JSON cannot represent becomes an internal error. */
  encode(response: RpcResponse): Promise<EncodedJson>;
  /** Returns the part of a failure that a client may see. Details go to the observer. */
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
      // The ports are inherited instead of copied, so that they are read only if the tool reads them.
      // Creating a signal for each call would cost more than the call.
      const own = { requestId, progress: progress.send };
      return await handler(params, Object.assign(Object.create(ports) as CallPorts, own));
    } catch (error) {
      const tool = method === 'tools/call' && typeof params.name === 'string' ? params.name : undefined;
      throw toRpcError(error, { server, requestId, tool }, ports.signal);
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

export function errorResponse(id: RpcId | null, { code, message, data }: RpcError): RpcResponse {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}

/** Creates the response to a failure of HTTP or of the stream, when no request was read yet. */
export function carrierErrorResponse(
  code: string,
  message: string,
  rpcCode: number = INVALID_REQUEST,
): RpcResponse {
  // Not an `RpcError`: its stack trace would be most of the cost of a refusal.
  return { jsonrpc: '2.0', id: null, error: { code: rpcCode, message, data: { code } } };
}

function progressSink({ _meta: meta }: Fields, notify: CallPorts['notify']) {
  const { progressToken } = isFields(meta) ? meta : {};
  let open = typeof progressToken === 'string' || typeof progressToken === 'number';
  return {
    send: (update: ProgressUpdate) => {
      if (!open) return;
      notify?.({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...update } });
    },
    /** Progress after the response would confuse the client, so it is dropped. */
    end: () => {
      open = false;
    },
  };
}

interface FailedCall {
  readonly server: RpcServer;
  readonly requestId: string;
  readonly tool: string | undefined;
}

/** Returns the part of a failure that a client may see: codes and messages of Sécateur. Details go to the observer. */
function toRpcError(error: unknown, call: FailedCall, signal: AbortSignal): RpcError {
  if (error instanceof RpcError) return error;
  if (signal.aborted)
    return new RpcError(REQUEST_CANCELLED, 'Request cancelled', { code: 'request_cancelled' });
  const known = error instanceof DomainError ? call.server.errorCodes?.[error.code] : undefined;
  if (error instanceof DomainError && known !== undefined)
    return new RpcError(known, error.code, dataOf(error));
  return crashed(error, call);
}

function crashed(error: unknown, { server, requestId, tool }: FailedCall): RpcError {
  server.observer?.crashed?.({ tool, requestId, error });
  if (error instanceof DomainError) return new RpcError(INTERNAL_ERROR, error.message, dataOf(error));
  const data = { code: 'internal_error', request_id: requestId };
  return new RpcError(INTERNAL_ERROR, 'Internal error: the call failed on our side', data);
}

function dataOf({ code, data, hint }: DomainError): Record<string, unknown> {
  return { code, ...data, ...(hint !== undefined && { hint }) };
}

/** Returns the methods that MCP defines, except `tools/call`. */
function coreMethods(server: RpcServer): Array<[string, RpcMethod]> {
  const tools = server.tools.map(({ name, title, description, inputSchema, annotations }) => ({
    ...{ name, ...(title !== undefined && { title }), description, inputSchema },
    ...(annotations !== undefined && { annotations }),
  }));
  const isOffered = ({ name }: { name: string }) => server.isOffered?.(name) ?? true;
  return [
    ['initialize', async (params) => initializeResult(server, params)],
    ['ping', async () => ({})],
    // A notification that has an id by mistake gets a response.
    ['notifications/initialized', async () => ({})],
    ['tools/list', onePage(() => ({ tools: tools.filter(isOffered) }))],
    ['resources/list', onePage(() => ({ resources: [] }))],
    ['resources/templates/list', onePage(() => ({ resourceTemplates: [] }))],
    ['prompts/list', onePage(() => ({ prompts: [] }))],
  ];
}

/** Accepts fields that later revisions of MCP add, and ignores them. */
const checkInitialize = compileArgumentCheck(
  Type.Object({
    protocolVersion: Type.String(),
    clientInfo: Type.Optional(Type.Object({ name: Type.String(), version: Type.Optional(Type.String()) })),
    capabilities: Type.Optional(Type.Object({})),
  }),
);

/** Returns a method for a list with only one page. It never returns a cursor, so a request with a cursor is an error. */
function onePage(list: () => Record<string, unknown>): RpcMethod {
  return async ({ cursor }) => {
    if (cursor === undefined) return list();
    throw invalidParams([{ field: 'cursor', message: 'is not a cursor of this server; leave it out' }]);
  };
}

function initializeResult(server: RpcServer, params: Fields): Record<string, unknown> {
  const fieldErrors = checkInitialize(params);
  if (fieldErrors.length > 0) throw invalidParams(fieldErrors);
  const asked = String(params.protocolVersion);
  return {
    protocolVersion: LEGACY_VERSIONS.includes(asked) ? asked : NEWEST_LEGACY,
    capabilities: { tools: { listChanged: false } },
    serverInfo: { name: server.name, version: server.version },
    ...(server.instructions !== undefined && { instructions: server.instructions }),
    ...server.initializeExtras,
  };
}

interface CallableTool {
  readonly tool: Tool;
  readonly checkSchema: ArgumentCheck;
}

/** Returns the method `tools/call`. It finds the tool, validates the arguments and runs the tool. */
function createToolCalls(server: RpcServer): RpcMethod {
  const byName = callableTools(server.tools);
  const isOffered = (name: string) => server.isOffered?.(name) ?? true;
  const known = () => server.tools.flatMap(({ name }) => (isOffered(name) ? [name] : [])).join(', ');

  const offered = (name: unknown) => {
    const found = typeof name === 'string' ? byName.get(name) : undefined;
    return found !== undefined && isOffered(found.tool.name) ? found : undefined;
  };

  return async (params, context) => {
    const { requestId } = context;
    const name = params.name;
    const callable = offered(name);
    const args = params.arguments ?? {};
    server.observer?.received?.({ tool: callable?.tool.name, requestId });
    // The tool is called without waiting if it is the same for all clients. A cancellation then finds the
    // call running.
    const asked = callable?.tool.forClient === undefined ? callable : await forClient(callable, context);
    const fieldErrors = asked === undefined ? [nameError(name, known())] : argumentErrors(asked, args);
    if (asked === undefined || fieldErrors.length > 0) {
      server.observer?.invalid?.({ tool: asked?.tool.name, requestId, fieldErrors });
      throw invalidParams(fieldErrors);
    }
    const isReserved = reserve(asked.tool, args, context);
    if (isReserved !== true && !(await isReserved)) {
      const message = 'Too many bytes are held at once; try again in a moment';
      throw new RpcError(OVERLOADED, message, { code: 'overloaded' });
    }
    return { ...(await asked.tool.call(args, context)) };
  };
}

/** Reserves bytes for the response, if possible without waiting. A cancellation then finds the call running. */
function reserve(tool: Tool, args: unknown, context: ToolCallContext): true | Promise<boolean> {
  const bytes = tool.answerBytes?.(args);
  return bytes === undefined ? true : (context.reserve?.(bytes) ?? true);
}

async function forClient(callable: CallableTool, context: ToolCallContext): Promise<CallableTool> {
  const tool = await callable.tool.forClient?.(context);
  if (tool === undefined) return callable;
  const { answerBytes } = callable.tool;
  return { ...callable, tool: { ...tool, ...(answerBytes && { answerBytes }) } };
}

function callableTools(tools: readonly Tool[]): Map<string, CallableTool> {
  const byName = new Map<string, CallableTool>();
  for (const tool of tools) {
    const callable = { tool, checkSchema: compileArgumentCheck(tool.acceptSchema ?? tool.inputSchema) };
    for (const name of [tool.name, ...(tool.aliases ?? [])]) byName.set(name, callable);
  }
  return byName;
}

function nameError(name: unknown, known: string): FieldError {
  if (name === undefined) return { field: 'name', message: 'is required' };
  if (typeof name !== 'string') return { field: 'name', message: 'must be a string' };
  return { field: 'name', message: `unknown tool; known tools: ${known}` };
}

function argumentErrors({ tool, checkSchema }: CallableTool, args: unknown): FieldError[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return [{ field: 'arguments', message: 'must be an object' }];
  }
  const errors = checkSchema(args);
  return errors.length > 0 ? errors : (tool.check?.(args) ?? []);
}
