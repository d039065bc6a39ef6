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
  it('at least forty everyday situations exist, ten of them in French or Chinese', () => {
    expect(OWN_SITUATIONS.length).toBeGreaterThanOrEqual(40);
    const foreign = OWN_SITUATIONS.filter(({ task }) => /\p{Script=Han}|[éèêàùç]|\bQuel/u.test(task));
    expect(foreign.length).toBeGreaterThanOrEqual(10);
    expect(new Set(OWN_SITUATIONS.map(({ id }) => id)).size).toBe(OWN_SITUATIONS.length);
  });

  it('[P51] shortened listings, search results, tables and line ranges contain the answer of each everyday situation', () => {
    expect(lostIn([...PRECISE, 'explicit ranges', 'reports of subagents', 'diffs'])).toEqual([]);
  });

  it('[P51] outputs of precise requests up to 16,000 characters are returned unchanged', () => {
    const small = results.filter(
      ({ situation: { area, output } }) => PRECISE.includes(area) && output.length <= 16_000,
    );
    expect(small.length).toBeGreaterThanOrEqual(8);
    for (const { situation, shown } of small) expect(shown.text).toBe(situation.output);
  });

  it('[P53] shortened reports of tests, builds, linters and services contain the answer of each everyday situation', () => {
    expect(lostIn(['test runs', 'builds', 'linters', 'logs and traces'])).toEqual([]);
  });

  it('[P54] shortened source files and documentation pages contain the answer of each everyday situation', () => {
    expect(lostIn(['source files', 'documentation'])).toEqual([]);
  });

  it('[P55] shortened results above 16,000 characters contain the answer of each everyday situation', () => {
    expect(lostIn(['package data', 'data files', 'MCP results', 'large results'])).toEqual([]);
  });

  it('[P55] every result above 16,000 characters loses at least a third of its characters', () => {
    const large = results.filter(({ situation }) => situation.output.length > 16_000);
    expect(large.length).toBeGreaterThanOrEqual(12);
    const kept = large.filter(({ situation, shown }) => shown.characters > situation.output.length * (2 / 3));
    expect(kept.map(({ situation }) => situation.id)).toEqual([]);
  });

  it('[P55] large results of MCP servers together lose at least three quarters of their characters', () => {
    const large = results.filter(({ situation }) => situation.area === 'large results');
    expect(large.length).toBeGreaterThanOrEqual(16);
    expect(sumsOf(large).removed).toBeGreaterThanOrEqual(0.75);
  });

  it('[P57] all everyday situations can be answered from the shortened outputs, with requests in English, French or Chinese', () => {
    expect(lostIn(OWN_SITUATIONS.map(({ area }) => area))).toEqual([]);
  });

  it('[P56] everyday situations have no gap below 14 tokens, and every shortened output saves a fifth of its tokens', () => {
    for (const { situation, shown } of results) {
      if (shown.gaps.length === 0) continue;
      const lines = shown.whole.split('\n');
      const hidden = shown.gaps.map(({ start, end }) => lines.slice(start - 1, end).join('\n'));
      expect(Math.min(...hidden.map(estimateTokens))).toBeGreaterThanOrEqual(14);
      const saved = 1 - estimateTokens(shown.text) / estimateTokens(situation.output);
      expect(saved).toBeGreaterThanOrEqual(0.2);
    }
  });

  it('[P53] [P54] [P55] outputs that are half unnecessary lose at least 35 % of their characters', () => {
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

describe('[Q1] the benchmark of everyday situations', () => {
  it('isAnswered returns true if one option of each group of alternatives is visible', () => {
    expect(isAnswered(situation, shows(1, 3, 4))).toBe(true);
    expect(isAnswered(situation, shows(1, 6))).toBe(true);
    expect(isAnswered(situation, shows(3, 4, 6))).toBe(false);
    expect(isAnswered(situation, shows(1, 3))).toBe(false);
  });

  it('baselines of the benchmark show at most as many characters as Sécateur does', () => {
    for (const { situation: each, shown } of results.slice(0, 12)) {
      expect(bestByWords(each, shown.characters).characters).toBeLessThanOrEqual(shown.characters + 1);
      expect(headAndTail(each, shown.characters).characters).toBeLessThanOrEqual(shown.characters + 1);
    }
  });

  it('sumsOf counts cases and outputs separately', () => {
    const twice = ['one', 'two'].map((id) => ({
      situation: { ...situation, id },
      shown: headAndTail(situation, 2),
    }));
    expect(sumsOf(twice)).toMatchObject({ cases: 2, outputs: 1, answered: 0, answeredOutputs: 0 });
  });
});
