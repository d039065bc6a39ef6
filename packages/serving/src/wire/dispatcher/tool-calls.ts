import { type ArgumentCheck, compileArgumentCheck } from '@secateur/base/tools/schema-check.ts';
import {
  type FieldError,
  invalidParams,
  OVERLOADED,
  RpcError,
  type Tool,
  type ToolCallContext,
} from '@secateur/base/tools/tool.ts';
import type { RpcMethod, RpcServer } from '../protocol.ts';

interface CallableTool {
  readonly tool: Tool;
  readonly checkSchema: ArgumentCheck;
}

/** Returns the method `tools/call`: finds the tool, checks the arguments by schema and by the tool, and calls it. */
export function createToolCalls(server: RpcServer): RpcMethod {
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
    // A tool that does not depend on the client is called immediately, so that a cancellation finds it running.
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

/** Reserves bytes for the response, without waiting if possible, so that a cancellation finds the call. */
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
