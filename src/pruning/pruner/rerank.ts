import type { Reranker } from '../../ranking/deepinfra.ts';
import type { LineScores } from '../../ranking/scorer.ts';
import type { Deadline } from '../../runtime/deadline.ts';
import { splitLines } from '../../text/lines.ts';
import type { DeepInfraStats } from '../request.ts';

export interface RerankProblem {
  text: string;
  goal: string;
  /** Chooses the lines that are sent, scores the others, and takes over when the reranker fails. */
  local: LineScores;
  deadline: Deadline;
}

export interface RerankedScores {
  kind: 'reranked' | 'failed';
  ranking: LineScores;
  stats: DeepInfraStats;
  warnings: string[];
}

export async function rerankLines(problem: RerankProblem, reranker: Reranker): Promise<RerankedScores> {
  const lines = splitLines(problem.text);
  const sent = chooseLines(lines, problem.local.scores, reranker.maxDocuments);
  const documents = sent.map((index) => lines[index] ?? '');
  const outcome = await reranker.rerank(problem.goal, documents, timeLeftFor(problem.deadline));
  const stats = statsOf(outcome, { docsScored: sent.length, docsTotal: lines.length });
  if (outcome.kind === 'failed')
    return { kind: 'failed', ranking: problem.local, stats, warnings: ['deepinfra_error', outcome.warning] };
  return {
    kind: 'reranked',
    ranking: {
      scores: merged(problem.local.scores, sent, outcome.scores),
      areLogOdds: false,
      tier: 'deepinfra',
    },
    stats,
    warnings: stats.docsTotal > stats.docsScored ? ['deepinfra_docs_truncated'] : [],
  };
}

/** What the steps after the call need at least, and at most. */
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

function statsOf(
  outcome: { kind: 'scored' | 'failed'; httpStatus?: number; latencyMs: number },
  { docsScored, docsTotal }: { docsScored: number; docsTotal: number },
): DeepInfraStats {
  return {
    latencyMs: outcome.latencyMs,
    docsScored: outcome.kind === 'scored' ? docsScored : 0,
    docsTotal,
    cached: false,
    ...(outcome.httpStatus === undefined ? {} : { httpStatus: outcome.httpStatus }),
  };
}
