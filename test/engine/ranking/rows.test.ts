import { describe, expect, it } from 'vitest';
import { scoreRows } from '../../../packages/engine/src/ranking/named-lines.ts';
import { pruneRequest, testPruner } from '../../support/pruner.ts';

const rows = Array.from(
  { length: 6000 },
  (_, at) => `${at},user ${at},${at % 3 === 0 ? 'idle' : 'active'},${at % 97}`,
);
const table = ['id,name,state,amount', ...rows].join('\n');

describe('scoreRows', () => {
  it('[P28] scoreRows ranks rows by the words of the goal; rare words weigh most', () => {
    const lines = ['refund of order 7', 'order 8', 'order 9', 'nothing'];
    const { scores, areLogOdds } = scoreRows({ lines, focus: { question: 'refund for the order' } });
    expect(areLogOdds).toBe(false);
    expect(scores[0]).toBeGreaterThan(scores[1] ?? 0);
    expect(scores[1]).toBeGreaterThan(0);
    expect(scores[3]).toBe(0);
    expect([...scoreRows({ lines, focus: { question: '' } }).scores]).toEqual([0, 0, 0, 0]);
  });

  it('[P14] [P28] prune_text ranks thousands of rows by words alone and keeps the row that the goal mentions', async () => {
    const request = pruneRequest({
      text: table,
      sourceType: 'logs',
      fileName: 'users.csv',
      focus: { question: 'what is the amount of "user 4711"?' },
      options: { maxPruneRatio: 0.7 },
    });
    const { prunedText, stats } = await testPruner().prune(request);
    expect(stats.scorer).toBe('lexical');
    expect(prunedText).toContain('4711,user 4711,active,');
    expect(stats.prunedRatio).toBeGreaterThan(0.6);
    expect(stats.prunedRatio).toBeLessThanOrEqual(0.7);
  });
});
