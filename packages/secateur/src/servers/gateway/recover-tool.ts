import { isJsonObject, type JsonObject } from '@secateur/base/text/json-value.ts';
import { RpcError } from '@secateur/base/tools/rpc-error.ts';
import type { Tool } from '@secateur/base/tools/tool.ts';
import { recoveryErrorCodes } from '@secateur/engine/recover-text.ts';
import { createDispatcher, type Dispatcher } from '@secateur/serving/wire/dispatcher.ts';
import { errorText, resultText } from '@secateur/serving/wire/protocol.ts';
import { type Answer, editAnswer } from './answer.ts';
import { type ClientCall, isModernCall } from './client-call.ts';

const NAMES = ['recover_text', 'secateur_recover_text', 'secateur_gateway_recover_text'] as const;

/**
 * The tool the gateway adds to an upstream's own. Which name it has depends on which ones the upstream uses, and that is
 * known only once its tools were listed.
 */
export class RecoverTool {
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
      return errorText(message.idText, error);
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
