import type { Lifeline } from '@secateur/base/runtime/lifeline.ts';
import { Turns } from '@secateur/base/runtime/turns.ts';
import type { JsonObject } from '@secateur/base/text/json-value.ts';
import { type Recovered, recoverTextTool } from '@secateur/engine/recover-text.ts';
import type { ToolRules } from '@secateur/serving/wire/tool-rules.ts';
import { type AnswerEdit, answerEdit, type EditParts } from './answer-edit.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type ClientCall, isEndless } from './client-call.ts';
import type { GatewayOptions, GatewayParts } from './gateway.ts';
import { type GatewayPruning, pruneFirst } from './prune-first.ts';
import { RecoverTool } from './recover-tool.ts';
import type { HiddenTools, Shortening } from './savings.ts';
import { type ToolSettings, toolSettings, type UpstreamOptions } from './server-table.ts';
import { ToolFilter } from './tool-filter.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';
import { openUpstream } from './upstreams/registry.ts';

export interface ServerParts
  extends Pick<GatewayParts, 'recovery' | 'clock' | 'log' | 'env' | 'pruning' | 'isOff'> {
  readonly lifeline: Lifeline;
  readonly breaker: GatewayOptions['breaker'];
  /** The rules of the token a call came with. */
  callerRules(): ToolRules | undefined;
  onShortened(shortening: Shortening): void;
  onToolsHidden(saved: HiddenTools & { server: string }): void;
  onRecovered(recovered: Recovered & { server: string }): void;
}

/** One line of the table at work: its upstream, its circuit, and what is done to its answers. */
export class GatewayServer {
  readonly options: UpstreamOptions;
  readonly #upstream: Upstream;
  readonly #breaker: CircuitBreaker;
  readonly #edit: EditParts;
  /** For tools with settings of their own. */
  readonly #toolEdits: ReadonlyMap<unknown, EditParts>;
  readonly #toolFilter: ToolFilter;
  readonly #turns = new Turns();
  #inFlight = 0;

  constructor(options: UpstreamOptions, parts: ServerParts) {
    this.options = options;
    this.#upstream = openUpstream(options, parts);
    this.#breaker = new CircuitBreaker({ ...parts.breaker, clock: parts.clock });
    const { recovery } = parts;
    const onRecovered = (recovered: Recovered) => parts.onRecovered({ ...recovered, server: options.name });
    const tool = recoverTextTool({ recovery, onRecovered, byCharacters: true });
    const recoverTool = options.injectRecoverTool ? new RecoverTool(tool) : undefined;
    this.#toolFilter = new ToolFilter({
      tools: options.tools ?? {},
      callerRules: parts.callerRules,
      isOwn: (name) => name === recoverTool?.name,
      onShortened: (saved) => parts.onToolsHidden({ ...saved, server: options.name }),
    });
    const common = { ...parts, server: options.name, recoverTool, toolFilter: this.#toolFilter };
    this.#edit = { ...common, ...shortening(options, parts.pruning) };
    const tools = [...toolSettings(options)];
    this.#toolEdits = new Map(
      tools.map(([name, own]) => [name, { ...common, ...shortening(own, parts.pruning) }]),
    );
  }

  /** The gateway's own answer, if the call is for its recovery tool. */
  async ownAnswer(call: ClientCall): Promise<string | undefined> {
    const own = await this.#edit.recoverTool?.answer(call);
    if (own === undefined) this.#toolFilter.check(call);
    return own;
  }

  editFor(call: ClientCall): AnswerEdit {
    const { message } = call;
    const tool =
      message.kind === 'request' && message.method === 'tools/call' ? message.params.name : undefined;
    return answerEdit(call, this.#toolEdits.get(tool) ?? this.#edit);
  }

  /** One call from start to end: the circuit learns how it went, be it that the answer broke while it was handed on. */
  async serve(call: ClientCall, deliver: (answer: UpstreamAnswer) => Promise<void>): Promise<void> {
    this.#breaker.enter();
    this.#inFlight += 1;
    try {
      const answer = await this.#upstream.call(call);
      // Reading and shortening a long answer takes milliseconds, and many arrive together.
      await this.#turns.next();
      // Nobody waits for the end of a stream that is open for hours to know that the upstream is well.
      if (isEndless(call.message)) this.#breaker.succeeded();
      await deliver(answer);
      this.#breaker.succeeded();
    } catch (error) {
      this.#breaker.failed(error);
      throw error;
    } finally {
      this.#inFlight -= 1;
    }
  }

  state(): JsonObject {
    const { name, injectRecoverTool, timeoutMs } = this.options;
    return {
      name,
      ...(this.#upstream.state() as JsonObject),
      circuit: this.#breaker.state() as JsonObject,
      in_flight: this.#inFlight,
      settings: {
        timeout_ms: timeoutMs,
        ...limitsState(this.options),
        inject_recover_tool: injectRecoverTool,
      },
      ...(this.#toolEdits.size === 0 ? {} : { tools: this.#toolStates() }),
    };
  }

  isCalled(): boolean {
    return this.#breaker.state().state !== 'open';
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }

  #toolStates(): JsonObject {
    return Object.fromEntries([...toolSettings(this.options)].map(([name, own]) => [name, limitsState(own)]));
  }
}

function limitsState(settings: ToolSettings): JsonObject {
  return {
    max_chars: settings.maxChars,
    head_chars: settings.headChars,
    tail_chars: settings.tailChars,
    max_media_bytes: settings.maxMediaBytes,
    max_result_chars: settings.maxResultChars,
    prune_before_mask: settings.pruneBeforeMask,
  };
}

function shortening(
  settings: ToolSettings,
  pruning: GatewayPruning | undefined,
): Pick<EditParts, 'limits' | 'prune'> {
  const prunes = settings.pruneBeforeMask && pruning !== undefined;
  return { limits: settings, prune: prunes ? pruneFirst(pruning, settings) : undefined };
}
