import { expect, it } from 'vitest';
import { estimateTokens } from '../../../../packages/base/src/text/token-estimate.ts';
import type { NewEntry } from '../../../../packages/secateur/src/savings/ledger.ts';
import {
  findLongValues,
  type LongValue,
} from '../../../../packages/secateur/src/servers/gateway/long-values.ts';
import {
  recordCuts,
  recordGatewayRecovery,
  recordHiddenTools,
  type Shortening,
} from '../../../../packages/secateur/src/servers/gateway/savings.ts';

const LIMITS = {
  maxChars: 4000,
  headChars: 2000,
  tailChars: 2000,
  maxMediaBytes: 1_048_576,
  maxResultChars: 40_000,
};

const DENSE = '8 , { ; '.repeat(2000);
const PLAIN = 'ordinary words! '.repeat(1000);

it.each([
  ['beginning', DENSE.repeat(4) + PLAIN.repeat(12)],
  ['end', PLAIN.repeat(12) + DENSE.repeat(4)],
])('[AU1] the token estimate of a huge text uses the whole text, not only its %s', async (_, text) => {
  const { entries } = await recorded({
    cuts: [{ value: longValue(text), pruneId: 'prn_0', isPruned: false, json: 'short', edits: [] }],
  });
  const told = entries[0]?.tokensBefore ?? 0;
  expect(Math.abs(told / estimateTokens(text) - 1)).toBeLessThan(0.1);
});

const longValue = (text: string): LongValue => {
  const [value] = findLongValues({ result: { content: [text] } }, 'tools/call', LIMITS);
  if (value === undefined) throw new Error('nothing is too long');
  return value;
};
const CALL = {
  server: 'files',
  tool: 'read',
  client: 'editor',
  durationMs: 3,
  limits: LIMITS,
  hasStructured: false,
};

/** Returns what the ledger and the notes record, one event-loop iteration later. */
async function recorded(done: Partial<Shortening>) {
  const entries: NewEntry[] = [];
  const notes: [string, unknown][] = [];
  recordCuts({
    ledger: { record: (entry) => void entries.push(entry) },
    notes: { keep: (id, note) => void notes.push([id, JSON.parse(note)]) },
  })({ ...CALL, cuts: [], passed: [], ...done });
  expect([entries, notes]).toEqual([[], []]);
  await new Promise(setImmediate);
  return { entries, notes };
}

it('[AU1] the ledger records each shortened text once, after the response is sent, and distinguishes pruning from masking', async () => {
  const value = longValue('word '.repeat(1000));
  const masked = { value, pruneId: 'prn_1', isPruned: false, json: '"short"', edits: [] };
  const pruned = { value, pruneId: 'prn_2', isPruned: true, json: '"a little longer"', edits: [] };
  const { entries, notes } = await recorded({ cuts: [masked, pruned, masked] });
  const { limits: _, hasStructured: __, ...call } = CALL;
  const common = { ...call, system: 'gateway', tokensBefore: estimateTokens(value.original) };
  expect(entries).toEqual([
    { ...common, kind: 'masked', pruneId: 'prn_1', tokensAfter: estimateTokens('"short"') },
    { ...common, kind: 'cut', pruneId: 'prn_2', tokensAfter: estimateTokens('"a little longer"') },
  ]);
  const note = { v: 1, question: '', blocks: [], masked: { headChars: 2000, tailChars: 2000 } };
  expect(Object.fromEntries(notes)).toEqual({ prn_1: note });
});

it('[AU1] the ledger records texts that could not be shortened once each, with the reason', async () => {
  const passed = [
    longValue('word '.repeat(1000)),
    longValue('word '.repeat(1000)),
    longValue('x'.repeat(9000)),
  ];
  const { entries } = await recorded({ passed });
  const { limits: _, hasStructured: __, ...call } = CALL;
  const common = { ...call, kind: 'masked', system: 'gateway', fallback: 'recovery_unavailable' };
  const sizes = passed.slice(1).map(({ original }) => estimateTokens(original));
  expect(entries).toEqual(sizes.map((tokens) => ({ ...common, tokensBefore: tokens, tokensAfter: tokens })));
});

it('[AU1] the ledger records a shortened list of tools and recovered texts', () => {
  const entries: NewEntry[] = [];
  const ledger = { record: (entry: NewEntry) => void entries.push(entry) };
  recordHiddenTools(ledger, { server: 'files', tokensBefore: 9, tokensAfter: 4 });
  recordGatewayRecovery(ledger, {
    server: 'files',
    pruneId: 'prn_1',
    text: 'three words here',
    client: 'editor',
  });
  expect(entries).toEqual([
    { kind: 'cut', system: 'gateway', server: 'files', tool: 'tools/list', tokensBefore: 9, tokensAfter: 4 },
    {
      ...{ kind: 'recovered', system: 'gateway', server: 'files', client: 'editor', tool: 'recover_text' },
      ...{ pruneId: 'prn_1', tokensBefore: 0, tokensAfter: estimateTokens('three words here') },
    },
  ]);
});
