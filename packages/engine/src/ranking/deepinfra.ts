import { createHash } from 'node:crypto';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { type Clock, withTimeoutOr } from '@secateur/base/runtime/time.ts';
import { isFields, parsedJson } from '@secateur/base/text/json.ts';

/** Scores documents towards a goal on another machine. */
export interface Reranker {
  readonly maxDocuments: number;
  rerank(goal: string, documents: readonly string[], timeoutMs: number): Promise<Reranking>;
}

/** Scores, or the reason why they are missing, which becomes a warning next to the local scores. */
export type Reranking =
  | { kind: 'scored'; scores: number[]; httpStatus: number; latencyMs: number }
  | { kind: 'failed'; warning: RerankWarning; httpStatus?: number; latencyMs: number };

export type RerankWarning = 'deepinfra_http_error' | 'deepinfra_parse_error' | 'deepinfra_config_error';

export interface DeepInfraOptions {
  endpointUrl: string;
  /** Key for the Authorization header. Sent nowhere else. */
  apiKey: string | undefined;
  timeoutMs: number;
  maxDocuments: number;
  clock: Clock;
}

function deepInfra(options: DeepInfraOptions): Reranker {
  const { apiKey, clock, maxDocuments } = options;
  // Loads undici now, so that the first call does not spend time on it.
  const client = import('undici');
  client.catch(() => {});
  return {
    maxDocuments,
    rerank: async (goal, documents, timeoutMs) => {
      if (apiKey === undefined) return { kind: 'failed', warning: 'deepinfra_config_error', latencyMs: 0 };
      const started = clock.monotonic();
      const body = JSON.stringify({ queries: [goal], documents });
      const limitMs = Math.max(1, Math.round(Math.min(timeoutMs, options.timeoutMs)));
      const answer = await post({ url: options.endpointUrl, apiKey, body, limitMs }, client);
      return understand(answer, documents.length, Math.round(clock.monotonic() - started));
    },
  };
}

/** Status and text of a response. Both are absent without a response; the text is absent if it was incomplete. */
interface Answer {
  status?: number;
  text?: string;
}

const MAX_ANSWER_BYTES = 16 << 20;

/** Sends a request and returns as much of the response as arrives. Never throws: all failures are treated alike. */
async function post(
  { url, apiKey, body, limitMs }: { url: string; apiKey: string; body: string; limitMs: number },
  client: Promise<typeof import('undici')>,
): Promise<Answer> {
  const answer: Answer = {};
  const aborting = new AbortController();
  const exchange = async () => {
    const { request } = await client;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const response = await request(url, { method: 'POST', headers, body, signal: aborting.signal });
    answer.status = response.statusCode;
    const bytes = await readAtMost(response.body, MAX_ANSWER_BYTES);
    if (bytes !== undefined) answer.text = bytes.toString('utf8');
  };
  // One timer for everything: loading the client, connecting, and a response that never ends.
  await withTimeoutOr(
    exchange().catch(() => {}),
    limitMs,
    undefined,
  );
  aborting.abort();
  return answer;
}

function understand({ status, text }: Answer, documents: number, latencyMs: number): Reranking {
  const failed = { kind: 'failed', warning: 'deepinfra_http_error', latencyMs } as const;
  if (status === undefined) return failed;
  const answered = { httpStatus: status, latencyMs };
  if (status < 200 || status > 299 || text === undefined) return { ...failed, ...answered };
  const scores = readScores(text, documents);
  if (scores === undefined) return { kind: 'failed', warning: 'deepinfra_parse_error', ...answered };
  return { kind: 'scored', scores, ...answered };
}

/** Keys under which rerankers return their list. */
const NESTED_UNDER = ['scores', 'results', 'result', 'output', 'data'] as const;

/**
 * Reads one score per document from any format that rerankers return: `{"scores": [..]}`, a plain list, `[{"index",
 * "score"}]`, or one of these nested one level deeper. Returns `undefined` if a document has no score.
 */
function readScores(text: string, documents: number): number[] | undefined {
  const answer = parsedJson(text);
  for (const candidate of [answer, ...nestedIn(answer), ...nestedIn(answer).flatMap(nestedIn)]) {
    const scores = numbersIn(candidate, documents) ?? indexedIn(candidate, documents);
    if (scores !== undefined) return scores;
  }
  return undefined;
}

function nestedIn(value: unknown): unknown[] {
  // One query was sent, so in a list of one list, the inner list is the result.
  if (Array.isArray(value)) return value.length === 1 ? [value[0]] : [];
  if (!isFields(value)) return [];
  return NESTED_UNDER.map((key) => value[key]).filter((nested) => nested !== undefined);
}

function numbersIn(value: unknown, documents: number): number[] | undefined {
  if (!Array.isArray(value) || value.length !== documents) return undefined;
  return value.every(isScore) ? value : undefined;
}

function indexedIn(value: unknown, documents: number): number[] | undefined {
  if (!Array.isArray(value) || value.length !== documents) return undefined;
  const scores: number[] = new Array(documents);
  const seen = new Set<number>();
  for (const entry of value) {
    if (!isFields(entry) || !isScore(entry.score) || !isIndex(entry.index, documents)) return undefined;
    scores[entry.index] = entry.score;
    seen.add(entry.index);
  }
  return seen.size === documents ? scores : undefined;
}

function isScore(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isIndex(value: unknown, documents: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < documents;
}

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

/** The lines of a text that a reranker scored, as 0-based indices in text order, and their scores. */
export interface StoredScores {
  sent: readonly number[];
  scores: readonly number[];
}

/**
 * Cache of scores from another machine, by backend, goal and text. Users do not share entries, since a hit would reveal
 * that another user sent the same request.
 */
export interface ScoreCache {
  get(subject: RerankSubject): Promise<StoredScores | undefined>;
  put(subject: RerankSubject, scores: StoredScores): void;
}

export interface ScoreCacheOptions {
  /** Name and address of the backend: models give different scores. */
  backend: string;
  ttlMs: number;
  /** Maximum number of entries in memory; a shared cache is limited by the time to live only. */
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

/** Maximum number of scores in memory, for entries that are few but large. */
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

/** Larger entries are not stored: they are rare, and would displace recoverable texts in a full Redis. */
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
