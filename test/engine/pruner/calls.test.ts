import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { inlineEngine } from '../../../packages/engine/src/inline-engine.ts';
import {
  openScoreCache,
  type RemoteRanking,
  type Reranker,
} from '../../../packages/engine/src/ranking/deepinfra.ts';
import type { PruneOptions, PruneRequest } from '../../../packages/engine/src/request.ts';
import type { PruneEngine } from '../../../packages/engine/src/worker-engine.ts';
import { handClock } from '../../support/hand-clock.ts';
import { pruneRequest, testPruner } from '../../support/pruner.ts';

const manual = (lines: number) =>
  Array.from(
    { length: lines },
    (_, at) => `Sentence ${at} of the manual explains one more boring detail.`,
  ).join('\n');
const request = pruneRequest({ text: manual(100), sourceType: 'docs' });
const asked = (options: Partial<PruneOptions>): PruneRequest => ({
  ...request,
  options: { ...request.options, ...options },
});

describe('[P22] the maximum length of a text', () => {
  const { length } = request.text;
  const warned = async (maxInputChars: number, options: Partial<PruneOptions> = {}) =>
    (await testPruner({ maxInputChars }).prune(asked(options))).warnings;

  it('prune warns `input_too_large` above the limit of the server, but not if the request sets `anySize`', async () => {
    expect(await warned(length)).toEqual([]);
    expect(await warned(length - 1)).toEqual(['input_too_large']);
    expect(await warned(length - 1, { anySize: true })).toEqual([]);
  });
});

describe('[P29] binary input', () => {
  const warned = async (text: string) => (await testPruner().prune({ ...request, text })).warnings;

  it('prune warns `not_text` if the first 8,000 characters contain a NUL', async () => {
    const padded = (before: number) => `${'x'.repeat(before)}\u0000${request.text}`;
    expect(await warned(padded(7999))).toEqual(['not_text']);
    expect(await warned(padded(8000))).toEqual([]);
  });

  it('prune warns `not_text` if more than 2 % of the characters are invalid UTF-8', async () => {
    const broken = (count: number) => '\ufffd'.repeat(count) + request.text.slice(0, 1000 - count);
    expect(await warned(broken(20))).toEqual([]);
    expect(await warned(broken(21))).toEqual(['not_text']);
  });
});

describe('[P25] the prune id', () => {
  it.each<[string, PruneRequest]>([
    ['ratio', asked({ maxPruneRatio: 0.71 })],
    ['lines to keep', asked({ minKeepLines: 1 })],
    ['time limit', asked({ timeoutMs: 59_999 })],
    ['line numbers', asked({ annotateLines: true })],
    ['style of markers', asked({ markers: 'compact' })],
    ['structure', asked({ structure: 'all' })],
    ['share', asked({ mostShare: 0.5 })],
    ['least size', asked({ least: { characters: 1, savedTokens: 0, savedShare: 0 } })],
    ['least saving', asked({ least: { characters: 0, savedTokens: 1, savedShare: 0 } })],
    ['least share', asked({ least: { characters: 0, savedTokens: 0, savedShare: 0.1 } })],
    ['origin', { ...request, origin: { kind: 'page' } }],
    ['intent', { ...request, intent: 'explicit' }],
    ['what was shown', { ...request, focus: { ...request.focus, shown: [{ call: 'cat a', text: 'a' }] } }],
    ['file', { ...request, fileName: 'a.md' }],
  ])('the prune id depends on the request field: %s', async (_, other) => {
    const pruner = testPruner();
    expect((await pruner.prune(other)).id).not.toBe((await pruner.prune(request)).id);
  });

  it('the prune id is the same for requests that differ only in options without an effect', async () => {
    const pruner = testPruner();
    const { id } = await pruner.prune(request);
    for (const options of [
      { structure: 'by-need' },
      { least: { characters: 0, savedTokens: 0, savedShare: 0 } },
      { explain: true },
    ] as const)
      expect((await pruner.prune(asked(options))).id).toBe(id);
  });
});

it('[P26] the stats of prune contain its duration', async () => {
  const clock = handClock();
  const engine = inlineEngine();
  const slow: PruneEngine = {
    ...engine,
    cut: (job) => {
      clock.advance(41.6);
      return engine.cut(job);
    },
  };
  expect((await testPruner({ engine: slow, clock }).prune(request)).stats.elapsedMs).toBe(42);
});

it('[P26] prune does not count a line that is shown in part as pruned', async () => {
  const text = `const page = "${'word and another '.repeat(400)}"`;
  const { stats, annotations } = await testPruner().prune(
    pruneRequest({ text, options: { markers: 'compact' } }),
  );
  expect(annotations).toMatchObject([{ isInPart: true, count: 1 }]);
  expect(stats).toMatchObject({ originalLines: 1, keptLines: 1, prunedLines: 0 });
});

it('[P13] prune returns an empty text if nothing is relevant and markers are off', async () => {
  const scorer = ({ lines }: { lines: readonly string[] }) => ({
    scores: new Float64Array(lines.length),
    probabilities: new Float64Array(lines.length),
    areLogOdds: true,
    tier: 'none',
  });
  const engine = inlineEngine({ scorer, clock: systemClock });
  const unneeded = { ...asked({ maxPruneRatio: 1, includeMarkers: false }), text: `${manual(20)}\n` };
  const { prunedText, stats } = await testPruner({ engine }).prune(unneeded);
  expect(prunedText).toBe('');
  expect(stats).toMatchObject({ keptLines: 0, prunedRatio: 1 });
});

const scoredInOrder: Reranker['rerank'] = async (_goal, documents) => ({
  kind: 'scored',
  scores: documents.map((_, at) => at),
  httpStatus: 200,
  latencyMs: 1,
});

describe('a prune call that uses a reranker', () => {
  const remote = (rerank: Reranker['rerank'] = scoredInOrder): RemoteRanking => ({
    reranker: { maxDocuments: 1000, rerank },
    cache: openScoreCache({ backend: 'test', ttlMs: 60_000, maxEntries: 9, clock: systemClock }),
  });

  it('[P43] prune explains a result from cached scores by pruning again', async () => {
    const pruner = testPruner({ remote: remote() });
    await pruner.prune(request);
    const explained = await pruner.prune(asked({ explain: true }));
    expect(explained.warnings).toEqual(['cache_hit']);
    expect(explained.explanation?.rules).toHaveLength(100);
  });

  it('[P42] prune runs the local scorer while a slow reranker runs, and returns the local result if the reranker fails', async () => {
    let onCut: () => void = () => {};
    const wasCut = new Promise<void>((resolve) => {
      onCut = resolve;
    });
    const engine = inlineEngine();
    const watched: PruneEngine = {
      ...engine,
      cut: (job) => {
        onCut();
        return engine.cut(job);
      },
    };
    // Fails only after the local cut was made. A pruner that waits for the reranker first would never return.
    const failsLate: Reranker['rerank'] = async () => {
      await wasCut;
      return { kind: 'failed', warning: 'deepinfra_http_error', latencyMs: 9 };
    };
    const outcome = await testPruner({ engine: watched, remote: remote(failsLate) }).prune(
      asked({ timeoutMs: 900 }),
    );
    const local = await testPruner().prune(asked({ timeoutMs: 900 }));
    expect(outcome.warnings).toEqual(['deepinfra_error', 'deepinfra_http_error']);
    expect(outcome.stats).toMatchObject({ usedFallback: true, prunedLines: local.stats.prunedLines });
  });

  it('[P42] prune returns the local result if the scores of the reranker come too late; the scores are cached', async () => {
    const engine = inlineEngine();
    let isLate = true;
    const hurried: PruneEngine = {
      ...engine,
      cut: async (job) =>
        isLate && job.ranking?.tier === 'deepinfra' ? { kind: 'timeout' } : engine.cut(job),
    };
    const slow: Reranker['rerank'] = async (...asked) => {
      await setTimeout(600);
      return scoredInOrder(...asked);
    };
    const pruner = testPruner({ engine: hurried, remote: remote(slow) });
    const late = await pruner.prune(asked({ timeoutMs: 1500 }));
    expect(late.warnings).toEqual(['deepinfra_error', 'deepinfra_http_error']);
    expect(late.stats).toMatchObject({
      usedFallback: true,
      backend: 'heuristic',
      scorer: expect.any(String),
    });
    expect(late.stats.prunedLines).toBeGreaterThan(0);
    isLate = false;
    expect((await pruner.prune(asked({ timeoutMs: 1500 }))).warnings).toEqual(['cache_hit']);
  });

  it.each([
    ['timeout', { kind: 'timeout' }],
    ['internal_error', { kind: 'crashed', message: 'broken' }],
  ] as const)('[P22] prune returns the text unchanged if ranking ends in %s', async (code, outcome) => {
    const engine: PruneEngine = { ...inlineEngine(), rank: async () => outcome };
    const { warnings, prunedText } = await testPruner({ engine, remote: remote() }).prune(request);
    expect(warnings).toEqual([code]);
    expect(prunedText).toBe(request.text);
  });

  it('[P23] prune returns the text with the warning `timeout` if ranking took all the time', async () => {
    const clock = handClock();
    const engine = inlineEngine();
    const slow: PruneEngine = {
      ...engine,
      rank: (job) => {
        clock.advance(request.options.timeoutMs);
        return engine.rank(job);
      },
      cut: () => expect.unreachable('cut a text that was late'),
    };
    expect((await testPruner({ engine: slow, clock, remote: remote() }).prune(request)).warnings).toContain(
      'timeout',
    );
  });

  it('[P23] prune passes its abort signal to ranking and to cutting', async () => {
    const { signal } = new AbortController();
    const signals: unknown[] = [];
    const engine = inlineEngine();
    const watched: PruneEngine = {
      ...engine,
      rank: (job, given) => {
        signals.push(given);
        return engine.rank(job);
      },
      cut: (job, given) => {
        signals.push(given);
        return engine.cut(job);
      },
    };
    await testPruner({ engine: watched, remote: remote() }).prune(request, signal);
    expect(signals).toEqual([signal, signal]);
  });
});
