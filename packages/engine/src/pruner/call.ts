import { type Clock, type Deadline, deadlineIn } from '@secateur/base/runtime/time.ts';
import { type Numbering, splitLines } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { CutText } from '../cut.ts';
import type { RemoteRanking, RerankSubject, RerankWarning, StoredScores } from '../ranking/deepinfra.ts';
import type { LineScores } from '../ranking/scorer.ts';
import type { DeepInfraStats, PruneOutcome, PruneRequest } from '../request.ts';

export type FallbackCode =
  | 'input_too_large'
  | 'timeout'
  | 'constraints_unmet'
  | 'internal_error'
  | 'not_text'
  | 'recovery_unavailable';

/** A request in progress. */
export interface StartedCall {
  request: PruneRequest;
  lineCount: number;
  deadline: Deadline;
  elapsedMs(): number;
}

export interface Call extends StartedCall {
  id: string;
  /** Line numbers in compact markers of the text. */
  numbering?: Numbering | undefined;
}

export function openCall(request: PruneRequest, clock: Clock): StartedCall {
  const started = clock.monotonic();
  return {
    request,
    lineCount: countLines(request.text),
    deadline: deadlineIn(request.options.timeoutMs, clock),
    elapsedMs: () => Math.round(clock.monotonic() - started),
  };
}

/** Source of the ranking. Without a ranking, the engine ranks the lines itself. */
export interface Ranked {
  kind: 'local' | 'reranked' | 'failed';
  ranking?: LineScores;
  stats?: DeepInfraStats;
  warnings: readonly string[];
}

/** Returns the result of every failure: the unchanged text, a reason, and an id that recovers the text. */
export function passWhole(call: Call, ...warnings: FallbackCode[]): PruneOutcome {
  const tokens = estimateTokens(call.request.text);
  const stats = { ...countsOf(call.lineCount, 0), tokensBefore: tokens, tokensAfter: tokens };
  return {
    id: call.id,
    prunedText: call.request.text,
    annotations: [],
    stats: { ...stats, elapsedMs: call.elapsedMs(), usedFallback: true, backend: 'heuristic' },
    warnings,
  };
}

export function pruned(call: Call, cutText: CutText, ranked: Ranked): PruneOutcome {
  const { prunedText, annotations, tokensBefore, tokensAfter, scorer, explanation } = cutText;
  const prunedLines = annotations.reduce((sum, { count, isInPart }) => sum + (isInPart ? 0 : count), 0);
  return {
    id: call.id,
    prunedText,
    annotations,
    stats: {
      ...countsOf(call.lineCount, prunedLines),
      tokensBefore,
      tokensAfter,
      elapsedMs: call.elapsedMs(),
      usedFallback: ranked.kind === 'failed',
      backend: ranked.kind === 'reranked' ? 'deepinfra' : 'heuristic',
      ...(scorer !== undefined && { scorer }),
      ...(ranked.stats && { deepinfra: ranked.stats }),
    },
    warnings: [...ranked.warnings],
    ...(explanation && { explanation }),
  };
}

/** Returns the outcome for pretty-printed JSON from which nothing was removed: the original text. */
export function uncutAs(text: string, id: string, outcome: PruneOutcome): PruneOutcome {
  const tokens = estimateTokens(text);
  const counts = { ...countsOf(countLines(text), 0), tokensBefore: tokens, tokensAfter: tokens };
  return { ...outcome, id, prunedText: text, stats: { ...outcome.stats, ...counts } };
}

function countsOf(originalLines: number, prunedLines: number) {
  const prunedRatio = originalLines === 0 ? 0 : Math.round((prunedLines / originalLines) * 10_000) / 10_000;
  return { originalLines, keptLines: originalLines - prunedLines, prunedLines, prunedRatio };
}

function countLines(text: string): number {
  if (text === '') return 0;
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1;
  return text.endsWith('\n') ? breaks : breaks + 1;
}

interface RerankProblem extends RerankSubject {
  /** Local scores: choose the lines to send, score the other lines, and replace the reranker if it fails. */
  local: LineScores;
  deadline: Deadline;
}

export interface Reranked extends Ranked {
  kind: 'reranked' | 'failed';
  ranking: LineScores;
  stats: DeepInfraStats;
}

/** Ranks the lines by scores of the reranker. Uses cached scores if the reranker scored this goal and text before. */
export async function rerankLines(problem: RerankProblem, remote: RemoteRanking): Promise<Reranked> {
  const lines = splitLines(problem.text);
  const known = await remote.cache.get(problem);
  if (known !== undefined) return fromCache(problem, known, lines.length);
  const sent = chooseLines(lines, problem.local.scores, remote.reranker.maxDocuments);
  const documents = sent.map((index) => lines[index] ?? '');
  const outcome = await remote.reranker.rerank(problem.goal, documents, timeLeftFor(problem.deadline));
  const counts = { docsTotal: lines.length, latencyMs: outcome.latencyMs, cached: false };
  const status = outcome.httpStatus === undefined ? {} : { httpStatus: outcome.httpStatus };
  if (outcome.kind === 'failed')
    return failed(problem.local, { ...counts, ...status, docsScored: 0 }, outcome.warning);
  const scored = { sent, scores: outcome.scores };
  remote.cache.put(problem, scored);
  return reranked(problem, scored, { ...counts, ...status, docsScored: sent.length });
}

/** Returns the local result if the scores arrived too late to cut with them. */
export function answeredTooLate({ stats, ranking }: Reranked): Reranked {
  return failed(ranking, stats, 'deepinfra_http_error');
}

function fromCache(problem: RerankProblem, known: StoredScores, docsTotal: number): Reranked {
  const stats = { latencyMs: 0, docsScored: known.sent.length, docsTotal, httpStatus: 200, cached: true };
  const answer = reranked(problem, known, stats);
  return { ...answer, warnings: ['cache_hit', ...answer.warnings] };
}

function reranked({ local }: RerankProblem, { sent, scores }: StoredScores, stats: DeepInfraStats): Reranked {
  return {
    kind: 'reranked',
    ranking: { scores: merged(local.scores, sent, scores), areLogOdds: false, tier: 'deepinfra' },
    stats,
    warnings: stats.docsTotal > stats.docsScored ? ['deepinfra_docs_truncated'] : [],
  };
}

function failed(ranking: LineScores, stats: DeepInfraStats, warning: RerankWarning): Reranked {
  return { kind: 'failed', ranking, stats, warnings: ['deepinfra_error', warning] };
}

/** Share of the time that is reserved for the steps after the call, at most `RESERVED_MS`. */
const RESERVED_SHARE = 0.3;

const RESERVED_MS = 500;

function timeLeftFor(deadline: Deadline): number {
  const left = deadline.remainingMs();
  return left - Math.min(RESERVED_MS, left * RESERVED_SHARE);
}

/** Returns the indices, in text order, of the lines to send: the best lines by local score, blank lines last. */
function chooseLines(lines: readonly string[], scores: Float64Array, limit: number): number[] {
  const order = lines.map((_, index) => index);
  if (order.length <= limit) return order;
  const worth = lines.map((line, index) =>
    line.trim() === '' ? Number.NEGATIVE_INFINITY : (scores[index] ?? 0),
  );
  order.sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b);
  return order.slice(0, limit).sort((a, b) => a - b);
}

/** Ranks the lines that were sent, by the scores of the reranker, above all others, which keep their local order. */
function merged(local: Float64Array, sent: readonly number[], reranked: readonly number[]): Float64Array {
  const scores = unitScale(local);
  const sentScale = unitScale(Float64Array.from(reranked));
  for (const [position, index] of sent.entries()) scores[index] = 1 + (sentScale[position] ?? 0);
  return scores;
}

function unitScale(values: Float64Array): Float64Array {
  const lowest = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const highest = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const spread = highest - lowest;
  return values.map((value) => (spread > 0 ? (value - lowest) / spread : 0));
}
