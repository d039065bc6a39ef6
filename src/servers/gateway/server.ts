import type { JsonObject } from '../../masking/json.ts';
import type { Pruner } from '../../pruning/pruner.ts';
import type { Recovery } from '../../recovery/recovery.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EventLog } from '../../runtime/event-log.ts';
import type { JsonScanner } from '../../text/json-scan.ts';
import { recoverTextTool } from '../recover-text.ts';
import { type AnswerEdit, answerEdit, type EditParts } from './answer-edit.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type ClientCall, isEndless } from './client-call.ts';
import { pruneFirst } from './prune-first.ts';
import { RecoverTool } from './recover-tool.ts';
import { limitsOf, type UpstreamOptions } from './server-table.ts';
import type { Cut } from './shorten.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';
import { openUpstream } from './upstreams/registry.ts';

export interface ServerParts {
  readonly recovery: Recovery;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly scanner: JsonScanner;
  /** What child processes inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly breaker: { readonly failures: number; readonly cooldownMs: number };
  readonly pruner?: Pruner | undefined;
  onCut(tool: string, cuts: readonly Cut[]): void;
  onRecovered(recovered: { pruneId: string; text: string }): void;
}

/** One line of the table at work: its upstream, its circuit, and what is done to its answers. */
export class GatewayServer {
  readonly options: UpstreamOptions;
  readonly #upstream: Upstream;
  readonly #breaker: CircuitBreaker;
  readonly #edit: EditParts;
  #inFlight = 0;

  constructor(options: UpstreamOptions, parts: ServerParts) {
    this.options = options;
    this.#upstream = openUpstream(options, parts);
    this.#breaker = new CircuitBreaker({ ...parts.breaker, clock: parts.clock });
    const { pruner } = parts;
    const limits = limitsOf(options);
    const tool = recoverTextTool({ recovery: parts.recovery, onRecovered: parts.onRecovered });
    this.#edit = {
      ...parts,
      server: options.name,
      limits,
      prune: options.pruneBeforeMask && pruner !== undefined ? pruneFirst(pruner, limits) : undefined,
      recoverTool: options.injectRecoverTool ? new RecoverTool(tool) : undefined,
    };
  }

  /** The gateway's own answer, if the call is for its recovery tool. */
  async ownAnswer(call: ClientCall): Promise<string | undefined> {
    return this.#edit.recoverTool?.answer(call);
  }

  editFor(call: ClientCall): AnswerEdit {
    return answerEdit(call, this.#edit);
  }

  /** One call from start to end: the circuit learns how it went, be it that the answer broke while it was handed on. */
  async serve(call: ClientCall, deliver: (answer: UpstreamAnswer) => Promise<void>): Promise<void> {
    this.#breaker.enter();
    this.#inFlight += 1;
    try {
      const answer = await this.#upstream.call(call);
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
    const { name, maxChars, headChars, tailChars, injectRecoverTool, pruneBeforeMask, timeoutMs } =
      this.options;
    return {
      name,
      ...(this.#upstream.state() as JsonObject),
      circuit: this.#breaker.state() as JsonObject,
      in_flight: this.#inFlight,
      settings: {
        timeout_ms: timeoutMs,
        max_chars: maxChars,
        head_chars: headChars,
        tail_chars: tailChars,
        inject_recover_tool: injectRecoverTool,
        prune_before_mask: pruneBeforeMask,
      },
    };
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}
