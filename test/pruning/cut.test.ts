import { describe, expect, it } from 'vitest';
import { PLAIN } from '../../src/pruning/cut/reasons/reason.ts';
import { type CutJob, type CutText, cutText, rankText } from '../../src/pruning/cut.ts';
import { describeBlock } from '../../src/pruning/marker.ts';
import { type PruneOptions, type PruneRequest, USUAL_OPTIONS } from '../../src/pruning/request.ts';
import type { LineScorer } from '../../src/ranking/scorer.ts';
import { noDeadline } from '../../src/runtime/deadline.ts';
import { estimateTokens } from '../../src/text/token-estimate.ts';
import { handClock } from '../support/hand-clock.ts';

/** Wants none of the lines: what stays is protected, the lines that speak of the zeppelin above all. */
const needsNothing: LineScorer = ({ lines }) => ({
  scores: new Float64Array(lines.length).fill(-100),
  areLogOdds: true,
  tier: 'none',
});
const mustNotRank: LineScorer = () => expect.unreachable('ranked');

type Asked = Partial<Omit<PruneRequest, 'options'>> & Partial<PruneOptions> & { lines: readonly string[] };

function jobFor({ lines, focus, sourceType = 'docs', shape, ...options }: Asked): CutJob {
  const request = {
    text: lines.join('\n'),
    sourceType,
    focus: focus ?? { question: 'where is the zeppelin?' },
    ...(shape && { shape }),
    options: { ...USUAL_OPTIONS, maxPruneRatio: 1, timeoutMs: 1000, ...options },
  };
  return { request, id: 'prn_TEST', remainingMs: 1000 };
}

function cut(asked: Asked, scorer = needsNothing): CutText {
  return cutText(jobFor(asked), { scorer, clock: handClock() }) ?? expect.unreachable('no time was spent');
}

const rangesOf = ({ annotations }: CutText) => annotations.map(({ start, end }) => `${start}-${end}`);
const shownLines = (asked: Asked) => cut(asked).prunedText.split('\n');
const prose = (count: number) =>
  Array.from({ length: count }, (_, at) => `Sentence number ${at} goes on about something else entirely.`);

describe('[P29] a text that no cut can shorten is not even ranked', () => {
  it('where it is below the least size', () => {
    const least = { characters: 3000, savedTokens: 1, savedShare: 0 };
    expect(cut({ lines: prose(40), least }, mustNotRank)).not.toHaveProperty('scorer');
    expect(cut({ lines: prose(60), least })).toHaveProperty('scorer', 'none');
  });

  it('where it costs no more than a marker', () => {
    const answer = cut({ lines: ['one', 'two', 'three'] }, mustNotRank);
    expect(answer).toMatchObject({ prunedText: 'one\ntwo\nthree', annotations: [], originalLines: 3 });
    expect(answer.tokensAfter).toBe(answer.tokensBefore);
  });
});

describe('[P24] time', () => {
  const lines = prose(40);

  it('that has run out leaves no answer and asks for no ranking', () => {
    const job = { ...jobFor({ lines }), remainingMs: 0 };
    expect(cutText(job, { scorer: mustNotRank, clock: handClock() })).toBeUndefined();
  });

  it('that runs out while lines are ranked leaves none either', () => {
    const clock = handClock();
    const slow: LineScorer = (request) => {
      clock.advance(1000);
      return needsNothing(request);
    };
    expect(cutText(jobFor({ lines }), { scorer: slow, clock })).toBeUndefined();
  });

  it.each([
    { remainingMs: 1000, scorerMs: 700 },
    { remainingMs: 800, scorerMs: 700 },
    { remainingMs: 700, scorerMs: 490 },
  ])('of $remainingMs ms in 1000 gives a scorer $scorerMs', ({ remainingMs, scorerMs }) => {
    const given: number[] = [];
    const scorer: LineScorer = (request) => {
      given.push(request.deadline.remainingMs());
      return needsNothing(request);
    };
    const job = { ...jobFor({ lines }), remainingMs };
    cutText(job, { scorer, clock: handClock() });
    rankText(job, { scorer, clock: handClock() });
    expect(given).toEqual([expect.closeTo(scorerMs), expect.closeTo(scorerMs)]);
  });
});

it('ranks lines as a terminal would leave them', () => {
  const { request, remainingMs } = jobFor({ lines: ['\u001b[31mred\u001b[0m', '10%\rdone\r'] });
  const scorer: LineScorer = (asked) => {
    expect(asked).toMatchObject({ lines: ['red', 'done'], sourceType: 'docs', focus: request.focus });
    return needsNothing(asked);
  };
  expect(rankText({ request, remainingMs }, { scorer, clock: handClock() }).scores).toHaveLength(2);
});

it('a ranking made before spares the local one', () => {
  const scores = new Float64Array(41).fill(-100);
  scores[20] = 100;
  const job = { ...jobFor({ lines: prose(41) }), ranking: { scores, areLogOdds: true, tier: 'made before' } };
  const answer = cutText(job, { scorer: mustNotRank, clock: handClock() });
  expect(answer).toMatchObject({ scorer: 'made before' });
  const lines = answer?.prunedText.split('\n').map((line) => line.split(' ', 4).join(' '));
  expect(lines).toEqual([
    '⟦PRUNÉ: prune_id=prn_TEST lignes 1-20',
    'Sentence number 20 goes',
    '⟦PRUNÉ: prune_id=prn_TEST lignes 22-41',
  ]);
});

it('[P21] structure stays up to a ratio of .6, or where all of it is asked for', () => {
  const header = prose(8).map((line) => `# ${line}`);
  const lines = ['#!/usr/bin/env python3', ...header, ...prose(30), 'zeppelin = 1'];
  const scores = Float64Array.from(lines, (line) => (line.startsWith('#') ? -100 : 0));
  const keepsHeader = (options: Partial<PruneOptions>) => {
    const job = jobFor({ lines, sourceType: 'code', shape: 'code', ...options });
    const ranking = { scores, areLogOdds: true, tier: 'headers last' };
    const parts = { scorer: mustNotRank, clock: handClock() };
    return cutText({ ...job, ranking }, parts)?.prunedText.includes(header.join('\n'));
  };
  expect(keepsHeader({ maxPruneRatio: 0.6 })).toBe(true);
  expect(keepsHeader({ maxPruneRatio: 0.61 })).toBe(false);
  expect(keepsHeader({ maxPruneRatio: 0.61, structure: 'by-need' })).toBe(false);
  expect(keepsHeader({ maxPruneRatio: 0.61, structure: 'all' })).toBe(true);
});

describe('[F23] a long line that stays', () => {
  const long = `the zeppelin ${'abcdefgh '.repeat(300)}`;
  const compact = { markers: 'compact' } as const;

  it('is shown in part between gaps, in the order of the text', () => {
    const answer = cut({ lines: [...prose(20), long, ...prose(20)], ...compact });
    expect(rangesOf(answer)).toEqual(['1-20', '21-21', '22-41']);
    expect(answer.annotations.map(({ isInPart }) => isInPart)).toEqual([undefined, true, undefined]);
    const shown = answer.prunedText.split('\n').map((line) => line.split(/[ :]/, 2)[1]);
    expect(shown).toEqual(['prn_TEST', '1-20', '21-21', '22-41']);
  });

  it('is shown whole with canonical markers, without markers, between directives, and as a handle', () => {
    const lines = [...prose(20), long];
    expect(shownLines({ lines })).toContain(long);
    expect(shownLines({ lines, ...compact, includeMarkers: false })).toContain(long);
    const told = [...prose(20), '⟦NO_PRUNE_BEGIN⟧', long, '⟦NO_PRUNE_END⟧'];
    expect(shownLines({ lines: told, ...compact })).toContain(long);
    const masked = `${long} [KIMI_PROXY_OBSERVATION_MASKED original_chars=9 head=1 tail=1]`;
    expect(shownLines({ lines: [...prose(20), masked], ...compact })).toContain(masked);
  });
});

describe('[P17] a gap', () => {
  const idOf = (digits: number) => `prn_${'7'.repeat(digits)}`;
  const gapsIn = (lines: readonly string[], digits: number) => {
    const job = { ...jobFor({ lines }), id: idOf(digits) };
    return cutText(job, { scorer: needsNothing, clock: handClock() })?.annotations ?? [];
  };

  it('whose reason makes its marker cost more than it hides goes without the reason', () => {
    const title = '# Everything about the history of the old building by the river';
    const lines = ['# A zeppelin', title, ...prose(2), '# A zeppelin', ...prose(30)];
    expect(gapsIn(lines, 5)[0]?.reason).toMatch(/^hors focus: section Everything/);
    expect(gapsIn(lines, 20)[0]?.reason).toBe('hors focus');
  });

  it('that hides no more tokens than its marker has is none', () => {
    const lines = ['a zeppelin', ...prose(4), 'a zeppelin', ...prose(60)];
    const range = { start: 2, end: 5 };
    const hidden = estimateTokens(prose(4).join('\n'));
    const costs = Array.from({ length: 90 }, (_, digits) =>
      estimateTokens(describeBlock({ id: idOf(digits), style: 'canonical' }, range, PLAIN).marker),
    );
    const asDear = costs.indexOf(hidden);
    expect(gapsIn(lines, asDear - 1)).toMatchObject([range, { start: 7, end: 66 }]);
    expect(gapsIn(lines, asDear)).toMatchObject([{ start: 7, end: 66 }]);
  });
});

describe('[P14] a text passes whole where the pruned one', () => {
  const isWhole = (asked: Asked) => {
    const answer = cut(asked);
    const isSame = answer.prunedText === asked.lines.join('\n');
    expect(answer.annotations.length === 0).toBe(isSame);
    expect(answer.tokensAfter === answer.tokensBefore).toBe(isSame);
    return isSame;
  };
  const oneGap = (sentences: number) => ['a zeppelin', ...prose(sentences), 'a zeppelin'];

  it('has more tokens, its first line counted', () => {
    expect(isWhole({ lines: oneGap(2), markers: 'compact' })).toBe(true);
    expect(isWhole({ lines: oneGap(3), markers: 'compact' })).toBe(false);
  });

  it('has more characters', () => {
    const dense = (characters: number) => ['a zeppelin', '語'.repeat(characters), 'a zeppelin'];
    expect(isWhole({ lines: dense(50) })).toBe(true);
    expect(isWhole({ lines: dense(90) })).toBe(false);
  });

  it('has line numbers that cost more than the gap saves', () => {
    const lines = [...oneGap(8), ...Array.from({ length: 400 }, () => '⟦PRUNÉ: before⟧')];
    expect(isWhole({ lines })).toBe(false);
    expect(isWhole({ lines, annotateLines: true })).toBe(true);
  });

  it('saves too little', () => {
    const least = { characters: 0, savedTokens: 60, savedShare: 0 };
    expect(isWhole({ lines: oneGap(6), least })).toBe(true);
    expect(isWhole({ lines: oneGap(20), least })).toBe(false);
  });
});

describe('[P27] a cut is explained', () => {
  const lines = ['a zeppelin', ...prose(20)];
  const inRun = (askedBack?: { gaps: number; recoveries: number }) => {
    const job = jobFor({
      lines,
      explain: true,
      focus: { question: 'zeppelin', ...(askedBack && { askedBack }) },
    });
    const ranking = { ...needsNothing({ ...job.request, lines, deadline: noDeadline }) };
    const probabilities = new Float64Array(lines.length).fill(0.001);
    return cutText(
      { ...job, ranking: { ...ranking, probabilities } },
      { scorer: mustNotRank, clock: handClock() },
    );
  };

  it('only where that was asked for', () => {
    expect(cut({ lines })).not.toHaveProperty('explanation');
    expect(cut({ lines, explain: true }).explanation?.rules).toBe(`l${'-'.repeat(20)}`);
  });

  it('with the price of a lost line where it is known how likely each is used', () => {
    expect(cut({ lines, explain: true }).explanation).not.toHaveProperty('lostLinePrice');
    const price = inRun()?.explanation?.lostLinePrice ?? 0;
    expect(price).toBeGreaterThan(0);
    expect(inRun({ gaps: 0, recoveries: 1 })?.explanation?.lostLinePrice).toBeCloseTo((price * 2.3) / 1.3);
  });
});
