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

/** More names than this share one label: every label costs whoever collects the figures. */
const MOST_USERS = 1000;

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

  readonly #users = new Set<string>();
  readonly #userCalls = this.#counter('user_calls_total', 'HTTP requests answered, by name of token', [
    'user',
    'status',
  ]);
  readonly #userTokens = this.#counter(
    'user_tokens_total',
    'Estimated tokens before and after cuts and what was asked back, by name of token',
    ['user', 'stage'],
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

  async text(user: string | undefined): Promise<string> {
    const text = await this.#registry.metrics();
    if (user === undefined) return text;
    const isOthers = (line: string) => /[{,]user="/.test(line) && !line.includes(`user="${user}"`);
    return text
      .split('\n')
      .filter((line) => !isOthers(line))
      .join('\n');
  }

  entry(entry: NewEntry): void {
    const { kind, system, tokensBefore, tokensAfter, durationMs, fallback } = entry;
    this.#userEntry(entry);
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

  call({ server, status, seconds, user }: AnsweredCall): void {
    const group = `${Math.floor(status / 100)}xx`;
    this.#calls.inc({ server, status: group });
    this.#callSeconds.observe({ server }, seconds);
    if (user !== undefined) this.#userCalls.inc({ user: this.#label(user), status: group });
  }

  #userEntry({ user: name, kind, tokensBefore, tokensAfter }: NewEntry): void {
    if (name === undefined) return;
    const user = this.#label(name);
    if (kind === 'recovered') {
      this.#userTokens.inc({ user, stage: 'recovered' }, tokensAfter);
      return;
    }
    this.#userTokens.inc({ user, stage: 'before' }, tokensBefore);
    this.#userTokens.inc({ user, stage: 'after' }, tokensAfter);
  }

  /** The name of a token, as long as there are few. */
  #label(user: string): string {
    if (this.#users.size < MOST_USERS) this.#users.add(user);
    return this.#users.has(user) ? user : 'other';
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
