import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { EventLoopQueue } from '@secateur/base/runtime/event-loop-queue.ts';
import type { Clock } from '@secateur/base/runtime/time.ts';
import type { JsonObject } from '@secateur/base/text/json.ts';
import { type Recovered, recoverTextTool } from '@secateur/engine/recover-text.ts';
import { failure } from './answer.ts';
import {
  type AnswerEdit,
  answerEdit,
  type EditDeps,
  InjectedRecoverTool,
  ToolFilter,
} from './answer-edit.ts';
import { type ClientCall, isEndless, type Upstream, type UpstreamAnswer } from './client-call.ts';
import type { GatewayDeps, GatewaySettings } from './gateway.ts';
import { pruneFirst } from './prune-first.ts';
import { recordCuts, recordGatewayRecovery, recordHiddenTools } from './savings.ts';
import { type ToolSettings, toolSettings, type UpstreamOptions } from './server-table.ts';
import { httpUpstream } from './upstreams/http.ts';
import { type StdioUpstreamOptions, stdioUpstream } from './upstreams/stdio.ts';

interface GatewayServerDeps extends Omit<GatewayDeps, 'callerServers' | 'sessionKey'> {
  readonly breaker: GatewaySettings['breaker'];
}

/** A configured server: its upstream, its circuit breaker, and how its responses are edited. */
export class GatewayServer {
  readonly options: UpstreamOptions;
  readonly #upstream: Upstream;
  readonly #breaker: CircuitBreaker;
  readonly #edit: EditDeps;
  /** Edits of the tools that have settings of their own. */
  readonly #toolEdits: ReadonlyMap<unknown, EditDeps>;
  readonly #toolFilter: ToolFilter;
  readonly #turns = new EventLoopQueue();
  #inFlight = 0;

  constructor(options: UpstreamOptions, parts: GatewayServerDeps) {
    const { name: server, tools = {}, injectRecoverTool } = options;
    const { recovery, ledger, pruning, callerRules } = parts;
    this.options = options;
    this.#upstream = openUpstream(options, parts);
    this.#breaker = new CircuitBreaker({ ...parts.breaker, clock: parts.clock });
    const onRecovered = (recovered: Recovered) => recordGatewayRecovery(ledger, { ...recovered, server });
    const tool = recoverTextTool({ recovery, onRecovered, byCharacters: true });
    const recoverTool = injectRecoverTool ? new InjectedRecoverTool(tool) : undefined;
    this.#toolFilter = new ToolFilter({
      ...{ tools, callerRules },
      isOwn: (name) => name === recoverTool?.name,
      onShortened: (saved) => recordHiddenTools(ledger, { ...saved, server }),
    });
    const edits = { recoverTool, toolFilter: this.#toolFilter, onShortened: recordCuts(parts) };
    const common = { ...parts, server, ...edits };
    this.#edit = { ...common, ...shortening(options, pruning) };
    this.#toolEdits = new Map(
      [...toolSettings(options)].map(([name, own]) => [name, { ...common, ...shortening(own, pruning) }]),
    );
  }

  /** Returns the gateway's own response to a call of its recovery tool; `undefined` for other calls. */
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

  /** Serves one call, and reports its result to the circuit breaker, even if the response ends early. */
  async serve(call: ClientCall, deliver: (answer: UpstreamAnswer) => Promise<void>): Promise<void> {
    this.#breaker.enter();
    this.#inFlight += 1;
    try {
      const answer = await this.#upstream.call(call);
      // Shortening a response takes milliseconds, and many responses may arrive together, so they take turns.
      await this.#turns.next();
      // A stream may stay open for hours, so its start already counts as a success.
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
      ...(this.#toolEdits.size > 0 && {
        tools: Object.fromEntries(
          [...toolSettings(this.options)].map(([name, own]) => [name, limitsState(own)]),
        ),
      }),
    };
  }

  isCalled(): boolean {
    return this.#breaker.state().state !== 'open';
  }

  close(): Promise<void> {
    return this.#upstream.close();
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

function shortening(settings: ToolSettings, pruning: GatewayDeps['pruning']) {
  const prunes = settings.pruneBeforeMask && pruning !== undefined;
  return { limits: settings, prune: prunes ? pruneFirst(pruning, settings) : undefined };
}

interface BreakerOptions extends Readonly<GatewaySettings['breaker']> {
  readonly clock: Clock;
}

const TRANSPORT_FAILURES: ReadonlySet<string> = new Set([
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_invalid_response',
  // An upstream that sends too many bytes harms the gateway as much as one that does not respond (X14).
  'response_too_large',
]);

/** Stops calls to an upstream that keeps failing. From time to time, lets one call test whether it works again. */
class CircuitBreaker {
  #failures = 0;
  #openedAt: number | undefined;
  #probing = false;
  readonly #options: BreakerOptions;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Throws `circuit_open`. If it does not throw, the caller must report the result of its call. */
  enter(): void {
    if (this.#openedAt === undefined) return;
    const retryInMs = this.#retryInMs();
    if (retryInMs > 0 || this.#probing) {
      throw failure('circuit_open', 'The upstream failed repeatedly and is left alone for a while', {
        hint: 'Check that the server is running; calls are tried again after the pause.',
        data: { retry_in_ms: Math.ceil(retryInMs) },
      });
    }
    this.#probing = true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#probing = false;
  }

  /** Reports a failed call. Only failures of the transport count, and not calls that the client cancelled. */
  failed(error: unknown): void {
    const code = error instanceof DomainError ? error.code : '';
    // An HTTP error shows that the upstream responds.
    if (code === 'upstream_http_error') this.succeeded();
    if (TRANSPORT_FAILURES.has(code)) this.#count();
    this.#probing = false;
  }

  state(): Record<string, unknown> {
    const failures = this.#failures;
    if (this.#openedAt === undefined) return { state: 'closed', failures };
    const retryInMs = Math.ceil(this.#retryInMs());
    if (retryInMs > 0) return { state: 'open', failures, retry_in_ms: retryInMs };
    return { state: 'half_open', failures };
  }

  #count(): void {
    this.#failures += 1;
    if (this.#probing || this.#failures >= this.#options.failures) {
      this.#openedAt = this.#options.clock.monotonic();
    }
  }

  #retryInMs(): number {
    const waited = this.#options.clock.monotonic() - (this.#openedAt ?? 0);
    return Math.max(0, this.#options.cooldownMs - waited);
  }
}

/** Opens an upstream of the kind that the table describes. `env`: environment for child processes. */
export function openUpstream(
  options: UpstreamOptions,
  { env, log, watchdog }: Pick<StdioUpstreamOptions, 'env' | 'log' | 'watchdog'>,
): Upstream {
  const { url, command, cwd } = options;
  if (url !== undefined) return httpUpstream({ ...options, url });
  if (command !== undefined)
    return stdioUpstream({ ...options, command, cwd, env: { ...env, ...options.env }, log, watchdog });
  throw new Error(`no kind of upstream takes the server ${options.name}`);
}
