import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import {
  notingPruner,
  packScores,
  unpackScores,
  writeNote,
} from '../../../../packages/engine/src/cut-note.ts';
import { RULE_WORDS, ruleWords } from '../../../../packages/engine/src/explanation.ts';
import { createNotes } from '../../../../packages/engine/src/recovery/notes.ts';
import { createRecovery } from '../../../../packages/engine/src/recovery/recovery.ts';
import { MemoryStore } from '../../../../packages/engine/src/recovery/stores/memory.ts';
import { describeCut } from '../../../../packages/secateur/src/cli/commands/explain.ts';
import { cutRecords } from '../../../../packages/secateur/src/savings/ledger-view.ts';
import { viewCut } from '../../../../packages/secateur/src/servers/dashboard/page-data.ts';
import { pruneRequest, testPruner } from '../../../support/pruner.ts';

const records = await cutRecords([]);

it('[AU9] viewCut shows the lines between head and tail of a masked text as a removed block', async () => {
  const store = new MemoryStore({ ttlMs: 60_000, maxBytes: 1 << 20, clock: systemClock, randomBytes });
  const notes = createNotes(store);
  const text = Array.from({ length: 50 }, (_, index) => `line ${String(index + 1).padStart(2, '0')}`).join(
    '\n',
  );
  await store.put('prn_1', text);
  notes.keep(
    'prn_1',
    writeNote({ v: 1, question: '', blocks: [], masked: { headChars: 16, tailChars: 16 } }),
  );
  await notes.settled();
  const view = await viewCut('prn_1', { notes, records });
  expect(view?.text?.lines).toHaveLength(50);
  expect(view?.text?.blocks).toMatchObject([{ start: 3, end: 48, best: null }]);
  expect(await viewCut('prn_2', { notes, records })).toBeUndefined();
});

it('[AU6] unpackScores returns packed scores with two decimals', () => {
  const scores = [0, -5.32, 4.1, 12.345, -1000, Number.NaN];
  expect(unpackScores(packScores(scores))).toEqual([0, -5.32, 4.1, 12.35, -327.67, 0]);
});

it('[AU6] [P58] secateur explain and the dashboard show the rule that removed each block', async () => {
  const store = new MemoryStore({ ttlMs: 60_000, maxBytes: 1 << 20, clock: systemClock, randomBytes });
  const notes = createNotes(store);
  const recovery = createRecovery({ store, randomBytes });
  const pruner = notingPruner(testPruner({ recovery }), notes);
  const prune = async (request: Parameters<typeof pruneRequest>[0]) => {
    const { id } = await pruner.prune(pruneRequest(request));
    await notes.settled();
    const view = await viewCut(id, { notes, records });
    if (view === undefined) throw new Error('the cut is not known');
    return { view, said: describeCut(view, (_, words) => words) };
  };
  const run = [
    ...Array.from({ length: 80 }, (_, at) => `  ✓ adds item ${at} to the cart (${at % 7} ms)`),
    '  ✗ rejects an empty cart',
    '  80 passing',
    '  1 failing',
  ].join('\n');
  const origin = { kind: 'command', command: 'npm test' } as const;
  const hook = await prune({ text: run, origin, intent: 'implicit', options: { markers: 'compact' } });
  expect(hook.view.text?.blocks).toMatchObject([
    { start: 1, end: 80, rule: 'passed-tests', why: RULE_WORDS['passed-tests'] },
  ]);
  expect(hook.said).toMatch(/− 1-80 +80 tests passed \[passed-tests: Tests that passed; [^\]]+\]/);
  const steps = Array.from(
    { length: 80 },
    (_, at) => `def step_${at}(value):\n    return value + ${at} * 2\n`,
  );
  const asked = await prune({
    text: steps.join('\n'),
    focus: { question: 'what does step_7 return?' },
    options: { maxPruneRatio: 0.9 },
  });
  expect(asked.view.text?.blocks.length).toBeGreaterThan(0);
  for (const { rule, why } of asked.view.text?.blocks ?? []) expect(why).toBe(ruleWords(rule ?? ''));
  expect(asked.said).toMatch(/− \d+-\d+ .*\[[a-z-]+: .+\] {2}\(best score -?\d+\.\d\d\)/);
});

it('[AU6] the dashboard shows the name of a rule that this version does not know', async () => {
  const store = new MemoryStore({ ttlMs: 60_000, maxBytes: 1 << 20, clock: systemClock, randomBytes });
  const notes = createNotes(store);
  await store.put('prn_3', 'one\ntwo\nthree');
  const block = { start: 2, end: 2, reason: 'noise', marker: '✂ 2-2 (noise)', rule: 'later-rule' };
  notes.keep('prn_3', writeNote({ v: 1, question: 'why?', blocks: [block] }));
  await notes.settled();
  const view = await viewCut('prn_3', { notes, records });
  expect(view?.text?.blocks).toMatchObject([{ rule: 'later-rule', why: null }]);
  if (view !== undefined) expect(describeCut(view, (_, words) => words)).toContain('noise [later-rule]');
});

it('[X25] the record of a shortened output of more than 100,000 lines contains no score per line', async () => {
  const store = new MemoryStore({ ttlMs: 60_000, maxBytes: 1 << 24, clock: systemClock, randomBytes });
  const notes = createNotes(store);
  const recovery = createRecovery({ store, randomBytes });
  const pruner = notingPruner(testPruner({ recovery }), notes);
  const noted = async (lines: number) => {
    const text = 'x\n'.repeat(lines);
    const focus = { question: 'where is the y?' };
    const { id } = await pruner.prune(pruneRequest({ text, focus, options: { timeoutMs: 60_000 } }));
    await notes.settled();
    return (await viewCut(id, { notes, records }))?.text;
  };
  expect((await noted(2_000))?.scores).toHaveLength(2_000);
  const long = await noted(100_001);
  expect(long?.blocks.length).toBeGreaterThan(0);
  expect([long?.scores, long?.kept]).toEqual([null, []]);
});
