import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secateur, temporaryFolder } from '../../support/secateur-cli.ts';

const NOW = Date.now();
const DAY_MS = 86_400_000;

/** A data directory whose ledger holds these entries. */
function ledgerOf(...entries: object[]): string {
  const dataDir = temporaryFolder();
  const whole = entries.map((each) => ({
    ...{ at: new Date(NOW).toISOString(), system: 'focus', tool: 'read', kind: 'cut' },
    ...each,
  }));
  mkdirSync(join(dataDir, 'savings'));
  const lines = whole.map((each) => `${JSON.stringify(each)}\n`).join('');
  writeFileSync(join(dataDir, 'savings/savings-2026-11-15-0000.jsonl'), lines);
  return dataDir;
}

const dataDirWithLoss = () =>
  ledgerOf(
    { pruneId: 'prn_x', tokensBefore: 12_000, tokensAfter: 2000, client: 'codex', durationMs: 4 },
    { pruneId: 'prn_x', kind: 'recovered', tool: 'recover_text', tokensBefore: 0, tokensAfter: 1000 },
    { at: new Date(NOW - 9 * DAY_MS).toISOString(), pruneId: 'prn_y', tokensBefore: 100, tokensAfter: 90 },
    {
      ...{ at: new Date(NOW - 9 * DAY_MS).toISOString(), pruneId: 'prn_y', kind: 'recovered' },
      ...{ tokensBefore: 0, tokensAfter: 15 },
    },
    { tool: 'bash', tokensBefore: 50, tokensAfter: 50, fallback: 'timeout' },
  );

it('[AU5] [AU2] stats prints the sums of the ledger, minus recovered tokens, as text and as JSON', async () => {
  const dataDir = dataDirWithLoss();
  const { stdout } = await secateur(['stats'], { dataDir });
  expect(stdout).toMatch(/total +3 +12,150 +2,140 +1,015 +8,995 \(74 %\)/);
  expect(stdout).toContain('recovered  2 of 3 cuts, 1 at a loss');
  expect(stdout).toContain('(timeout 1)');
  expect(stdout).toContain('p50 4 ms');
  expect(stdout).toMatch(/██\n/);
  expect(stdout).toContain('✗ loss');
  const json = JSON.parse((await secateur(['stats', '--json'], { dataDir })).stdout);
  expect(json).toMatchObject({ total: { netTokensSaved: 8995 }, losses: 1, cutsAskedBack: 2 });
  expect(json.money).toBeUndefined();
});

it('[A19] stats shows the calls that followed a shortened output, and warns if there is more than one per ten shortened outputs', async () => {
  const cuts = Array.from({ length: 20 }, (_, at) => ({
    ...{ system: 'hook', tool: 'Read', pruneId: `prn_${at}`, tokensBefore: 1000, tokensAfter: 100 },
  }));
  const back = { system: 'hook', kind: 'recovered', tokensBefore: 0, tokensAfter: 400 };
  const few = ledgerOf(
    ...cuts,
    { ...back, pruneId: 'prn_1' },
    { ...back, pruneId: 'prn_2', by: 'second_read' },
  );
  const quiet = (await secateur(['stats'], { dataDir: few })).stdout;
  expect(quiet).toContain(
    'calls that followed a cut  2 (1 recoveries, 0 repeated calls, 1 reads of the same file)',
  );
  expect(quiet).not.toContain('warning');
  const repeated = { ...back, pruneId: 'prn_3', by: 'repeated_call' };
  const many = ledgerOf(...cuts, { ...back, pruneId: 'prn_1' }, repeated, repeated);
  expect((await secateur(['stats'], { dataDir: many })).stdout).toContain(
    'warning: more than one recovery in ten cuts',
  );
  const json = JSON.parse((await secateur(['stats', '--json'], { dataDir: many })).stdout);
  expect(json).toMatchObject({
    total: { netTokensSaved: 20 * 900 - 3 * 400, recoveries: 3 },
    followingCalls: { recoveries: 1, repeatedCalls: 2, secondReads: 0 },
  });
});

it('[AU5] stats --since excludes older entries, --by groups by tool, server, client or day', async () => {
  const dataDir = dataDirWithLoss();
  const byTool = await secateur(['stats', '--since', '7d', '--by', 'tool'], { dataDir });
  expect(byTool.stdout).toMatch(/read +1 +12,000 +2,000 +1,000 +9,000 \(75 %\)\nbash +1 /);
  const byClient = await secateur(['stats', '--since=7d', '--by=client'], { dataDir });
  expect(byClient.stdout).toMatch(/codex +1 .*\nunknown +1 /);
  expect((await secateur(['stats', '--by', 'day'], { dataDir })).stdout).toContain(
    new Date(NOW - 9 * DAY_MS).toISOString().slice(0, 10),
  );
  const bad = await secateur(['stats', '--since', 'yesterday'], { dataDir });
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('--since: expected a span') });
});

it('[AU4] stats shows savings in money for each configured price, and names the model', async () => {
  const dataDir = ledgerOf({ pruneId: 'prn_x', tokensBefore: 3_000_000, tokensAfter: 1_000_000 });
  const env = {
    SECATEUR_PRICE_MODEL: 'some-model',
    SECATEUR_PRICE_INPUT: '3',
    SECATEUR_PRICE_CACHE_WRITE: '3.75',
    SECATEUR_PRICE_CACHE_READ: '0.3',
  };
  const { stdout } = await secateur(['stats'], { dataDir, env });
  expect(stdout).toContain('net saved  6.00 USD as input (3 USD per million tokens, some-model)');
  expect(stdout).toContain('net saved  7.50 USD as cache writes');
  expect(stdout).toContain('net saved  0.60 USD more as cache reads, each later turn');
  const json = JSON.parse((await secateur(['stats', '--json'], { dataDir, env })).stdout);
  expect(json.money).toMatchObject({ input: 6, cacheWrite: 7.5, prices: { model: 'some-model' } });
  expect((await secateur(['stats'], { dataDir })).stdout).not.toContain('USD');
});

it('[AU5] stats prints "Nothing pruned yet" for an empty ledger', async () => {
  expect(await secateur(['stats'])).toMatchObject({ code: 0, stdout: 'Nothing pruned yet.\n' });
});

it('[AU3] stats reports the number of damaged ledger lines and the names of foreign files', async () => {
  const dataDir = ledgerOf({ pruneId: 'prn_x', tokensBefore: 12_000, tokensAfter: 2000 });
  const ledger = join(dataDir, 'savings');
  appendFileSync(join(ledger, 'savings-2026-11-15-0000.jsonl'), '{"at":"2026-\nnot an entry\n');
  mkdirSync(join(ledger, 'savings-2026-11-15-0001.jsonl'));
  const { code, stdout, stderr } = await secateur(['stats'], { dataDir });
  expect({ code, isSummed: stdout.includes('12,000') }).toEqual({ code: 0, isSummed: true });
  expect(stderr).toContain('Skipped 2 damaged lines of the ledger.');
  expect(stderr).toContain('0001.jsonl is a folder, not a regular file; move it away.');
  const json = JSON.parse((await secateur(['stats', '--json'], { dataDir })).stdout);
  expect(json.ledger).toMatchObject({
    damagedLines: 2,
    faults: [{ reason: 'is a folder, not a regular file' }],
  });
});
