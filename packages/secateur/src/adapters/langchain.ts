/**
 * Sécateur for agents of LangChain 1.x, `secateur/langchain`:
 *
 *     const pruning = secateurMiddleware(secateur, { createMiddleware, tool });
 *     const agent = createAgent({ model, tools: [shell], middleware: [pruning] });
 */

import { type Fields, isFields } from '@secateur/base/text/json.ts';
import type { Secateur } from '@secateur/engine/secateur.ts';
import { textParts } from '../servers/hooks/client.ts';
import type { TranscriptEntry } from '../servers/hooks/transcript.ts';
import { cutToolOutput, History } from './conversation.ts';

/** Functions of the package `langchain` that the adapter needs to create the middleware. */
export interface LangChainParts<Tool, Middleware> {
  /** The function `createMiddleware` of `langchain`. */
  createMiddleware(config: never): Middleware;
  /** The function `tool` of `langchain`. */
  tool(run: (input: never) => Promise<string>, fields: never): Tool;
}

/** Returns a middleware that cuts tool outputs for the model and adds `recover_text` to the agent's tools. */
export function secateurMiddleware<Tool, Middleware>(
  secateur: Secateur,
  { createMiddleware, tool }: LangChainParts<Tool, Middleware>,
): Middleware {
  const config = {
    name: 'SecateurMiddleware',
    tools: [recoverTool(secateur, tool)],
    wrapToolCall: async (request: ToolCallRequest, handler: (request: ToolCallRequest) => unknown) => {
      const message = await handler(request);
      if (!isToolMessage(message)) return message;
      const { name, id, args } = request.toolCall;
      const entries = () => request.state.messages.flatMap(entriesOf);
      const call = { tool: name, id, input: args };
      message.content = await cutToolOutput(secateur, message.content, { call, entries });
      return message;
    },
  };
  return createMiddleware(config as never);
}

interface ToolCallRequest {
  readonly toolCall: { readonly name: string; readonly id?: string; readonly args: unknown };
  readonly state: { readonly messages: readonly unknown[] };
}

/**
 * Returns tools whose outputs are cut, and `recover_text`, for programs without a LangChain agent. Create a
 * list per conversation, because the list remembers what its tools returned.
 */
export function withSecateur<Tool extends object, RecoverTool>(
  secateur: Secateur,
  tools: readonly Tool[],
  { tool }: Pick<LangChainParts<RecoverTool, unknown>, 'tool'>,
): (Tool | RecoverTool)[] {
  const history = new History();
  return [...tools.map((each) => wrap(secateur, each, history)), recoverTool(secateur, tool)];
}

/** Returns a copy of a tool with a different `invoke`. The copy has all other members of the tool. */
function wrap<Tool extends object>(secateur: Secateur, tool: Tool, history: History): Tool {
  const { invoke, name } = tool as { invoke(...args: unknown[]): Promise<unknown>; name: string };
  let calls = 0;
  const wrapped = async (input: unknown, ...rest: unknown[]) => {
    const output = await invoke.call(tool, input, ...rest);
    const asked = isFields(input) && input.type === 'tool_call' ? input : { args: input };
    calls += 1;
    const call = { tool: name, id: String(asked.id ?? `${name} ${calls}`), input: asked.args };
    if (!isToolMessage(output)) return history.cut(secateur, output, call);
    output.content = await history.cut(secateur, output.content, call);
    return output;
  };
  return Object.create(tool, { invoke: { value: wrapped } }) as Tool;
}

function recoverTool<Tool>({ recoverTool: own }: Secateur, tool: LangChainParts<Tool, unknown>['tool']) {
  const { name, description, inputSchema: schema } = own;
  return tool((input: unknown) => own.call(input), { name, description, schema } as never);
}

function isToolMessage(value: unknown): value is { content: unknown } {
  return typeOf(value) === 'tool';
}

/** Returns the type of a message, which LangChain has in the field `type` since version 1. */
function typeOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
}

function entriesOf(message: unknown): TranscriptEntry[] {
  const { content, tool_calls: calls, tool_call_id: id } = message as Fields;
  const type = typeOf(message);
  const text = textParts(content).join('\n');
  if (type === 'human') return [{ kind: 'user', text }];
  if (type === 'tool' && typeof id === 'string') return [{ kind: 'result', id, text, at: Date.now() }];
  if (type !== 'ai') return [];
  const asked = Array.isArray(calls) ? calls.filter(isFields) : [];
  return [
    ...(text === '' ? [] : [{ kind: 'agent' as const, text }]),
    ...asked.map((call) => ({
      kind: 'call' as const,
      id: String(call.id),
      tool: String(call.name),
      input: call.args,
    })),
  ];
}
