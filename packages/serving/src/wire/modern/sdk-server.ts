import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { RpcError } from '@secateur/base/tools/rpc-error.ts';
import type { ToolCallContext } from '@secateur/base/tools/tool.ts';
import { clientName } from '../client-name.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { RpcServer } from '../rpc-server.ts';

/**
 * Our tools behind the SDK's low-level server: it speaks the envelope, the dispatcher does the work. The high-level
 * one would turn our error codes into tool results.
 */
export function sdkServer(server: RpcServer, dispatcher: Dispatcher, reserve?: Reserve): Server {
  const { name, version, instructions } = server;
  const capabilities = { tools: { listChanged: false } };
  const sdk = new Server(
    { name, version },
    instructions === undefined ? { capabilities } : { capabilities, instructions },
  );
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
    // The client may be gone by now; it then misses nothing it still wanted.
    mcpReq.notify(notification).catch(() => {});
  };
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const client = clientName(envelope[CLIENT_INFO_META_KEY]);
  try {
    // The SDK holds results to the specification's schema itself.
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
 * Whether JSON can carry a value. The SDK leaves a request unanswered when its result cannot be written, so a bug in a
 * tool has to be found before. Looks at the shape only: long strings cost nothing.
 */
function isPrintable(value: unknown, depth = 0): boolean {
  if (typeof value === 'bigint' || depth > DEEPEST) return false;
  if (typeof value !== 'object' || value === null) return true;
  for (const inner of Object.values(value)) {
    if (!isPrintable(inner, depth + 1)) return false;
  }
  return true;
}
