import { expect, it } from 'vitest';
import { findLongValues } from '../../src/servers/gateway/long-values.ts';
import { recordCuts } from '../../src/servers/gateway/savings.ts';
import { estimateTokens } from '../../src/text/token-estimate.ts';

const LIMITS = { maxChars: 4000, headChars: 2000, tailChars: 2000 };

it('[AU1] the tokens of a huge text are told from all over it, not from its beginning', async () => {
  const text = `${'8 , { ; '.repeat(10_000)}${'ordinary words of a long story '.repeat(10_000)}`;
  const message = { result: { content: [{ type: 'text', text }] } };
  const [value] = findLongValues(message, 'tools/call', LIMITS);
  if (value === undefined) throw new Error('nothing is too long');
  const told = await new Promise<number>((resolve) => {
    const ledger = { record: ({ tokensBefore = 0 }: { tokensBefore?: number }) => resolve(tokensBefore) };
    const cut = { value, pruneId: 'prn_0', isPruned: false, json: 'short' };
    const call = { server: 'files', tool: 'read', client: undefined, durationMs: 1 };
    recordCuts({ ledger })({ ...call, cuts: [cut], passed: [], limits: LIMITS });
  });
  expect(Math.abs(told / estimateTokens(text) - 1)).toBeLessThan(0.1);
});
