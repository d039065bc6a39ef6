import { createHash } from 'node:crypto';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { isFields, parsedJson } from '@secateur/base/text/json.ts';
import { type DeepInfraOptions, deepInfra, type Reranker } from './ranking/deepinfra.ts';

/** A reranker on another machine, with a cache of its recent scores. */
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

/** Input of a reranker. Equal goals and texts have equal scores, regardless of the call's other options. */
export interface RerankSubject {
  goal: string;
  text: string;
}

/** 0-based indices, in text order, of the lines that a reranker scored, and their scores. */
export interface StoredScores {
  sent: readonly number[];
  scores: readonly number[];
}

/**
 * Cache of scores from another machine, by backend, goal and text. Users do not share entries, because a hit would
 * reveal that another user sent an equal request.
 */
export interface ScoreCache {
  get(subject: RerankSubject): Promise<StoredScores | undefined>;
  put(subject: RerankSubject, scores: StoredScores): void;
}

export interface ScoreCacheOptions {
  /** Name and address of the backend, because models give different scores. */
  backend: string;
  ttlMs: number;
  /** Maximum number of entries in memory; a shared cache is limited only by the time to live. */
  maxEntries: number;
  clock: Clock;
  /** Returns the name of the user whose call is in progress; `undefined` if callers have no names. */
  owner?: (() => string | undefined) | undefined;
  /** Store shared by all processes behind one address. Default: the memory of this process. */
  shared?: SharedTexts | undefined;
}

export interface SharedTexts {
  /** Returns a stored text. Never rejects: a failure is a missing entry. */
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

/** Each part is preceded by its length, so that different lists of parts never give equal bytes. */
function digestOf(backend: string, { goal, text }: RerankSubject): string {
  const hash = createHash('sha256');
  for (const part of [backend, goal, text]) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}

/** Maximum number of scores in memory, which limits few but large entries. */
const MAX_SCORES = 4_000_000;

type KeyOf = (subject: RerankSubject) => string;

function memoryCache({ ttlMs, maxEntries, clock }: ScoreCacheOptions, keyOf: KeyOf): ScoreCache {
  /** Entries, oldest first, because a Map iterates in insertion order. */
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

/** Larger entries are not shared: they are rare, and would displace recoverable texts in a full Redis. */
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

/** Version of the stored format, for processes of other versions. Version 1 contained whole responses. */
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
