import { isJsonObject, type JsonObject } from '@secateur/base/text/json-value.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { allowsTool, type ToolRules } from '@secateur/serving/wire/tool-rules.ts';
import { type Answer, editAnswer } from './answer.ts';
import type { ClientCall } from './client-call.ts';
import { failure } from './failure.ts';
import type { ToolTable } from './server-table.ts';

export interface ToolFilterOptions {
  /** Tool rules from the server's own table entry. */
  readonly tools: Partial<ToolTable>;
  /** The rules of the caller's token, if calls have one. */
  readonly callerRules: () => ToolRules | undefined;
  /** A tool of the gateway's own: offered whatever the rules say, and described in full. */
  isOwn(name: string): boolean;
  onShortened(saved: { tokensBefore: number; tokensAfter: number }): void;
}

/**
 * Tool lists fill an agent's context before its first call: unneeded tools are neither listed nor callable.
 */
export class ToolFilter {
  readonly #options: ToolFilterOptions;

  constructor(options: ToolFilterOptions) {
    this.#options = options;
  }

  /** Throws `tool_hidden` for a call of a tool the caller may not know of. */
  check({ message }: Pick<ClientCall, 'message'>): void {
    // Without an id too: no client would get the answer, but a server might do the work.
    if (!('method' in message) || message.method !== 'tools/call') return;
    const { name } = message.params;
    // A call that names nothing reaches no tool; what to say of it is the server's business.
    if (name === undefined || (typeof name === 'string' && this.#isVisible(name))) return;
    // No other value is a name: `["delete_file"]` is the key `delete_file` to a server that looks its tools up in an object.
    const asked = typeof name === 'string' ? name.slice(0, 100) : 'its name is not a string';
    throw failure('tool_hidden', `Unknown tool: ${asked}`, {
      hint: 'List the tools to see which this server offers here.',
    });
  }

  /** The list as the caller may see it; the very same bytes where nothing changes. */
  apply(answer: Answer): Buffer {
    const { result } = answer.message;
    if (!isJsonObject(result) || !Array.isArray(result.tools)) return answer.bytes;
    const before = result.tools;
    const after = before.filter((tool) => this.#isVisible(nameOf(tool))).map((tool) => this.#described(tool));
    const json = JSON.stringify(after);
    const original = JSON.stringify(before);
    if (json === original) return answer.bytes;
    this.#options.onShortened({ tokensBefore: estimateTokens(original), tokensAfter: estimateTokens(json) });
    return editAnswer(answer, [{ kind: 'replace', path: ['result', 'tools'], json }]);
  }

  #isVisible(name: string): boolean {
    const { tools, callerRules, isOwn } = this.#options;
    return isOwn(name) || (allowsTool(tools, name) && allowsTool(callerRules() ?? {}, name));
  }

  #described(tool: JsonObject[string]): JsonObject[string] {
    if (!isJsonObject(tool)) return tool;
    const { tools, isOwn } = this.#options;
    const { each = {} } = tools;
    const name = nameOf(tool);
    if (isOwn(name)) return tool;
    const own = Object.hasOwn(each, name) ? each[name]?.description : undefined;
    const description = own ?? tool.description;
    if (typeof description !== 'string') return tool;
    return { ...tool, description: shortened(description, tools.maxDescriptionChars) };
  }
}

function nameOf(tool: JsonObject[string]): string {
  return isJsonObject(tool) && typeof tool.name === 'string' ? tool.name : '';
}

function shortened(description: string, maxChars = Number.POSITIVE_INFINITY): string {
  const characters = description.length <= maxChars ? undefined : [...description];
  if (characters === undefined || characters.length <= maxChars) return description;
  return `${characters.slice(0, Math.max(0, maxChars - 1)).join('')}…`;
}
