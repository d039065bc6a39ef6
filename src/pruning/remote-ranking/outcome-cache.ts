import type { Clock } from '../../runtime/clock.ts';
import type { PruneOutcome } from '../request.ts';

export interface OutcomeCacheOptions {
  ttlMs: number;
  maxEntries: number;
  clock: Clock;
}

/** Bounds memory where entries are few but large. */
const MOST_CHARS = 64_000_000;

/** Answers that cost a call to another machine, by prune id: text, goal, source type and options all are in it. */
export class OutcomeCache {
  readonly #options: OutcomeCacheOptions;
  /** Oldest first: a Map iterates in insertion order. */
  readonly #entries = new Map<string, { outcome: PruneOutcome; expiresAt: number }>();
  #chars = 0;

  constructor(options: OutcomeCacheOptions) {
    this.#options = options;
  }

  get(id: string): PruneOutcome | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.#options.clock.now()) return entry.outcome;
    this.#drop(id);
    return undefined;
  }

  put(outcome: PruneOutcome): void {
    const { ttlMs, maxEntries, clock } = this.#options;
    if (ttlMs <= 0) return;
    this.#drop(outcome.id);
    this.#entries.set(outcome.id, { outcome, expiresAt: clock.now() + ttlMs });
    this.#chars += outcome.prunedText.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries && this.#chars <= MOST_CHARS) return;
      this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    this.#chars -= this.#entries.get(id)?.outcome.prunedText.length ?? 0;
    this.#entries.delete(id);
  }
}
