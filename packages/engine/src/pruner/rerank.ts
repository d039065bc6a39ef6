import type { Deadline } from '@secateur/base/runtime/deadline.ts';
import { splitLines } from '@secateur/base/text/lines.ts';
import type { RerankWarning } from '../ranking/deepinfra.ts';
import type { LineScores } from '../ranking/scorer.ts';
import type { RerankSubject, StoredScores } from '../remote-ranking/score-cache.ts';
import type { RemoteRanking } from '../remote-ranking.ts';
import type { DeepInfraStats } from '../request.ts';
import type { Ranked } from './outcome.ts';

interface RerankProblem extends RerankSubject {
  /** Chooses the lines that are sent, scores the others, and is used instead if the reranker fails. */
  local: LineScores;
  deadline: Deadline;
}

export interface Reranked extends Ranked {
  kind: 'reranked' | 'failed';
  ranking: LineScores;
  stats: DeepInfraStats;
}

/** Ranks the lines by scores of the reranker: those in the cache if it was asked about this goal and text before. */
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

/** The local result in place of scores that came, but with too little time left to cut by them. */
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

/** Time reserved for the steps after the call: this share, at most `RESERVED_MS`. */
const RESERVED_SHARE = 0.3;

const RESERVED_MS = 500;

function timeLeftFor(deadline: Deadline): number {
  const left = deadline.remainingMs();
  return left - Math.min(RESERVED_MS, left * RESERVED_SHARE);
}

/** Indices, in text order, of the lines worth a question: the best by the local scores, blank ones last. */
function chooseLines(lines: readonly string[], scores: Float64Array, limit: number): number[] {
  const order = lines.map((_, index) => index);
  if (order.length <= limit) return order;
  const worth = lines.map((line, index) =>
    line.trim() === '' ? Number.NEGATIVE_INFINITY : (scores[index] ?? 0),
  );
  order.sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b);
  return order.slice(0, limit).sort((a, b) => a - b);
}

/** Lines that were sent rank by the reranker, above those that were not; these keep the local order. */
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
