import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileLedger, ledgerFileName } from '../../src/savings/ledger.ts';
import { readSavings } from '../../src/savings/read-ledger.ts';
import { handClock } from '../support/hand-clock.ts';

const CUT = {
  kind: 'cut',
  system: 'pruner',
  tool: 'prune_text',
  tokensBefore: 1000,
  tokensAfter: 300,
} as const;
const BACK = {
  kind: 'recovered',
  system: 'pruner',
  tool: 'recover_text',
  tokensBefore: 0,
  tokensAfter: 50,
} as const;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secateur-savings-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('sums what was saved, net of what was asked back', async () => {
  const ledger = fileLedger({ directory: join(directory, 'new'), clock: handClock() });
  ledger.record(CUT);
  ledger.record({ ...CUT, system: 'gateway' });
  ledger.record(BACK);
  await ledger.flush();
  const { total, bySystem } = await readSavings(join(directory, 'new'));
  expect(total).toMatchObject({
    calls: 2,
    tokensBefore: 2000,
    tokensAfter: 600,
    tokensRecovered: 50,
    netTokensSaved: 1350,
  });
  expect(bySystem.gateway?.netTokensSaved).toBe(700);
  expect(bySystem.pruner?.netTokensSaved).toBe(650);
});

it('keeps everything when several ledgers write at once', async () => {
  const ledgers = [1, 2, 3].map(() => fileLedger({ directory, clock: handClock() }));
  for (let round = 0; round < 100; round += 1) for (const ledger of ledgers) ledger.record(CUT);
  await Promise.all(ledgers.map((ledger) => ledger.flush()));
  expect((await readSavings(directory)).total.calls).toBe(300);
});

it('spreads over one file a month and reads them all', async () => {
  const clock = handClock(Date.parse('2026-11-30T23:59:59Z'));
  const ledger = fileLedger({ directory, clock });
  ledger.record(CUT);
  clock.advance(2000);
  ledger.record(CUT);
  await ledger.flush();
  const { byDay } = await readSavings(directory);
  expect(Object.keys(byDay)).toEqual(['2026-11-30', '2026-12-01']);
});

it('skips a line cut short by a crash', async () => {
  const ledger = fileLedger({ directory, clock: handClock() });
  ledger.record(CUT);
  await ledger.flush();
  await appendFile(
    join(directory, ledgerFileName(new Date(handClock().now()).toISOString())),
    '{"at":"2026-',
  );
  expect((await readSavings(directory)).total.calls).toBe(1);
});

it('never throws, even where it cannot write', async () => {
  const blocked = join(directory, 'file');
  await writeFile(blocked, '');
  const ledger = fileLedger({ directory: join(blocked, 'below'), clock: handClock() });
  ledger.record(CUT);
  await ledger.flush();
  expect((await readSavings(join(blocked, 'below'))).total.calls).toBe(0);
});
