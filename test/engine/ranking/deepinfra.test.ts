import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { splitLines } from '../../../packages/base/src/text/lines.ts';
import {
  type DeepInfraRankingOptions,
  deepInfraRanking,
} from '../../../packages/engine/src/ranking/deepinfra.ts';
import { handClock } from '../../support/hand-clock.ts';
import { pruneRequest, type TestPruner, testPruner } from '../../support/pruner.ts';
import { json, type RerankStandIn, startRerankStandIn } from '../../support/rerank-stand-in.ts';

let service: RerankStandIn;
beforeEach(async () => {
  service = await startRerankStandIn();
});
afterEach(() => service.close());

function remotePruner(options: Partial<DeepInfraRankingOptions> = {}): TestPruner {
  const remote = deepInfraRanking({
    endpointUrl: service.url,
    apiKey: 'sk-secret-key',
    timeoutMs: 5000,
    maxDocuments: 1000,
    cache: { ttlMs: 30_000, maxEntries: 256 },
    clock: systemClock,
    ...options,
  });
  return testPruner({ remote, clock: options.clock ?? systemClock });
}

const paragraph = (topic: string) =>
  `The ${topic} paragraph goes on for a while so that a marker is worth its price.`;
const text = Array.from({ length: 60 }, (_, index) =>
  paragraph(index === 30 ? 'zeppelin' : `topic ${index}`),
).join('\n');
const request = pruneRequest({
  text,
  focus: { question: 'zeppelin' },
  sourceType: 'docs',
  options: { maxPruneRatio: 0.9 },
});

describe('a reranker that responds', () => {
  it('[P41] prune sends a reranker the bearer key and one document per line over HTTP', async () => {
    const { stats, warnings } = await remotePruner().prune(request);
    expect(service.calls).toEqual([
      { authorization: 'Bearer sk-secret-key', queries: ['zeppelin'], documents: splitLines(text) },
    ]);
    expect(warnings).toEqual([]);
    expect(stats).toMatchObject({ backend: 'deepinfra', scorer: 'deepinfra', usedFallback: false });
    expect(stats.deepinfra).toMatchObject({ docsScored: 60, docsTotal: 60, httpStatus: 200, cached: false });
  });

  it('[P41] prune calls the reranker within the remaining time of a short call', async () => {
    const hurried = { ...request, options: { ...request.options, timeoutMs: 3000 } };
    expect((await remotePruner({ timeoutMs: 20_000 }).prune(hurried)).stats.backend).toBe('deepinfra');
  });

  it('[P41] the scores of the reranker decide which lines are kept', async () => {
    service.answer(json(({ documents }) => documents.map((line) => (line.includes('topic 7 ') ? 1 : 0))));
    const { prunedText } = await remotePruner().prune(request);
    expect(prunedText).toContain(paragraph('topic 7'));
  });

  it.each<[string, (scores: number[]) => unknown]>([
    ['{"scores": [...]}', (scores) => ({ scores })],
    ['a bare list', (scores) => scores],
    ['[{index, score}] in any order', (scores) => scores.map((score, index) => ({ index, score })).reverse()],
    ['scores under results', (scores) => ({ results: scores.map((score, index) => ({ index, score })) })],
    ['scores under result', (scores) => ({ result: { scores } })],
    ['scores under output', (scores) => ({ output: { scores } })],
    ['scores under data', (scores) => ({ data: scores })],
    ['one list a query', (scores) => ({ scores: [scores] })],
  ])('[P41] prune understands a reranker response in the format: %s', async (_shape, shape) => {
    service.answer(
      json(({ documents }) => shape(documents.map((line) => (line.includes('topic 7 ') ? 1 : 0)))),
    );
    const { prunedText, stats } = await remotePruner().prune(request);
    expect(stats.backend).toBe('deepinfra');
    expect(prunedText).toContain(paragraph('topic 7'));
  });

  it('[P41] prune sends the reranker only the best lines if there are too many, and does not exceed max_prune_ratio', async () => {
    const { stats, warnings, prunedText } = await remotePruner({ maxDocuments: 10 }).prune(request);
    expect(service.calls[0]?.documents).toHaveLength(10);
    expect(service.calls[0]?.documents).toContain(paragraph('zeppelin'));
    expect(warnings).toEqual(['deepinfra_docs_truncated']);
    expect(stats.deepinfra).toMatchObject({ docsScored: 10, docsTotal: 60 });
    expect(stats.prunedLines).toBeLessThanOrEqual(54);
    expect(prunedText).toContain(paragraph('zeppelin'));
  });
});

describe('[P42] prune after a failure of the reranker', () => {
  it.each([401, 429, 500, 503])(
    'prune returns the local result if the reranker responds with status %d',
    async (status) => {
      service.answer(json(() => ({ error: 'no' }), status));
      const outcome = await remotePruner().prune(request);
      await expectLocalResult(outcome, 'deepinfra_http_error');
      expect(outcome.stats.deepinfra?.httpStatus).toBe(status);
    },
  );

  it('prune returns the local result if the reranker is too slow', async () => {
    service.answer(() => {});
    await expectLocalResult(await remotePruner({ timeoutMs: 50 }).prune(request), 'deepinfra_http_error');
  });

  it('prune returns the local result if the reranker is slower than the time limit of the call', async () => {
    service.answer(() => {});
    const hurried = { ...request, options: { ...request.options, timeoutMs: 1500 } };
    const outcome = await remotePruner().prune(hurried);
    expect(outcome.warnings).toEqual(['deepinfra_error', 'deepinfra_http_error']);
    expect(outcome.stats.prunedLines).toBeGreaterThan(0);
  });

  it('prune returns the local result if no server listens at the address of the reranker', async () => {
    const outcome = await remotePruner({ endpointUrl: 'http://127.0.0.1:9/' }).prune(request);
    await expectLocalResult(outcome, 'deepinfra_http_error');
    expect(outcome.stats.deepinfra).not.toHaveProperty('httpStatus');
  });

  it('prune returns the local result if the reranker closes the connection', async () => {
    service.answer((_call, response) => response.destroy());
    await expectLocalResult(await remotePruner().prune(request), 'deepinfra_http_error');
  });

  it.each<[string, string]>([
    ['no JSON', '<html>'],
    ['too few scores', '{"scores": [1, 2]}'],
    ['no numbers', JSON.stringify({ scores: Array.from({ length: 60 }, () => 'high') })],
    ['one index twice', JSON.stringify(Array.from({ length: 60 }, () => ({ index: 0, score: 1 })))],
    ['another format', '{"relevance": "yes"}'],
  ])('prune returns the local result if the reranker response has %s', async (_what, body) => {
    service.answer((_call, response) => response.writeHead(200).end(body));
    const outcome = await remotePruner().prune(request);
    await expectLocalResult(outcome, 'deepinfra_parse_error');
    expect(outcome.stats.deepinfra?.httpStatus).toBe(200);
  });

  it('prune returns the local result without a request if the reranker has no key', async () => {
    await expectLocalResult(
      await remotePruner({ apiKey: undefined }).prune(request),
      'deepinfra_config_error',
    );
    expect(service.calls).toEqual([]);
  });

  it('prune calls the reranker again after a failure', async () => {
    const pruner = remotePruner();
    service.answer(json(() => ({}), 429));
    await pruner.prune(request);
    service.answer(json(({ documents }) => documents.map(() => 1)));
    const { warnings } = await pruner.prune(request);
    expect(warnings).toEqual([]);
    expect(service.calls).toHaveLength(2);
  });

  async function expectLocalResult(outcome: Awaited<ReturnType<TestPruner['prune']>>, warning: string) {
    const local = await testPruner().prune(request);
    const gaps = ({ annotations }: typeof local) =>
      annotations.map(({ start, end, reason }) => ({ start, end, reason }));
    expect(gaps(outcome)).toEqual(gaps(local));
    expect(outcome.warnings).toEqual(['deepinfra_error', warning]);
    expect(outcome.stats).toMatchObject({ usedFallback: true, backend: 'heuristic' });
    expect(JSON.stringify(outcome)).not.toContain('sk-secret-key');
  }
});

describe('the cache of rerank scores', () => {
  it('[P43] the cache of rerank scores serves a repeated request without a call to the reranker', async () => {
    const pruner = remotePruner();
    const first = await pruner.prune(request);
    const second = await pruner.prune(request);
    expect(service.calls).toHaveLength(1);
    expect(second.warnings).toEqual(['cache_hit']);
    expect(second.stats.deepinfra).toMatchObject({ cached: true, latencyMs: 0, docsScored: 60 });
    expect(second.prunedText).toBe(first.prunedText);
    const { texts } = await pruner.recovery.recover(second.id, [{ start: 1, end: 60 }]);
    expect(texts).toEqual([text]);
  });

  it.each([
    ['text', { text: `${text}\nmore` }],
    ['goal', { focus: { question: 'another' } }],
  ])('[P43] the cache of rerank scores has no entry for another %s', async (_what, change) => {
    const pruner = remotePruner();
    await pruner.prune(request);
    expect((await pruner.prune({ ...request, ...change })).warnings).toEqual([]);
    expect(service.calls).toHaveLength(2);
  });

  it.each<[string, Partial<typeof request>]>([
    ['annotate_lines', { options: { ...request.options, annotateLines: true } }],
    ['include_markers', { options: { ...request.options, includeMarkers: false } }],
    ['max_prune_ratio', { options: { ...request.options, maxPruneRatio: 0.5 } }],
    ['min_keep_lines', { options: { ...request.options, minKeepLines: 50 } }],
    ['timeout_ms', { options: { ...request.options, timeoutMs: 30_000 } }],
  ])(
    '[P43] a request with another %s uses the cached scores and gets the result it would get without a cache',
    async (_what, change) => {
      const other = { ...request, ...change };
      const fresh = await remotePruner({ maxDocuments: 10 }).prune(other);
      const pruner = remotePruner({ maxDocuments: 10 });
      await pruner.prune(request);
      const paid = service.calls.length;
      const hit = await pruner.prune(other);
      expect(service.calls).toHaveLength(paid);
      expect(hit.warnings).toEqual(['cache_hit', 'deepinfra_docs_truncated']);
      expect(hit.stats.deepinfra).toEqual({
        latencyMs: 0,
        docsScored: 10,
        docsTotal: 60,
        httpStatus: 200,
        cached: true,
      });
      expect(hit.stats.prunedLines).toBe(fresh.stats.prunedLines);
      const { texts } = await pruner.recovery.recover(hit.id, [{ start: 1, end: 60 }]);
      expect(texts).toEqual([text]);
    },
  );

  it('[P43] the cache of rerank scores is used even if the source type differs', async () => {
    const pruner = remotePruner();
    await pruner.prune(request);
    const other = { ...request, sourceType: 'logs' as const };
    const hit = await pruner.prune(other);
    expect(service.calls).toHaveLength(1);
    expect(hit.warnings).toEqual(['cache_hit']);
    expect(hit.stats.prunedLines).toBe((await remotePruner().prune(other)).stats.prunedLines);
  });

  it('[P43] the cache of rerank scores drops entries after their time to live', async () => {
    const clock = handClock();
    const pruner = remotePruner({ clock, cache: { ttlMs: 1000, maxEntries: 4 } });
    await pruner.prune(request);
    clock.advance(1001);
    expect((await pruner.prune(request)).warnings).toEqual([]);
  });

  it('[P43] the cache of rerank scores drops its oldest entry when it is full', async () => {
    const pruner = remotePruner({ cache: { ttlMs: 30_000, maxEntries: 1 } });
    const other = { ...request, focus: { question: 'another' } };
    await pruner.prune(request);
    await pruner.prune(other);
    expect((await pruner.prune(other)).warnings).toEqual(['cache_hit']);
    expect((await pruner.prune(request)).warnings).toEqual([]);
  });

  it('[P43] the cache of rerank scores is off if its time to live is 0', async () => {
    const pruner = remotePruner({ cache: { ttlMs: 0, maxEntries: 4 } });
    await pruner.prune(request);
    expect((await pruner.prune(request)).warnings).toEqual([]);
  });
});

it('[P45] prune opens no network connection with the default backend', async () => {
  const opened: unknown[] = [];
  const note = (socket: unknown) => opened.push(socket);
  subscribe('net.client.socket', note);
  await testPruner().prune(request);
  expect(opened).toEqual([]);
  await remotePruner().prune(request);
  expect(opened).not.toEqual([]);
  unsubscribe('net.client.socket', note);
});
