export type Labels = Readonly<Record<string, string>>;

/** Prometheus' text format. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A number by labels: a counter that only grows, or a gauge that is read anew each time. */
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
  /** Observations per bucket, not cumulated. */
  readonly counts: number[];
  sum: number;
  total: number;
}

/** Distribution of observations over buckets, by labels. */
export class Histogram {
  readonly #name: string;
  readonly #head: string;
  /** Upper bounds, rising. */
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

  /** Buckets count everything below them too. */
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
