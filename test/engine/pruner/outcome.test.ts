import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../packages/base/src/text/token-estimate.ts';
import type { CutText } from '../../../packages/engine/src/cut.ts';
import { type Call, openCall, passWhole, pruned } from '../../../packages/engine/src/pruner/call.ts';
import { DEFAULT_OPTIONS } from '../../../packages/engine/src/request.ts';
import { handClock } from '../../support/hand-clock.ts';

function callOf(text: string, clock = handClock()): Call {
  const options = { ...DEFAULT_OPTIONS, maxPruneRatio: 0.7, timeoutMs: 1000 };
  const request = { text, focus: { question: '' }, sourceType: 'docs', options } as const;
  return { ...openCall(request, clock), id: 'prn_TEST' };
}

const block = (start: number, end: number) => ({
  start,
  end,
  count: end - start + 1,
  reason: 'off focus',
  marker: '✂',
});
const cut: CutText = {
  prunedText: 'short',
  annotations: [block(1, 2), { ...block(4, 4), isInPart: true }, block(6, 6)],
  originalLines: 8,
  tokensBefore: 90,
  tokensAfter: 9,
};
const text = 'a\nb\nc\nd\ne\nf\ng\nh\n';

describe('[P26] lines and time of a prune call', () => {
  it.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\n\nb', 3],
  ])('the text %j has %i lines', (written, count) => {
    expect(callOf(written).lineCount).toBe(count);
  });

  it('a prune call measures its duration in ms, and reports when its time is over', () => {
    const clock = handClock();
    const call = callOf('a', clock);
    clock.advance(999.4);
    expect([call.elapsedMs(), call.deadline.passed()]).toEqual([999, false]);
    clock.advance(1);
    expect(call.deadline.passed()).toBe(true);
  });
});

describe('[P26] pruned', () => {
  it('pruned counts only whole lines in the stats', () => {
    expect(pruned(callOf(text), cut, { kind: 'local', warnings: ['odd'] })).toEqual({
      id: 'prn_TEST',
      prunedText: 'short',
      annotations: cut.annotations,
      stats: {
        originalLines: 8,
        keptLines: 5,
        prunedLines: 3,
        prunedRatio: 3 / 8,
        tokensBefore: 90,
        tokensAfter: 9,
        elapsedMs: 0,
        usedFallback: false,
        backend: 'heuristic',
      },
      warnings: ['odd'],
    });
  });

  it('pruned reports which scorer ranked the lines', () => {
    const stats = { latencyMs: 5, docsScored: 8, docsTotal: 8, cached: false };
    const by = (kind: 'reranked' | 'failed') =>
      pruned(callOf(text), { ...cut, scorer: 'network' }, { kind, stats, warnings: [] }).stats;
    expect(by('reranked')).toMatchObject({
      backend: 'deepinfra',
      usedFallback: false,
      scorer: 'network',
      deepinfra: stats,
    });
    expect(by('failed')).toMatchObject({ backend: 'heuristic', usedFallback: true });
  });

  it('pruned includes the explanation if there is one', () => {
    const explanation = { rules: '--s', scores: [0, 0, 1], areLogOdds: true, blocks: [] };
    expect(pruned(callOf(text), { ...cut, explanation }, { kind: 'local', warnings: [] })).toMatchObject({
      explanation,
    });
  });
});

it('[P22] passWhole returns the text unchanged with its line count and the reasons', () => {
  const tokens = estimateTokens(text);
  expect(passWhole(callOf(text), 'timeout', 'not_text')).toEqual({
    id: 'prn_TEST',
    prunedText: text,
    annotations: [],
    stats: {
      originalLines: 8,
      keptLines: 8,
      prunedLines: 0,
      prunedRatio: 0,
      tokensBefore: tokens,
      tokensAfter: tokens,
      elapsedMs: 0,
      usedFallback: true,
      backend: 'heuristic',
    },
    warnings: ['timeout', 'not_text'],
  });
  expect(passWhole(callOf(''), 'not_text').stats.prunedRatio).toBe(0);
});

it('[P14] pruned rounds pruned_ratio to four decimals', () => {
  const thirds = { ...cut, annotations: [block(1, 2)] };
  const { stats } = pruned(callOf('a\nb\nc'), thirds, { kind: 'local', warnings: [] });
  expect(stats.prunedRatio).toBe(0.6667);
});
