import type { Clock } from '../../runtime/clock.ts';
import type { PruneOutcome } from '../request.ts';

/**
 * Answers that cost a call to another machine, by prune id: text, goal, source type and options all are in it. Each user
 * has answers of its own: that somebody else asked the same is nobody's business.
 */
export interface OutcomeCache {
  get(id: string): Promise<PruneOutcome | undefined>;
  put(outcome: PruneOutcome): void;
}

export interface OutcomeCacheOptions {
  ttlMs: number;
  /** Of the cache in memory; a shared one is bounded by the time to live. */
  maxEntries: number;
  clock: Clock;
  /** Whose call is in progress, where callers have names. */
  owner?: (() => string | undefined) | undefined;
  /** Kept for all processes behind one address; default: in this one's memory. */
  shared?: SharedTexts | undefined;
}

export interface SharedTexts {
  /** Never rejects: what cannot be had is not there. */
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string, ttlMs: number): void;
}

export function openOutcomeCache(options: OutcomeCacheOptions): OutcomeCache {
  const { ttlMs, shared, owner = () => undefined } = options;
  if (ttlMs <= 0) return NO_CACHE;
  const own = (id: string) => `${owner() ?? ''}/${id}`;
  return shared === undefined ? memoryCache(options, own) : sharedCache(shared, { ttlMs, own });
}

const NO_CACHE: OutcomeCache = { get: async () => undefined, put: () => {} };

/** Bounds memory where entries are few but large. */
const MOST_CHARS = 64_000_000;

type OwnKey = (id: string) => string;

function memoryCache({ ttlMs, maxEntries, clock }: OutcomeCacheOptions, own: OwnKey): OutcomeCache {
  /** Oldest first: a Map iterates in insertion order. */
  const entries = new Map<string, { outcome: PruneOutcome; expiresAt: number }>();
  let chars = 0;
  const drop = (key: string) => {
    chars -= entries.get(key)?.outcome.prunedText.length ?? 0;
    entries.delete(key);
  };
  return {
    get: async (id) => {
      const entry = entries.get(own(id));
      if (entry === undefined) return undefined;
      if (entry.expiresAt > clock.now()) return entry.outcome;
      drop(own(id));
      return undefined;
    },
    put: (outcome) => {
      const key = own(outcome.id);
      drop(key);
      entries.set(key, { outcome, expiresAt: clock.now() + ttlMs });
      chars += outcome.prunedText.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && chars <= MOST_CHARS) return;
        drop(oldest);
      }
    },
  };
}

/** Larger ones are rare, and would push recoverable texts out of a Redis that is full. */
const MOST_SHARED_CHARS = 1_000_000;

function sharedCache(shared: SharedTexts, { ttlMs, own }: { ttlMs: number; own: OwnKey }): OutcomeCache {
  return {
    get: async (id) => {
      const json = await shared.get(own(id));
      return json === undefined ? undefined : outcomeIn(json, id);
    },
    put: (outcome) => {
      const json = JSON.stringify({ version: FORMAT, outcome });
      if (json.length <= MOST_SHARED_CHARS) shared.put(own(outcome.id), json, ttlMs);
    },
  };
}

/** Processes of another version may read what this one wrote. */
const FORMAT = 1;

function outcomeIn(json: string, id: string): PruneOutcome | undefined {
  try {
    const { version, outcome } = JSON.parse(json) as { version: number; outcome: PruneOutcome };
    return version === FORMAT && outcome.id === id ? outcome : undefined;
  } catch {
    return undefined;
  }
}
