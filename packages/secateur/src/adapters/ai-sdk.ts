/**
 * Sécateur for the tools of `generateText` and `streamText` of the AI SDK, `secateur/ai-sdk`:
 *
 *     const tools = withSecateur(secateur, { shell });
 *     await generateText({ model, tools, messages, stopWhen: isStepCount(20) });
 */

import { type Fields, isFields } from '@secateur/base/text/json.ts';
import type { Secateur } from '@secateur/engine/secateur.ts';
import { textParts } from '../servers/hooks/client.ts';
import type { TranscriptEntry } from '../servers/hooks/transcript.ts';
import { cutToolOutput } from './conversation.ts';

/** The tool with which the model recovers removed lines, in the format of the AI SDK. */
export interface AiSdkRecoverTool {
  readonly description: string;
  /** A Standard Schema (common interface of validators) that also provides a JSON Schema. */
  readonly inputSchema: {
    readonly '~standard': {
      readonly version: 1;
      readonly vendor: string;
      validate(value: unknown): { readonly value: unknown };
      readonly jsonSchema: { input(): Record<string, unknown>; output(): Record<string, unknown> };
    };
  };
  execute(input: unknown): Promise<string>;
}

/** Returns the tools with their outputs cut for the model, and adds the tool `recover_text`. */
export function withSecateur<Tools extends Readonly<Record<string, object>>>(
  secateur: Secateur,
  tools: Tools,
): Tools & { readonly recover_text: AiSdkRecoverTool } {
  const wrapped = Object.entries(tools).map(([name, tool]) => [name, wrap(secateur, name, tool)]);
  return { ...Object.fromEntries(wrapped), recover_text: recoverTool(secateur) };
}

/** Options that the AI SDK passes to `execute` after the input. */
type Options = { readonly toolCallId: string; readonly messages: readonly unknown[] };
type Execute = (input: unknown, options?: Options) => unknown;

/** Returns a tool whose output is cut. A tool without `execute` runs elsewhere and stays unchanged. */
function wrap(secateur: Secateur, tool: string, definition: object): object {
  const execute = 'execute' in definition ? (definition.execute as Execute | undefined) : undefined;
  if (execute === undefined) return definition;
  const wrapped: Execute = (input, options) => {
    const call = { tool, id: options?.toolCallId, input };
    const given = { call, entries: () => entriesOf(options?.messages ?? []) };
    const output = execute.call(definition, input, options);
    const cut = (value: unknown) => cutToolOutput(secateur, value, given);
    return isStream(output) ? cutLast(output, cut) : Promise.resolve(output).then(cut);
  };
  return { ...definition, execute: wrapped };
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Cuts the last value of a stream, the output for the model; earlier values show progress to the user. */
async function* cutLast(values: AsyncIterable<unknown>, cut: (value: unknown) => Promise<unknown>) {
  let last: { readonly value: unknown } | undefined;
  for await (const value of values) {
    if (last !== undefined) yield last.value;
    last = { value };
  }
  if (last !== undefined) yield await cut(last.value);
}

function recoverTool({ recoverTool: tool }: Secateur): AiSdkRecoverTool {
  const schema = () => ({ ...tool.inputSchema });
  return {
    description: tool.description,
    inputSchema: {
      '~standard': {
        version: 1,
        vendor: 'secateur',
        validate: (value) => ({ value }),
        jsonSchema: { input: schema, output: schema },
      },
    },
    execute: (input) => tool.call(input),
  };
}

function entriesOf(messages: readonly unknown[]): TranscriptEntry[] {
  return messages.filter(isFields).flatMap(({ role, content }) => {
    const parts: unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
    return parts.filter(isFields).flatMap((part) => partEntry(role, part));
  });
}

function partEntry(role: unknown, part: Fields): TranscriptEntry[] {
  const { type, text, toolCallId: id, toolName: tool } = part;
  if (type === 'text' && typeof text === 'string' && (role === 'user' || role === 'assistant'))
    return [{ kind: role === 'user' ? 'user' : 'agent', text }];
  if (typeof id !== 'string' || typeof tool !== 'string') return [];
  if (type === 'tool-call') return [{ kind: 'call', id, tool, input: part.input }];
  if (type !== 'tool-result' || !isFields(part.output)) return [];
  return [{ kind: 'result', id, text: textParts(part.output.value).join('\n'), at: Date.now() }];
}
