import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';

it('[H5] stats sums the ledger, net of what was asked back, as text and as JSON', async () => {
  const dataDir = temporaryFolder();
  const entry = { at: '2026-11-15T10:00:00.000Z', system: 'focus', tool: 'read', pruneId: 'prn_x' };
  const entries = [
    { ...entry, kind: 'cut', tokensBefore: 12_000, tokensAfter: 2000 },
    { ...entry, kind: 'recovered', tokensBefore: 0, tokensAfter: 1000 },
  ];
  mkdirSync(join(dataDir, 'savings'));
  writeFileSync(
    join(dataDir, 'savings/savings-2026-11.jsonl'),
    entries.map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
  const text = await secateur(['stats'], { dataDir });
  expect(text.stdout).toMatch(/total +1 +12,000 +2,000 +1,000 +9,000 \(75 %\)/);
  const json = JSON.parse((await secateur(['stats', '--json'], { dataDir })).stdout);
  expect(json.total.netTokensSaved).toBe(9000);
});

it('[H5] stats of an empty ledger says so', async () => {
  expect(await secateur(['stats'])).toMatchObject({ code: 0, stdout: 'Nothing pruned yet.\n' });
});
