import { isJsonObject, type JsonObject } from '@secateur/base/text/json.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { RpcError, type Tool } from '@secateur/base/tools/tool.ts';
import { recoveryErrorCodes } from '@secateur/engine/recover-text.ts';
import { createDispatcher, type Dispatcher } from '@secateur/serving/wire/dispatcher.ts';
import { resultText, rpcErrorText } from '@secateur/serving/wire/protocol.ts';
import { allowsTool, type ToolRules } from '@secateur/serving/wire/tokens.ts';
import { type Answer, editAnswer, failure, isAnswerTo, readUpstreamAnswer, someAnswer } from './answer.ts';
import { type ClientCall, isModernCall, requestId } from './client-call.ts';
import type { HiddenTools } from './savings.ts';
import { eventData, type ServerEvent, withEventData } from './server-events.ts';
import type { ToolTable } from './server-table.ts';
import { type ShortenDeps, shortenAnswer } from './shorten.ts';

export interface EditDeps extends ShortenDeps {
  /** The recovery tool; `undefined` if it is switched off for the server. */
  readonly recoverTool: InjectedRecoverTool | undefined;
  /** Filter of tools; `undefined` if all tools are offered unchanged. */
  readonly toolFilter?: ToolFilter | undefined;
}

/** Edits messages of an upstream; all other bytes stay unchanged. */
export interface AnswerEdit {
  /** Edits a body. Throws `upstream_invalid_response` if the body is not a JSON-RPC answer. */
  body(bytes: Buffer): Promise<Buffer>;
  /** Edits an event. Its role is `foreign` if it is the response to another call. */
  event(event: ServerEvent): Promise<{ event: ServerEvent; role: 'answer' | 'foreign' | 'other' }>;
}

export function answerEdit(call: ClientCall, parts: EditDeps): AnswerEdit {
  const apply = messageEdit(call, parts);
  const idText = requestId(call.message);
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

/** Returns the function that edits a response. If no edit is needed, it returns the same bytes. */
function messageEdit({ verb, message, client, signal }: ClientCall, parts: EditDeps) {
  const { recoverTool, toolFilter } = parts;
  const { method, params } = message.kind === 'request' ? message : { method: '', params: {} };
  if (method === 'tools/list' && (recoverTool ?? toolFilter) !== undefined) {
    return (answer: Answer) => editToolList(answer, params, parts);
  }
  return (answer: Answer) => {
    // A resumed stream contains responses to earlier calls. The form of a result shows the method.
    const answered = verb === 'GET' ? methodByShape(answer.message) : method;
    const request = { method: answered, params, client, signal, recoverTool: recoverTool?.name };
    return shortenAnswer(answer, request, parts);
  };
}

/** Filters a list of tools and adds the recovery tool under a name that no other tool has, not even a hidden one. */
async function editToolList(answer: Answer, params: JsonObject, { recoverTool, toolFilter }: EditDeps) {
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

interface ToolFilterOptions {
  /** Tool rules from the server's table in the settings. */
  readonly tools: Partial<ToolTable>;
  readonly callerRules: () => ToolRules | undefined;
  /** Whether a tool belongs to the gateway. It is always offered, with its full description. */
  isOwn(name: string): boolean;
  onShortened(saved: HiddenTools): void;
}

/** Filters the tools of an upstream. Hidden tools cannot be called and are not listed, which saves context. */
export class ToolFilter {
  readonly #options: ToolFilterOptions;

  constructor(options: ToolFilterOptions) {
    this.#options = options;
  }

  /** Throws `tool_hidden` if a call names a tool that its caller may not use. */
  check({ message }: Pick<ClientCall, 'message'>): void {
    // Calls without an id are checked too. A server might execute them, although it sends no response.
    if (!('method' in message) || message.method !== 'tools/call') return;
    const { name } = message.params;
    // A call that names no tool executes none, so the server may respond to it.
    if (name === undefined || (typeof name === 'string' && this.#isVisible(name))) return;
    // Other types are refused. A server that uses `["delete_file"]` as an object key would run that tool.
    const asked = typeof name === 'string' ? name.slice(0, 100) : 'its name is not a string';
    throw failure('tool_hidden', `Unknown tool: ${asked}`, {
      hint: 'List the tools to see which this server offers here.',
    });
  }

  /** Returns the list without hidden tools. If none is hidden, returns the same bytes. */
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
    const { tools, isOwn } = this.#options;
    const { each = {}, maxDescriptionChars } = tools;
    const name = nameOf(tool);
    if (!isJsonObject(tool) || isOwn(name)) return tool;
    const description = (Object.hasOwn(each, name) ? each[name]?.description : undefined) ?? tool.description;
    if (typeof description !== 'string') return tool;
    return { ...tool, description: shortened(description, maxDescriptionChars) };
  }
}

function nameOf(tool: JsonObject[string]): string {
  return isJsonObject(tool) && typeof tool.name === 'string' ? tool.name : '';
}

function shortened(description: string, maxChars = Number.POSITIVE_INFINITY): string {
  if (description.length <= maxChars) return description;
  const characters = [...description];
  if (characters.length <= maxChars) return description;
  return `${characters.slice(0, Math.max(0, maxChars - 1)).join('')}…`;
}

const NAMES = ['recover_text', 'secateur_recover_text', 'secateur_gateway_recover_text'] as const;

/** Recovery tool that the gateway adds. Its name depends on the tools that the upstream lists. */
export class InjectedRecoverTool {
  #name: string = NAMES[0];
  #listed = false;
  readonly #upstreamNames = new Set<unknown>();
  readonly #dispatcher: Dispatcher;

  constructor(tool: Tool) {
    const own = { name: 'secateur-gateway', version: '1', tools: [tool], errorCodes: recoveryErrorCodes };
    this.#dispatcher = createDispatcher(own);
  }

  get name(): string {
    return this.#name;
  }

  /** Returns the gateway's own response to a `tools/call`; `undefined` if the upstream must respond. */
  async answer(call: ClientCall): Promise<string | undefined> {
    const { message, signal, client } = call;
    if (message.kind !== 'request' || message.method !== 'tools/call') return undefined;
    if (message.params.name !== this.#name) return undefined;
    try {
      const asked = { name: NAMES[0], arguments: message.params.arguments ?? {} };
      const result = await this.#dispatcher.run('tools/call', asked, { signal, client });
      return resultText(message.idText, isModernCall(call) ? { ...result, resultType: 'complete' } : result);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // The tools were not listed yet, so the call may be for a tool of the upstream. It handles ids that are
      // unknown here.
      if (!this.#listed && error.code !== recoveryErrorCodes.invalid_range) return undefined;
      return rpcErrorText(message.idText, error);
    }
  }

  /** Adds the tool to the last page of an upstream's `tools/list`, under a name that is on no page. */
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
