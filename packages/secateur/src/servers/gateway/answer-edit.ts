import { isJsonObject, type JsonObject } from '@secateur/base/text/json.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { RpcError, type Tool } from '@secateur/base/tools/tool.ts';
import { recoveryErrorCodes } from '@secateur/engine/recover-text.ts';
import { createDispatcher, type Dispatcher } from '@secateur/serving/wire/dispatcher.ts';
import { resultText, rpcErrorText } from '@secateur/serving/wire/protocol.ts';
import { allowsTool, type ToolRules } from '@secateur/serving/wire/tokens.ts';
import { type Answer, editAnswer, failure, isAnswerTo, readUpstreamAnswer, someAnswer } from './answer.ts';
import { type ClientCall, isModernCall } from './client-call.ts';
import { eventData, type ServerEvent, withEventData } from './server-events.ts';
import type { ToolTable } from './server-table.ts';
import { type ShortenDeps, shortenAnswer } from './shorten.ts';

export interface EditDeps extends ShortenDeps {
  /** `undefined` where the server has it switched off. */
  readonly recoverTool: InjectedRecoverTool | undefined;
  /** `undefined` where every tool is offered as it is. */
  readonly toolFilter?: ToolFilter | undefined;
}

/** Changes that the gateway makes in messages of an upstream; all other bytes stay as they are. */
export interface AnswerEdit {
  /** Throws `upstream_invalid_response` if it is not a JSON-RPC answer. */
  body(bytes: Buffer): Promise<Buffer>;
  event(event: ServerEvent): Promise<EditedEvent>;
}

export interface EditedEvent {
  readonly event: ServerEvent;
  /** `foreign` answers a request this client did not make here. */
  readonly role: 'answer' | 'foreign' | 'other';
}

export function answerEdit(call: ClientCall, parts: EditDeps): AnswerEdit {
  const apply = messageEdit(call, parts);
  const idText = call.message.kind === 'request' ? call.message.idText : undefined;
  return {
    body: async (bytes) => apply(readUpstreamAnswer(bytes, idText)),
    event: async (event) => {
      const data = eventData(event);
      const answer = data.length === 0 ? undefined : someAnswer(data);
      if (answer === undefined) return { event, role: 'other' };
      if (!isAnswerTo(answer, idText)) return { event, role: 'foreign' };
      const edited = await apply(answer);
      return { event: edited === data ? event : withEventData(event, edited), role: 'answer' };
    },
  };
}

/** Gives the very same bytes if nothing changes. */
type MessageEdit = (answer: Answer) => Promise<Buffer>;

function messageEdit({ verb, message, client, signal }: ClientCall, parts: EditDeps): MessageEdit {
  const { recoverTool, toolFilter } = parts;
  const { method, params } = message.kind === 'request' ? message : { method: '', params: {} };
  if (method === 'tools/list' && (recoverTool ?? toolFilter) !== undefined) {
    return (answer) => editToolList(answer, params, parts);
  }
  return (answer) => {
    // A resumed stream carries answers to earlier calls; what they answer shows in their shape.
    const answered = verb === 'GET' ? methodByShape(answer.message) : method;
    const request = { method: answered, params, client, signal, recoverTool: recoverTool?.name };
    return shortenAnswer(answer, request, parts);
  };
}

/** The recovery tool is the gateway's own: no filter takes it away, and its name avoids those of hidden tools too. */
async function editToolList(
  answer: Answer,
  params: JsonObject,
  { recoverTool, toolFilter }: EditDeps,
): Promise<Buffer> {
  const added = (await recoverTool?.addTo(answer, params)) ?? answer.bytes;
  if (toolFilter === undefined) return added;
  const again = added === answer.bytes ? answer : someAnswer(added);
  return again === undefined ? added : toolFilter.apply(again);
}

function methodByShape({ result }: JsonObject): string {
  if (!isJsonObject(result)) return '';
  if (Array.isArray(result.contents)) return 'resources/read';
  if (Array.isArray(result.messages)) return 'prompts/get';
  return Array.isArray(result.content) ? 'tools/call' : '';
}

export interface ToolFilterOptions {
  /** Tool rules from the server's own table entry. */
  readonly tools: Partial<ToolTable>;
  /** The rules of the caller's token, if calls have one. */
  readonly callerRules: () => ToolRules | undefined;
  /** A tool of the gateway's own: offered whatever the rules say, and described in full. */
  isOwn(name: string): boolean;
  onShortened(saved: { tokensBefore: number; tokensAfter: number }): void;
}

/** Tool lists fill an agent's context before its first call: unneeded tools are neither listed nor callable. */
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

const NAMES = ['recover_text', 'secateur_recover_text', 'secateur_gateway_recover_text'] as const;

/**
 * The tool the gateway adds to an upstream's own. Which name it has depends on which ones the upstream uses, and that is
 * known only once its tools were listed.
 */
export class InjectedRecoverTool {
  #name: string = NAMES[0];
  #listed = false;
  readonly #upstreamNames = new Set<unknown>();
  readonly #dispatcher: Dispatcher;

  constructor(tool: Tool) {
    this.#dispatcher = createDispatcher({
      name: 'secateur-gateway',
      version: '1',
      tools: [tool],
      errorCodes: recoveryErrorCodes,
    });
  }

  get name(): string {
    return this.#name;
  }

  /** The gateway's own answer to a `tools/call`; `undefined` when the call is the upstream's to answer. */
  async answer(call: ClientCall): Promise<string | undefined> {
    const { message } = call;
    if (message.kind !== 'request' || message.method !== 'tools/call') return undefined;
    if (message.params.name !== this.#name) return undefined;
    try {
      const result = await this.#run(message.params.arguments, call);
      const stamped = isModernCall(call) ? { ...result, resultType: 'complete' } : result;
      return resultText(message.idText, stamped);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // Until the tools were listed the name may be the upstream's own; an id we do not know then is not ours to refuse.
      if (!this.#listed && error.code !== recoveryErrorCodes.invalid_range) return undefined;
      return rpcErrorText(message.idText, error);
    }
  }

  #run(args: unknown, { signal, client }: ClientCall): Promise<Record<string, unknown>> {
    return this.#dispatcher.run('tools/call', { name: NAMES[0], arguments: args ?? {} }, { signal, client });
  }

  /** Adds the tool to the last page of an upstream's `tools/list`, under a name none of its pages uses. */
  async addTo(answer: Answer, params: JsonObject): Promise<Buffer> {
    const { result } = answer.message;
    if (!isJsonObject(result) || !Array.isArray(result.tools)) return answer.bytes;
    if (params.cursor === undefined) this.#upstreamNames.clear();
    for (const tool of result.tools) this.#upstreamNames.add(isJsonObject(tool) ? tool.name : undefined);
    if (result.nextCursor !== undefined) return answer.bytes;
    this.#name = NAMES.find((name) => !this.#upstreamNames.has(name)) ?? this.#name;
    this.#listed = true;
    const { tools } = await this.#dispatcher.run('tools/list', {}, { signal: new AbortController().signal });
    const [listed] = tools as JsonObject[];
    const json = JSON.stringify({ ...listed, name: this.#name });
    return editAnswer(answer, [{ kind: 'append', path: ['result', 'tools'], json }]);
  }
}
