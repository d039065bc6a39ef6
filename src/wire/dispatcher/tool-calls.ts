import { type FieldError, invalidParams } from '../rpc-error.ts';
import type { RpcMethod, RpcServer } from '../rpc-server.ts';
import { type ArgumentCheck, compileArgumentCheck } from '../schema-check.ts';
import type { Tool } from '../tool.ts';

interface CallableTool {
  readonly tool: Tool;
  readonly checkSchema: ArgumentCheck;
}

/** `tools/call`: finds the tool, holds the arguments to its schema and its own check, calls it. */
export function createToolCalls(server: RpcServer): RpcMethod {
  const byName = callableTools(server.tools);
  const isOffered = (name: string) => server.isOffered?.(name) ?? true;
  const known = () => server.tools.flatMap(({ name }) => (isOffered(name) ? [name] : [])).join(', ');

  return async (params, context) => {
    const { requestId } = context;
    const name = params.name;
    const found = typeof name === 'string' ? byName.get(name) : undefined;
    const callable = found !== undefined && isOffered(found.tool.name) ? found : undefined;
    const args = params.arguments ?? {};
    server.observer?.received?.({ tool: callable?.tool.name, requestId });
    const fieldErrors = callable === undefined ? [nameError(name, known())] : argumentErrors(callable, args);
    if (callable === undefined || fieldErrors.length > 0) {
      server.observer?.invalid?.({ tool: callable?.tool.name, requestId, fieldErrors });
      throw invalidParams(fieldErrors);
    }
    return { ...(await callable.tool.call(args, context)) };
  };
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
