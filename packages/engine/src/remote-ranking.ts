import { createHash } from 'node:crypto';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { isFields, parsedJson } from '@secateur/base/text/json.ts';
import { type DeepInfraOptions, deepInfra, type Reranker } from './ranking/deepinfra.ts';

/** A reranker on another machine, and the scores it gave lately. */
export interface RemoteRanking {
  reranker: Reranker;
  cache: ScoreCache;
}

export interface DeepInfraRankingOptions extends DeepInfraOptions {
  cache: Omit<ScoreCacheOptions, 'clock' | 'backend'>;
}

export function deepInfraRanking({ cache, ...options }: DeepInfraRankingOptions): RemoteRanking {
  const { clock, endpointUrl } = options;
  const backend = `deepinfra ${endpointUrl}`;
  return { reranker: deepInfra(options), cache: openScoreCache({ ...cache, clock, backend }) };
}

/** Input of a reranker: the same goal and text have the same scores, whatever the options of the call. */
export interface RerankSubject {
  goal: string;
  text: string;
}

/** The lines of a text that a reranker scored, as 0-based indices in text order, and their scores. */
export interface StoredScores {
  sent: readonly number[];
  scores: readonly number[];
}

/**
 * Scores that cost a call to another machine, by backend, goal and text. Each user has entries of its own: a hit would
 * reveal that another user asked the same.
 */
export interface ScoreCache {
  get(subject: RerankSubject): Promise<StoredScores | undefined>;
  put(subject: RerankSubject, scores: StoredScores): void;
}

export interface ScoreCacheOptions {
  /** Name of the backend and its address: scores of another model are other scores. */
  backend: string;
  ttlMs: number;
  /** Limit of the cache in memory; a shared one is bounded by the time to live. */
  maxEntries: number;
  clock: Clock;
  /** Returns the name of the user whose call is in progress; `undefined` if callers have no names. */
  owner?: (() => string | undefined) | undefined;
  /** Store shared by all processes behind one address. Default: the memory of this process. */
  shared?: SharedTexts | undefined;
}

export interface SharedTexts {
  /** Never rejects: a failure counts as a missing entry. */
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string, ttlMs: number): void;
}

export function openScoreCache(options: ScoreCacheOptions): ScoreCache {
  const { ttlMs, shared, backend, owner = () => undefined } = options;
  if (ttlMs <= 0) return NO_CACHE;
  const keyOf = (subject: RerankSubject) => `${owner() ?? ''}/${digestOf(backend, subject)}`;
  return shared === undefined ? memoryCache(options, keyOf) : sharedCache(shared, { ttlMs, keyOf });
}

const NO_CACHE: ScoreCache = { get: async () => undefined, put: () => {} };

/** Every part is preceded by its length, so that no two lists of parts give the same bytes. */
function digestOf(backend: string, { goal, text }: RerankSubject): string {
  const hash = createHash('sha256');
  for (const part of [backend, goal, text]) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}

/** Limit of all scores in memory; it counts if entries are few but large. */
const MAX_SCORES = 4_000_000;

type KeyOf = (subject: RerankSubject) => string;

function memoryCache({ ttlMs, maxEntries, clock }: ScoreCacheOptions, keyOf: KeyOf): ScoreCache {
  /** Oldest first: a Map iterates in insertion order. */
  const entries = new Map<string, { stored: StoredScores; expiresAt: number }>();
  let count = 0;
  const drop = (key: string) => {
    count -= entries.get(key)?.stored.scores.length ?? 0;
    entries.delete(key);
  };
  return {
    get: async (subject) => {
      const key = keyOf(subject);
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.expiresAt > clock.now()) return entry.stored;
      drop(key);
      return undefined;
    },
    put: (subject, stored) => {
      const key = keyOf(subject);
      drop(key);
      entries.set(key, { stored, expiresAt: clock.now() + ttlMs });
      count += stored.scores.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && count <= MAX_SCORES) return;
        drop(oldest);
      }
    },
  };
}

/** Larger entries are rare, and would push recoverable texts out of a Redis that is full. */
const MAX_SHARED_CHARS = 1_000_000;

function sharedCache(shared: SharedTexts, { ttlMs, keyOf }: { ttlMs: number; keyOf: KeyOf }): ScoreCache {
  return {
    get: async (subject) => {
      const json = await shared.get(keyOf(subject));
      return json === undefined ? undefined : storedIn(json);
    },
    put: (subject, { sent, scores }) => {
      const json = JSON.stringify({ version: FORMAT, sent, scores });
      if (json.length <= MAX_SHARED_CHARS) shared.put(keyOf(subject), json, ttlMs);
    },
  };
}

/** Version 1 held whole answers. Processes of another version may read what this one wrote. */
const FORMAT = 2;

function storedIn(json: string): StoredScores | undefined {
  const entry = parsedJson(json);
  if (!isFields(entry) || entry.version !== FORMAT) return undefined;
  const { sent, scores } = entry;
  if (!isNumbers(sent) || !isNumbers(scores) || sent.length !== scores.length) return undefined;
  return { sent, scores };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => Number.isFinite(each));
}
