import type { NewEntry } from './ledger.ts';

/** Upper bounds of the histogram in seconds, from the masking of one value to the time limit of a cut. */
const CUT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Reasons that are used as labels. Other texts are not, because callers could choose them. */
const REASONS: ReadonlySet<string> = new Set([
  ...['timeout', 'input_too_large', 'constraints_unmet', 'internal_error', 'recovery_unavailable'],
  ...['http_error', 'invalid_response', 'pruner_error'],
]);

/** Maximum number of users with a label of their own. Further users share one, because each label costs the collector memory. */
const MAX_USERS = 1000;

/** Metrics of one process for Prometheus (`secateur_*`). Counting starts when a server serves them. */
export class Metrics {
  readonly #gauges: () => Promise<Gauges>;
  #upstreams: () => Gauges['upstreams'] = () => ({});
  #isServed = false;
  readonly #cuts = counter('cuts_total', 'Texts cut or masked');
  readonly #tokens = counter(
    'tokens_total',
    'Estimated tokens of those texts, before and after, and recovered',
  );
  readonly #fallbacks = counter(
    'fallbacks_total',
    'Texts returned unchanged, or ranked locally because the remote scorer failed',
  );
  readonly #recoveries = counter('recoveries_total', 'Number of recoveries of removed lines');
  readonly #calls = counter('calls_total', 'HTTP requests answered');
  readonly #cutSeconds = histogram('cut_duration_seconds', 'Time that a cut added to its call', CUT_SECONDS);
  readonly #callSeconds = histogram('call_duration_seconds', 'Time to answer an HTTP request', CALL_SECONDS);
  readonly #userCalls = counter('user_calls_total', 'HTTP requests answered, by name of token');
  readonly #userTokens = counter(
    'user_tokens_total',
    'Estimated tokens before and after cuts, and recovered, by name of token',
  );
  readonly #users = new Set<string>();

  constructor(gauges: () => Promise<Omit<Gauges, 'upstreams'>>) {
    this.#gauges = async () => ({ ...(await gauges()), upstreams: this.#upstreams() });
  }

  /** Sets a function that returns the state of the servers behind the gateway. */
  watchUpstreams(upstreams: () => Gauges['upstreams']): void {
    this.#upstreams = upstreams;
  }

  /** Starts counting. */
  serve(): void {
    this.#isServed = true;
  }

  /** Returns the metrics. A caller with a named token does not see figures of other named tokens. */
  async text(user: string | undefined): Promise<{ contentType: string; body: string }> {
    const all = [
      ...[this.#cuts, this.#tokens, this.#fallbacks, this.#recoveries, this.#calls],
      ...[this.#cutSeconds, this.#callSeconds, this.#userCalls, this.#userTokens],
      ...gaugeMetrics(await this.#gauges()),
    ];
    const lines = all.flatMap((metric) => metric.text().split('\n'));
    const isOthers = (line: string) =>
      user !== undefined && /[{,]user="/.test(line) && !line.includes(`user="${user}"`);
    return { contentType: CONTENT_TYPE, body: `${lines.filter((line) => !isOthers(line)).join('\n')}\n` };
  }

  /** Counts an entry of the ledger. */
  record(entry: NewEntry): void {
    if (!this.#isServed) return;
    const { kind, system, user, tokensBefore, tokensAfter, durationMs, fallback } = entry;
    const isRecovery = kind === 'recovered';
    const stages = isRecovery ? { recovered: tokensAfter } : { before: tokensBefore, after: tokensAfter };
    for (const [stage, tokens] of Object.entries(stages)) {
      this.#tokens.add({ system, stage }, tokens);
      if (user !== undefined) this.#userTokens.add({ user: this.#label(user), stage }, tokens);
    }
    if (isRecovery) {
      this.#recoveries.add({ system });
      return;
    }
    if (fallback !== undefined)
      this.#fallbacks.add({ system, reason: REASONS.has(fallback) ? fallback : 'other' });
    this.#cuts.add({ system, kind });
    if (durationMs !== undefined) this.#cutSeconds.observe({ system }, durationMs / 1000);
  }

  /** Counts a served call. `user` is the name of the call's token. */
  answered(
    server: string,
    { status, seconds, user }: { status: number; seconds: number; user: string | undefined },
  ): void {
    if (!this.#isServed) return;
    const group = `${Math.floor(status / 100)}xx`;
    this.#calls.add({ server, status: group });
    this.#callSeconds.observe({ server }, seconds);
    if (user !== undefined) this.#userCalls.add({ user: this.#label(user), status: group });
  }

  /** Returns the label for a token: its name, or a shared one if there are too many. */
  #label(user: string): string {
    if (this.#users.size < MAX_USERS) this.#users.add(user);
    return this.#users.has(user) ? user : 'other';
  }
}

function counter(name: string, help: string): Metric {
  return new Metric('counter', `secateur_${name}`, help);
}

function histogram(name: string, help: string, bounds: readonly number[]): Histogram {
  return new Histogram(`secateur_${name}`, help, bounds);
}

/** Creates a gauge. If the value is missing, only the description is printed. */
function gauge(name: string, help: string, value?: number): Metric {
  const metric = new Metric('gauge', `secateur_${name}`, help);
  if (value !== undefined) metric.add({}, value);
  return metric;
}

function gaugeMetrics({ storeBytes, isStoreUp, waitingCuts, upstreams }: Gauges): Metric[] {
  const store = gauge('store_bytes', 'Bytes the recovery store holds', storeBytes);
  const isUp = isStoreUp === undefined ? undefined : Number(isStoreUp);
  const storeUp = gauge('store_up', '1 while the shared store (Redis) answers, else 0', isUp);
  const queue = gauge('worker_queue', 'Cuts that wait for a worker', waitingCuts);
  const help = '1 while the gateway calls this server, 0 while its circuit is open';
  const states = gauge('upstream_up', help);
  for (const [upstream, isCalled] of Object.entries(upstreams)) states.add({ upstream }, Number(isCalled));
  return [store, storeUp, queue, states];
}

/** Values that are determined when the metrics are requested. */
export interface Gauges {
  readonly storeBytes: number | undefined;
  /** Whether the shared store answers; `undefined` if the store is not shared. */
  readonly isStoreUp?: boolean | undefined;
  readonly waitingCuts: number;
  /** Whether the gateway calls an upstream server, that is, whether its circuit is closed. By server name. */
  readonly upstreams: Readonly<Record<string, boolean>>;
}

export type Labels = Readonly<Record<string, string>>;

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A number per set of labels. Either a counter, which only grows, or a gauge, which is set for each request. */
export class Metric {
  readonly #name: string;
  readonly #head: string;
  readonly #values = new Map<string, number>();

  constructor(kind: 'counter' | 'gauge', name: string, help: string) {
    this.#name = name;
    this.#head = head(name, kind, help);
  }

  add(labels: Labels, by = 1): void {
    const key = written(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }

  text(): string {
    const lines = [...this.#values].map(([labels, value]) => `${this.#name}${labels} ${value}`);
    return [this.#head, ...lines].join('\n');
  }
}

interface Observed {
  readonly labels: Labels;
  /** Number of observations per bucket, not cumulative. */
  readonly counts: number[];
  sum: number;
  total: number;
}

/** Distribution of observations over buckets, per set of labels. */
export class Histogram {
  readonly #name: string;
  readonly #head: string;
  /** Upper bounds of the buckets, ascending. */
  readonly #bounds: readonly number[];
  readonly #observed = new Map<string, Observed>();

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#head = head(name, 'histogram', help);
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const key = written(labels);
    const seen = this.#observed.get(key) ?? { labels, counts: this.#bounds.map(() => 0), sum: 0, total: 0 };
    this.#observed.set(key, seen);
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket !== -1) seen.counts[bucket] = (seen.counts[bucket] ?? 0) + 1;
    seen.sum += value;
    seen.total += 1;
  }

  text(): string {
    return [this.#head, ...[...this.#observed.values()].flatMap((seen) => this.#lines(seen))].join('\n');
  }

  /** Returns the lines with cumulative counts, as Prometheus expects. */
  #lines({ labels, counts, sum, total }: Observed): string[] {
    let below = 0;
    const bucket = (bound: number | string, count: number) =>
      `${this.#name}_bucket${written({ le: String(bound), ...labels })} ${count}`;
    const buckets = this.#bounds.map((bound, at) => {
      below += counts[at] ?? 0;
      return bucket(bound, below);
    });
    const own = written(labels);
    return [
      ...buckets,
      bucket('+Inf', total),
      `${this.#name}_sum${own} ${sum}`,
      `${this.#name}_count${own} ${total}`,
    ];
  }
}

function head(name: string, kind: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}`;
}

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
