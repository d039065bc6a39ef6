import { describe, expect, it } from 'vitest';
import { isAnswered, lostRanges, type Situation } from '../../bench/everyday/situation.ts';
import { OWN_SITUATIONS } from '../../bench/everyday/situations.ts';
import { sumsOf } from '../../bench/everyday/tally.ts';
import { bestByWords, cutLikeHook, headAndTail } from '../../bench/everyday/ways.ts';
import { estimateTokens } from '../../packages/base/src/text/token-estimate.ts';

const results = OWN_SITUATIONS.map((situation) => ({ situation, shown: cutLikeHook(situation) }));
const lostIn = (areas: readonly string[]) =>
  results
    .filter(({ situation }) => areas.includes(situation.area))
    .map(({ situation, shown }) => ({ id: situation.id, lost: lostRanges(situation, shown.isInView) }))
    .filter(({ lost }) => lost.length > 0);

const PRECISE = ['listings', 'git', 'searches', 'databases', 'process and system', 'config files'];

describe('the everyday situations of this repository', () => {
  it('number at least forty, ten of them in French or Chinese', () => {
    expect(OWN_SITUATIONS.length).toBeGreaterThanOrEqual(40);
    const foreign = OWN_SITUATIONS.filter(({ task }) => /\p{Script=Han}|[éèêàùç]|\bQuel/u.test(task));
    expect(foreign.length).toBeGreaterThanOrEqual(10);
    expect(new Set(OWN_SITUATIONS.map(({ id }) => id)).size).toBe(OWN_SITUATIONS.length);
  });

  it('[P51] can be answered if a listing, a search, a table or a range was requested', () => {
    expect(lostIn([...PRECISE, 'explicit ranges', 'reports of subagents', 'diffs'])).toEqual([]);
  });

  it('[P51] have outputs of precise requests up to 16,000 characters unchanged', () => {
    const small = results.filter(
      ({ situation: { area, output } }) => PRECISE.includes(area) && output.length <= 16_000,
    );
    expect(small.length).toBeGreaterThanOrEqual(8);
    for (const { situation, shown } of small) expect(shown.text).toBe(situation.output);
  });

  it('[P53] can be answered from reports of tests, builds, linters or services', () => {
    expect(lostIn(['test runs', 'builds', 'linters', 'logs and traces'])).toEqual([]);
  });

  it('[P54] can be answered from a whole file or page', () => {
    expect(lostIn(['source files', 'documentation'])).toEqual([]);
  });

  it('[P55] can be answered from results above 16,000 characters', () => {
    expect(lostIn(['package data', 'data files', 'MCP results', 'large results'])).toEqual([]);
  });

  it('[P55] lose a third or more of every result above 16,000 characters', () => {
    const large = results.filter(({ situation }) => situation.output.length > 16_000);
    expect(large.length).toBeGreaterThanOrEqual(12);
    const kept = large.filter(({ situation, shown }) => shown.characters > situation.output.length * (2 / 3));
    expect(kept.map(({ situation }) => situation.id)).toEqual([]);
  });

  it('[P55] lose three quarters or more of large results of MCP servers, taken together', () => {
    const large = results.filter(({ situation }) => situation.area === 'large results');
    expect(large.length).toBeGreaterThanOrEqual(16);
    expect(sumsOf(large).removed).toBeGreaterThanOrEqual(0.75);
  });

  it('[P57] can all be answered, with requests in English, French or Chinese', () => {
    expect(lostIn(OWN_SITUATIONS.map(({ area }) => area))).toEqual([]);
  });

  it('[P56] have no gap below 14 tokens and no cut that saves less than a fifth', () => {
    for (const { situation, shown } of results) {
      if (shown.gaps.length === 0) continue;
      const lines = shown.whole.split('\n');
      const hidden = shown.gaps.map(({ start, end }) => lines.slice(start - 1, end).join('\n'));
      expect(Math.min(...hidden.map(estimateTokens))).toBeGreaterThanOrEqual(14);
      const saved = 1 - estimateTokens(shown.text) / estimateTokens(situation.output);
      expect(saved).toBeGreaterThanOrEqual(0.2);
    }
  });

  it('[P53] [P54] [P55] lose 35 % of their characters or more if half of the lines are not needed', () => {
    expect(sumsOf(results).removedWhereCuttable).toBeGreaterThanOrEqual(0.35);
  });
});

const situation: Situation = {
  id: 'made-up',
  area: 'listings',
  task: 'Which is it?',
  said: '',
  tool: 'Bash',
  command: 'ls',
  output: 'a\nb\nc\nd\ne\nf',
  needed: [
    [1, 1],
    [3, 4],
  ],
  alternatives: [[[[3, 4]], [[6, 6]]]],
  completeness: false,
  why: '',
  cuttable: 0.5,
};
const shows =
  (...lines: number[]) =>
  (line: number) =>
    lines.includes(line);

describe('[Q1] the bench of everyday situations', () => {
  it('counts a situation as answered if one option of each group of alternatives is visible', () => {
    expect(isAnswered(situation, shows(1, 3, 4))).toBe(true);
    expect(isAnswered(situation, shows(1, 6))).toBe(true);
    expect(isAnswered(situation, shows(3, 4, 6))).toBe(false);
    expect(isAnswered(situation, shows(1, 3))).toBe(false);
  });

  it('gives baselines at most as many characters as our answer has', () => {
    for (const { situation: each, shown } of results.slice(0, 12)) {
      expect(bestByWords(each, shown.characters).characters).toBeLessThanOrEqual(shown.characters + 1);
      expect(headAndTail(each, shown.characters).characters).toBeLessThanOrEqual(shown.characters + 1);
    }
  });

  it('counts cases and outputs separately', () => {
    const twice = ['one', 'two'].map((id) => ({
      situation: { ...situation, id },
      shown: headAndTail(situation, 2),
    }));
    expect(sumsOf(twice)).toMatchObject({ cases: 2, outputs: 1, answered: 0, answeredOutputs: 0 });
  });
});
