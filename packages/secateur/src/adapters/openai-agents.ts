/**
 * Sécateur for the function tools of the OpenAI Agents SDK, `secateur/openai-agents`. Make one per conversation:
 *
 *     const { tools, callModelInputFilter } = withSecateur(secateur, [shell], { tool });
 *     const agent = new Agent({ name: 'Fixer', tools });
 *     await run(agent, 'Fix the failing test', { callModelInputFilter });
 */

import { type Fields, isFields, parsedJson } from '@secateur/base/text/json.ts';
import type { Secateur } from '@secateur/engine/secateur.ts';
import type { TranscriptEntry } from '../servers/hooks/transcript.ts';
import { cutToolOutput } from './conversation.ts';

/** The part of `@openai/agents` that the adapter needs. */
export interface OpenAiAgents<Tool> {
  /** The function `tool` of `@openai/agents`. */
  tool(definition: never): Tool;
}

export interface PrunedAgentTools<Tool> {
  /** The given tools with their outputs cut for the model, and the tool `recover_text`. */
  readonly tools: Tool[];
  /** Reads the messages for the adapter and returns them unchanged. Pass it as an option to `run` or to a `Runner`. */
  callModelInputFilter<ModelData extends { readonly input: readonly unknown[] }>(call: {
    readonly modelData: ModelData;
  }): ModelData;
}

/** Wraps the tools for one conversation. Tools that do not run in this process stay unchanged. */
export function withSecateur<Tool extends object, RecoverTool>(
  secateur: Secateur,
  tools: readonly Tool[],
  agents: OpenAiAgents<RecoverTool>,
): PrunedAgentTools<Tool | RecoverTool> {
  let messages: readonly unknown[] = [];
  const { name, description, inputSchema: parameters } = secateur.recoverTool;
  const execute = (input: unknown) => secateur.recoverTool.call(input);
  const recover = agents.tool({ name, description, parameters, strict: false, execute } as never);
  return {
    tools: [...tools.map((tool) => wrap(secateur, tool, () => messages)), recover],
    callModelInputFilter: ({ modelData }) => {
      messages = modelData.input;
      return modelData;
    },
  };
}

type Details = { readonly toolCall?: { readonly callId?: string } };
type Invoke = (context: unknown, input: string, details?: Details) => Promise<unknown>;

function wrap<Tool extends object>(secateur: Secateur, tool: Tool, messages: () => readonly unknown[]): Tool {
  const { invoke, name } = tool as { invoke?: Invoke; name?: string };
  if (invoke === undefined || name === undefined) return tool;
  const wrapped: Invoke = async (context, input, details) => {
    const output = await invoke.call(tool, context, input, details);
    const call = { tool: name, id: details?.toolCall?.callId, input: parsedJson(input) };
    const entries = () => messages().filter(isFields).flatMap(entriesOf);
    return cutToolOutput(secateur, output, { call, entries });
  };
  return { ...tool, invoke: wrapped };
}

function entriesOf(item: Fields): TranscriptEntry[] {
  const { type = 'message', callId: id, name, output } = item;
  if (type === 'message') return messageEntries(item);
  if (typeof id !== 'string') return [];
  if (type === 'function_call' && typeof name === 'string')
    return [{ kind: 'call', id, tool: name, input: parsedJson(String(item.arguments)) }];
  return type === 'function_call_result'
    ? [{ kind: 'result', id, text: textOf(output), at: Date.now() }]
    : [];
}

function messageEntries({ role, content }: Fields): TranscriptEntry[] {
  const text = textOf(content);
  if (text === '' || (role !== 'user' && role !== 'assistant')) return [];
  return [{ kind: role === 'user' ? 'user' : 'agent', text }];
}

/** Returns the text of a string, of a content part, or of a list of content parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  return isFields(content) && typeof content.text === 'string' ? content.text : '';
}
