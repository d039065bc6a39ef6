import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { NewEntry } from '../ledger.ts';
import type { AnsweredCall, Gauges } from '../metrics.ts';

/** From a masked answer to a text that took all its time. */
const CUT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Reasons that have a line of their own; a stranger's word is no label. */
const REASONS: ReadonlySet<string> = new Set([
  ...['timeout', 'input_too_large', 'constraints_unmet', 'internal_error', 'recovery_unavailable'],
  ...['http_error', 'invalid_response', 'pruner_error'],
]);

/** The figures as Prometheus reads them: names `secateur_*`, base units, labels of which there are few. */
export class MetricsRegistry {
  readonly #registry = new Registry();
  readonly #cuts = this.#counter('cuts_total', 'Texts cut or masked', ['system', 'kind']);
  readonly #tokens = this.#counter(
    'tokens_total',
    'Estimated tokens of those texts, before and after, and what was asked back',
    ['system', 'stage'],
  );
  readonly #fallbacks = this.#counter(
    'fallbacks_total',
    'Texts that passed whole, or were ranked by less than asked for',
    ['system', 'reason'],
  );
  readonly #recoveries = this.#counter('recoveries_total', 'Times that removed lines were asked back', [
    'system',
  ]);
  readonly #calls = this.#counter('calls_total', 'HTTP requests answered', ['server', 'status']);
  readonly #cutSeconds = this.#histogram(
    'cut_duration_seconds',
    'What a cut added to its call',
    CUT_SECONDS,
    'system',
  );
  readonly #callSeconds = this.#histogram(
    'call_duration_seconds',
    'Time to answer an HTTP request',
    CALL_SECONDS,
    'server',
  );

  constructor(gauges: () => Promise<Gauges>) {
    this.#gauge('store_bytes', 'Bytes the recovery store holds', [], async (gauge) => {
      const { storeBytes } = await gauges();
      if (storeBytes !== undefined) gauge.set(storeBytes);
    });
    this.#gauge('worker_queue', 'Cuts that wait for a worker', [], async (gauge) =>
      gauge.set((await gauges()).waitingCuts),
    );
    this.#gauge(
      'upstream_up',
      '1 while the gateway calls this server, 0 while its circuit is open',
      ['upstream'],
      async (gauge) => {
        gauge.reset();
        for (const [upstream, isUp] of Object.entries((await gauges()).upstreams))
          gauge.set({ upstream }, isUp ? 1 : 0);
      },
    );
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  entry({ kind, system, tokensBefore, tokensAfter, durationMs, fallback }: NewEntry): void {
    if (kind === 'recovered') {
      this.#recoveries.inc({ system });
      this.#tokens.inc({ system, stage: 'recovered' }, tokensAfter);
      return;
    }
    if (fallback !== undefined)
      this.#fallbacks.inc({ system, reason: REASONS.has(fallback) ? fallback : 'other' });
    this.#cuts.inc({ system, kind });
    this.#tokens.inc({ system, stage: 'before' }, tokensBefore);
    this.#tokens.inc({ system, stage: 'after' }, tokensAfter);
    if (durationMs !== undefined) this.#cutSeconds.observe({ system }, durationMs / 1000);
  }

  call({ server, status, seconds }: AnsweredCall): void {
    this.#calls.inc({ server, status: `${Math.floor(status / 100)}xx` });
    this.#callSeconds.observe({ server }, seconds);
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `secateur_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram(name: string, help: string, ...[buckets, label]: [number[], string]): Histogram {
    return new Histogram({
      name: `secateur_${name}`,
      help,
      buckets,
      labelNames: [label],
      registers: [this.#registry],
    });
  }

  #gauge(
    name: string,
    help: string,
    ...[labelNames, read]: [string[], (gauge: Gauge) => Promise<void>]
  ): void {
    const registers = [this.#registry];
    const gauge: Gauge = new Gauge({
      name: `secateur_${name}`,
      help,
      labelNames,
      registers,
      collect: () => read(gauge),
    });
  }
}
