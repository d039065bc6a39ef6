import { expect, it } from 'vitest';
import { deadlineIn } from '../../../packages/base/src/runtime/time.ts';
import { rerankLines } from '../../../packages/engine/src/pruner/call.ts';
import { openScoreCache, type Reranking } from '../../../packages/engine/src/ranking/deepinfra.ts';
import { handClock } from '../../support/hand-clock.ts';

interface Asked {
  lines: readonly string[];
  local: readonly number[];
  maxDocuments?: number;
  answer?: (documents: readonly string[]) => Reranking;
  remainingMs?: number;
}

const scoredInOrder = (documents: readonly string[]): Reranking => ({
  kind: 'scored',
  scores: documents.map((_, at) => at * 4),
  httpStatus: 200,
  latencyMs: 7,
});

/** Returns what is sent to the service, and the outcome of its response. */
async function reranked(asked: Asked) {
  const { lines, local, maxDocuments = 100, answer = scoredInOrder, remainingMs = 10_000 } = asked;
  const calls: { goal: string; documents: readonly string[]; timeoutMs: number }[] = [];
  const outcome = await rerankLines(
    {
      text: lines.join('\n'),
      goal: 'why?',
      local: { scores: Float64Array.from(local), areLogOdds: true, tier: 'network' },
      deadline: deadlineIn(remainingMs, handClock()),
    },
    {
      cache: openScoreCache({ backend: 'test', ttlMs: 0, maxEntries: 0, clock: handClock() }),
      reranker: {
        maxDocuments,
        rerank: async (goal, documents, timeoutMs) => {
          calls.push({ goal, documents, timeoutMs });
          return answer(documents);
        },
      },
    },
  );
  return { ...outcome, call: calls[0], scores: [...outcome.ranking.scores] };
}

it('[P41] the reranker gets the best lines in text order; equal scores are decided by position, and blank lines come last', async () => {
  const asked = { lines: ['a', ' ', 'c', 'd', 'e'], local: [1, 9, 3, 1, 2] };
  expect((await reranked({ ...asked, maxDocuments: 3 })).call?.documents).toEqual(['a', 'c', 'e']);
  expect((await reranked({ ...asked, maxDocuments: 4 })).call?.documents).toEqual(['a', 'c', 'd', 'e']);
  expect((await reranked({ ...asked, maxDocuments: 5 })).call?.documents).toEqual(asked.lines);
});

it('[P41] lines that were sent to the reranker rank above lines that were not sent', async () => {
  const outcome = await reranked({ lines: ['a', 'b', 'c', 'd'], local: [-4, 2, 4, -2], maxDocuments: 2 });
  expect(outcome.scores).toEqual([0, 1, 2, 0.25]);
  expect(outcome).toMatchObject({
    kind: 'reranked',
    ranking: { areLogOdds: false, tier: 'deepinfra' },
    stats: { latencyMs: 7, docsScored: 2, docsTotal: 4, cached: false, httpStatus: 200 },
    warnings: ['deepinfra_docs_truncated'],
  });
});

it('[P41] lines that were sent to the reranker rank above other lines, even if the reranker gives them all the same score', async () => {
  const outcome = await reranked({
    lines: ['a', 'b'],
    local: [3, 3],
    answer: () => ({ kind: 'scored', scores: [5, 5], httpStatus: 200, latencyMs: 0 }),
  });
  expect(outcome.scores).toEqual([1, 1]);
  expect(outcome.warnings).toEqual([]);
});

it('[P41] the time limit of the reranker is the remaining time minus 30 %, but at most half a second is subtracted', async () => {
  const timeFor = async (remainingMs: number) =>
    (await reranked({ lines: ['a'], local: [1], remainingMs })).call?.timeoutMs;
  expect(await timeFor(1000)).toBe(700);
  expect(await timeFor(10_000)).toBe(9500);
});

it('[P42] the local ranking is used if the reranking service fails, and the stats report zero scored lines', async () => {
  const outcome = await reranked({
    lines: ['a', 'b'],
    local: [3, 4],
    answer: () => ({ kind: 'failed', warning: 'deepinfra_http_error', latencyMs: 9 }),
  });
  expect(outcome).toMatchObject({
    kind: 'failed',
    scores: [3, 4],
    warnings: ['deepinfra_error', 'deepinfra_http_error'],
  });
  expect(outcome.ranking.tier).toBe('network');
  expect(outcome.stats).toEqual({ latencyMs: 9, docsScored: 0, docsTotal: 2, cached: false });
});
