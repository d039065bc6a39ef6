import { type Clock, withTimeoutOr } from '@secateur/base/runtime/time.ts';
import { type Numbering, numberingOf } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { CutText } from './cut.ts';
import { markerStyle } from './marker.ts';
import { DEFAULT_SIZES } from './policy/policy.ts';
import {
  answeredTooLate,
  type Call,
  type FallbackCode,
  openCall,
  passWhole,
  pruned,
  type Ranked,
  type Reranked,
  rerankLines,
  uncutAs,
} from './pruner/call.ts';
import type { RemoteRanking } from './ranking/deepinfra.ts';
import { focusIdentity, goalText, type LineScores } from './ranking/scorer.ts';
import { layOutJson } from './reading/json-tree.ts';
import type { Recovery } from './recovery/recovery.ts';
import type { LeastSize, PruneOptions, PruneOutcome, PruneRequest, StructureRule } from './request.ts';
import type { EngineOutcome, PruneEngine } from './worker-engine.ts';

/** Stores a text, then removes the lines that its goal does not need. Never throws and never loses a line. */
export interface Pruner {
  /** Returns a cut of the text. Returns it unchanged if anything fails or `signal` aborts. */
  prune(request: PruneRequest, signal?: AbortSignal): Promise<PruneOutcome>;
}

export interface PrunerParts {
  recovery: Recovery;
  engine: PruneEngine;
  clock: Clock;
  maxInputChars: number;
  /** Structure rule for requests that have none. Default: `by-need`. */
  structure?: StructureRule;
  /** Ranks lines on another machine. If absent, no text leaves this machine. */
  remote?: RemoteRanking;
}

export function createPruner(parts: PrunerParts): Pruner {
  return {
    prune: (request, signal) => prune({ request: withDefaults(request, parts), signal }, parts),
  };
}

function withDefaults(request: PruneRequest, { structure = 'by-need' }: PrunerParts): PruneRequest {
  return { ...request, options: { structure, ...request.options } };
}

interface Asked {
  request: PruneRequest;
  signal: AbortSignal | undefined;
}

/** Prunes a text. JSON in very long lines is pretty-printed first, and the original is stored as well (P55). */
async function prune(asked: Asked, parts: PrunerParts): Promise<PruneOutcome> {
  const laidOut = layoutOf(asked.request);
  if (laidOut === undefined) return pruneText(asked, parts);
  const { text, options } = asked.request;
  const limitMs = options.timeoutMs + STORE_GRACE_MS;
  const original = await parts.recovery.remember(text, identityOf(asked.request), limitMs);
  if (original.kind === 'unavailable') return pruneText(asked, parts);
  const cameAs = { id: original.id, characters: text.length, tokens: estimateTokens(text) };
  const { firstLine: _, ...unnumbered } = options;
  const request = { ...asked.request, text: laidOut, cameAs, options: unnumbered };
  const outcome = await pruneText({ ...asked, request }, parts);
  return outcome.annotations.length > 0 ? outcome : uncutAs(text, original.id, outcome);
}

/** Pretty-prints JSON. Not for `prune_text`, whose limits count lines of the caller's text. */
function layoutOf({ text, intent = 'capped', options }: PruneRequest): string | undefined {
  if (!options.includeMarkers || (intent === 'capped' && options.laysOut !== true)) return undefined;
  const { maxUnchangedChars } = options.sizes ?? DEFAULT_SIZES;
  if (intent === 'implicit' && text.length <= maxUnchangedChars) return undefined;
  return layOutJson(text);
}

async function pruneText({ request, signal }: Asked, parts: PrunerParts): Promise<PruneOutcome> {
  const started = openCall(request, parts.clock);
  const storeLimitMs = request.options.timeoutMs + STORE_GRACE_MS;
  const numbering = numberingFor(request);
  const numbered = { text: request.text, numbering };
  const claim = await parts.recovery.claim(numbered, identityOf(request), storeLimitMs);
  const call = { ...started, id: claim.id, numbering };
  if (claim.kind === 'unavailable') return passWhole(call, ...storeFailure(call));
  // Cutting and storing run concurrently. The cut is returned only after the text is stored.
  const [outcome, stored] = await Promise.all([pruneClaimed(call, signal, parts), claim.stored]);
  return stored.kind === 'stored' ? outcome : passWhole(call, ...storeFailure(call));
}

/** Returns the line numbers for compact markers, as seen by the reader (A16). Canonical markers need none. */
function numberingFor({ text, options }: PruneRequest): Numbering | undefined {
  if (markerStyle(options.markers, text) !== 'compact') return undefined;
  return numberingOf(text, options.firstLine);
}

async function pruneClaimed(
  call: Call,
  signal: AbortSignal | undefined,
  parts: PrunerParts,
): Promise<PruneOutcome> {
  const { request } = call;
  const { text, options } = request;
  if (options.anySize !== true && text.length > parts.maxInputChars)
    return passWhole(call, 'input_too_large');
  if (!isText(text)) return passWhole(call, 'not_text');
  if (call.lineCount < options.minKeepLines) return passWhole(call, 'constraints_unmet');
  const engine: Cutting = {
    cut: (job) => parts.engine.cut(job, signal),
    rank: (job) => parts.engine.rank(job, signal),
  };
  if (parts.remote === undefined) return cut(call, engine, { kind: 'local', warnings: [] });
  return pruneRemotely(call, engine, parts.remote);
}

type Cutting = Pick<PruneEngine, 'cut' | 'rank'>;

/** Share of the remaining time after which a local cut begins if the reranker has not responded. */
const PATIENCE = 1 / 3;

async function pruneRemotely(call: Call, engine: Cutting, remote: RemoteRanking): Promise<PruneOutcome> {
  const { request, deadline } = call;
  const ranked = await engine.rank({ request, remainingMs: deadline.remainingMs() });
  if (ranked.kind !== 'done') return passWhole(call, failureCode(ranked.kind));
  const local = ranked.answer;
  const asking = rerankLines({ text: request.text, goal: goalText(request.focus), local, deadline }, remote);
  const patienceMs = deadline.remainingMs() * PATIENCE;
  const early = await withTimeoutOr<Reranked | undefined>(asking, patienceMs, undefined);
  if (early !== undefined) return cut(call, engine, early);
  // The local cut begins now, so that it is ready in time if the slow reranker fails.
  const spare = cutLines(call, engine, local);
  const reranked = await asking;
  if (reranked.kind === 'failed') return outcomeOf(call, await spare, reranked);
  const cutByReranked = await cutLines(call, engine, reranked.ranking);
  if (cutByReranked.kind === 'done') return pruned(call, cutByReranked.answer, reranked);
  return outcomeOf(call, await spare, answeredTooLate(reranked));
}

async function cut(call: Call, engine: Cutting, ranked: Ranked): Promise<PruneOutcome> {
  return outcomeOf(call, await cutLines(call, engine, ranked.ranking), ranked);
}

async function cutLines(
  { request, id, deadline, numbering }: Call,
  engine: Cutting,
  ranking: LineScores | undefined,
): Promise<EngineOutcome<CutText>> {
  if (deadline.passed()) return { kind: 'timeout' };
  const remainingMs = deadline.remainingMs();
  return engine.cut({ request, id, remainingMs, numbering, ...(ranking && { ranking }) });
}

function outcomeOf(call: Call, outcome: EngineOutcome<CutText>, ranked: Ranked): PruneOutcome {
  return outcome.kind === 'done'
    ? pruned(call, outcome.answer, ranked)
    : passWhole(call, failureCode(outcome.kind));
}

/** Time in ms by which a call may be late to let the store finish. Then a call that timed out still returns a valid id. */
const STORE_GRACE_MS = 60;

/** Returns the reasons why storing failed, among them `timeout` if it used up the whole time. */
function storeFailure({ deadline }: Call): FallbackCode[] {
  return deadline.passed() ? ['timeout', 'recovery_unavailable'] : ['recovery_unavailable'];
}

function failureCode(kind: 'timeout' | 'crashed'): FallbackCode {
  return kind === 'timeout' ? 'timeout' : 'internal_error';
}

/** Returns all inputs that determine the result, so that equal requests get equal ids. */
function identityOf({ focus, sourceType, origin, intent, fileName = '', options }: PruneRequest): string[] {
  const { characters, savedTokens, savedShare } = options.least ?? NO_LEAST;
  const asked = OPTION_NAMES.map((name) => String(options[name]));
  return [
    ...focusIdentity(focus),
    sourceType,
    JSON.stringify(origin ?? ''),
    intent ?? '',
    fileName,
    ...asked,
    `${characters} ${savedTokens} ${savedShare}`,
    JSON.stringify([options.sizes, options.disabledRules]),
  ];
}

const NO_LEAST: LeastSize = { characters: 0, savedTokens: 0, savedShare: 0 };

const OPTION_NAMES: readonly (keyof PruneOptions)[] = [
  'maxPruneRatio',
  'minKeepLines',
  'timeoutMs',
  'annotateLines',
  'includeMarkers',
  'markers',
  'structure',
  'mostShare',
  'recoverBy',
  'firstLine',
];

const SAMPLE_CHARACTERS = 64_000;

/** Number of characters in which a NUL is looked for, as in git and grep. */
const LOOKED_AT_FOR_NUL = 8000;

/** Maximum share of replacement characters. A text may contain a few of them. */
const MAX_BROKEN = 0.02;

/** Whether a decoded string was text: no NUL near its beginning, and few bytes that were not UTF-8. */
function isText(text: string): boolean {
  if (text.slice(0, LOOKED_AT_FOR_NUL).includes('\u0000')) return false;
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  let broken = 0;
  for (let at = sample.indexOf('\ufffd'); at >= 0; at = sample.indexOf('\ufffd', at + 1)) broken += 1;
  return broken <= MAX_BROKEN * sample.length;
}
