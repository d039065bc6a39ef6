import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  fileLedger,
  type NewEntry,
  type SavingsEntry,
} from '../../../packages/secateur/src/savings/ledger.ts';
import { LedgerView } from '../../../packages/secateur/src/savings/ledger-view.ts';
import { reportOf, type SavingsReport } from '../../../packages/secateur/src/savings/sums.ts';
import { auditSettings } from '../../../packages/serving/src/config/settings/audit.ts';
import { eventually } from '../../support/eventually.ts';
import { handClock } from '../../support/hand-clock.ts';

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
const LIMITS = { maxBytes: 1 << 20, maxAgeDays: 30 };

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secateur-savings-'));
});
afterEach(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));

async function entriesIn(folder: string) {
  const view = new LedgerView(folder);
  await view.refresh();
  return view.entries;
}

async function reportIn(folder: string): Promise<SavingsReport> {
  return reportOf(await entriesIn(folder));
}

it('[AU1] a ledger entry contains only names and sizes in plain characters, whatever the tool is called', async () => {
  const ledger = fileLedger({ directory, clock: handClock(), ...LIMITS });
  const entry = {
    ...{ ...CUT, sourceType: 'logs', pruneId: 'prn_x', durationMs: 7, fallback: 'timeout' },
    ...{ server: 'files', client: 'claude-code', tool: '../../etc/passwd\n{"goal":"steal"}' },
  };
  ledger.record(entry);
  expect(await entriesIn(directory)).toEqual([
    { ...entry, at: '2023-11-14T22:13:20.000Z', tool: '..-..-etc-passwd-goal-:-steal-' },
  ]);
});

it('[AU2] the ledger subtracts recovered tokens from the savings of the server that shortened the output', async () => {
  const ledger = fileLedger({ directory: join(directory, 'new'), clock: handClock(), ...LIMITS });
  ledger.record({ ...CUT, system: 'gateway', server: 'files', tool: 'read', client: 'codex', pruneId: 'a' });
  ledger.record({ ...CUT, kind: 'masked', system: 'gateway', tool: 'constructor' });
  ledger.record({ ...BACK, pruneId: 'a' });
  ledger.record(BACK);
  const { total, bySystem, byServer, byTool, byClient } = await reportIn(join(directory, 'new'));
  expect(total).toMatchObject({
    calls: 2,
    tokensBefore: 2000,
    tokensAfter: 600,
    tokensRecovered: 100,
    netTokensSaved: 1300,
  });
  expect(byServer.files?.netTokensSaved).toBe(650);
  expect(byTool.read?.netTokensSaved).toBe(650);
  expect(byTool).toMatchObject({ constructor: { netTokensSaved: 700 } });
  expect(byClient.codex?.netTokensSaved).toBe(650);
  // A recovery without a cut in the ledger counts against the server that returned the text.
  expect(bySystem.pruner?.netTokensSaved).toBe(-50);
});

it('[AU2] the ledger reports a shortened output that was recovered completely as a loss', async () => {
  const ledger = fileLedger({ directory, clock: handClock(), ...LIMITS });
  ledger.record({ ...CUT, pruneId: 'a' });
  ledger.record({ ...BACK, pruneId: 'a', tokensAfter: 720 });
  expect(await reportIn(directory)).toMatchObject({
    total: { netTokensSaved: -20 },
    cutsAskedBack: 1,
    losses: 1,
  });
});

it('[X25] reportOf adds up every entry of a long ledger in several steps', async () => {
  const entries = Array.from(
    { length: 12_345 },
    (_, index): SavingsEntry => ({
      at: new Date(Date.UTC(2026, 10, 1, 0, 0, index)).toISOString(),
      kind: index % 3 === 2 ? 'recovered' : 'cut',
      system: 'focus',
      tool: `tool-${index % 7}`,
      pruneId: `prn_${Math.floor(index / 3)}`,
      tokensBefore: index % 3 === 2 ? 0 : 100,
      tokensAfter: index % 3 === 2 ? 170 : 10,
      durationMs: index % 100,
    }),
  );
  const { total, byTool, cutsAskedBack, losses, latencyMs } = await reportOf(entries);
  expect(total).toMatchObject({ calls: 8230, recoveries: 4115, netTokensSaved: 8230 * 90 - 4115 * 170 });
  expect(Object.values(byTool).reduce((sum, { calls }) => sum + calls, 0)).toBe(8230);
  expect([cutsAskedBack, losses]).toEqual([4115, 4115]);
  expect(latencyMs).toEqual({ p50: 49, p95: 94 });
});

it('[AU2] the groups of reportOf (by day, server, tool or client) each add up to the same net savings', async () => {
  const name = fc.constantFrom('a', 'b', 'constructor', '__proto__');
  const entry = fc.record({
    at: fc.constantFrom('2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'),
    kind: fc.constantFrom('cut' as const, 'masked' as const, 'recovered' as const),
    system: fc.constantFrom('pruner' as const, 'gateway' as const),
    server: fc.option(name, { nil: undefined }),
    client: fc.option(name, { nil: undefined }),
    tool: name,
    pruneId: fc.constantFrom('x', 'y'),
    tokensBefore: fc.nat(1000),
    tokensAfter: fc.nat(1000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(entry), async (entries) => {
      const { total, bySystem, byServer, byClient, byTool, byDay } = await reportOf(entries);
      for (const sums of [bySystem, byServer, byClient, byTool, byDay]) {
        const net = Object.values(sums).reduce((sum, { netTokensSaved }) => sum + netTokensSaved, 0);
        expect(net).toBe(total.netTokensSaved);
      }
    }),
  );
});

it('[AU3] several processes can write the ledger while another reads; a killed process loses at most its last entry', async () => {
  const writer = fileURLToPath(new URL('./write-entries.ts', import.meta.url));
  const children = [1, 2].map((number) =>
    spawn(process.execPath, ['--import', 'tsx', writer, directory, String(number)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const told = children.map((child) => {
    let last = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      last = Number(chunk.toString().trimEnd().split('\n').at(-1));
    });
    return () => last;
  });
  const view = new LedgerView(directory);
  await eventually(async () => {
    await view.refresh();
    return told.every((last) => last() > 200) || undefined;
  });
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map((child) => once(child, 'exit')));
  const entries = await entriesIn(directory);
  await view.refresh();
  expect(view.entries).toEqual(entries);
  for (const [index, last] of told.entries()) {
    const numbers = entries
      .filter(({ tool }) => tool === `writer-${index + 1}`)
      .map((each) => each.tokensBefore);
    expect(numbers).toEqual(numbers.map((_, position) => position + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(last());
  }
});

it('[AU3] a ledger entry that a crash left incomplete does not damage other entries', async () => {
  const ledger = fileLedger({ directory, clock: handClock(), ...LIMITS });
  ledger.record(CUT);
  const [name = ''] = await readdir(directory);
  await appendFile(join(directory, name), '\n{"at":"2026-');
  expect((await reportIn(directory)).total.calls).toBe(1);
  ledger.record(CUT);
  expect((await reportIn(directory)).total.calls).toBe(2);
});

it('[AU3] the ledger stays within its size limit and keeps the newest entries', async () => {
  const maxBytes = 65_536;
  const ledger = fileLedger({ directory, clock: handClock(), maxBytes, maxAgeDays: 30 });
  const view = new LedgerView(directory);
  for (let number = 1; number <= 3000; number += 1) {
    ledger.record({ ...CUT, tokensBefore: number });
    if (number % 100 === 0) await view.refresh();
  }
  await eventually(async () => (await bytesIn(directory)) <= maxBytes + 300 || undefined, 'room');
  const numbers = (await entriesIn(directory)).map(({ tokensBefore }) => tokensBefore);
  expect(numbers.at(-1)).toBe(3000);
  expect(numbers.length).toBeGreaterThan(300);
  expect(numbers).toEqual(numbers.map((_, index) => 3000 - numbers.length + 1 + index));
  await view.refresh();
  expect(view.entries.map(({ tokensBefore }) => tokensBefore)).toEqual(numbers);
});

it('[AU3] the ledger drops entries that are older than its maximum age', async () => {
  const clock = handClock(Date.parse('2026-09-30T23:59:59Z'));
  const ledger = fileLedger({ directory, clock, ...LIMITS });
  for (let day = 0; day < 3; day += 1) {
    ledger.record(CUT);
    clock.advance(20 * 86_400_000);
  }
  const days = async () => Object.keys((await reportIn(directory)).byDay).join();
  await eventually(async () => (await days()) === '2026-10-20,2026-11-09' || undefined, 'the oldest to go');
});

it('[AU3] the ledger never throws, even if it cannot write', async () => {
  const blocked = join(directory, 'file');
  await writeFile(blocked, '');
  const ledger = fileLedger({ directory: join(blocked, 'below'), clock: handClock(), ...LIMITS });
  ledger.record(CUT);
  expect((await reportIn(join(blocked, 'below'))).total.calls).toBe(0);
  expect(await readFile(blocked, 'utf8')).toBe('');
});

it('the ledger reads the monthly files of earlier versions', async () => {
  const old = { at: '2026-10-03T10:00:00.000Z', ...CUT } satisfies NewEntry & { at: string };
  await writeFile(join(directory, 'savings-2026-10.jsonl'), `${JSON.stringify(old)}\n`);
  expect(await entriesIn(directory)).toEqual([old]);
});

async function bytesIn(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder)).map(
      async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0,
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

it('[AU3] the ledger counts a line that is not an entry once, even if the line is read several times', async () => {
  const ledger = fileLedger({ directory, clock: handClock(), ...LIMITS });
  ledger.record(CUT);
  const [name = ''] = await readdir(directory);
  await appendFile(join(directory, name), '\n{"at":"2026-\n\n[]\n{"kind":"cut"}\n\0\0\0');
  const view = new LedgerView(directory);
  await view.refresh();
  expect(view.damagedLines).toBe(3);
  ledger.record(CUT);
  await view.refresh();
  await view.refresh();
  expect([view.damagedLines, view.entries.length]).toEqual([4, 2]);
});

it.runIf(process.platform !== 'win32').each<[string, (path: string) => unknown, string]>([
  ['a folder', (path) => mkdirSync(path), 'is a folder, not a regular file'],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'is a pipe, not a regular file'],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path), 'is a link, not a regular file'],
])(
  '[AU3] [X17] the ledger writes to another file if %s is in the place of its file, and reports that path',
  async (_, make, reason) => {
    const clock = handClock();
    const path = join(directory, `savings-${new Date(clock.now()).toISOString().slice(0, 10)}-0000.jsonl`);
    make(path);
    fileLedger({ directory, clock, ...LIMITS }).record(CUT);
    const view = new LedgerView(directory);
    await view.refresh();
    expect(view.entries).toHaveLength(1);
    expect(view.faults).toEqual([{ path, reason }]);
  },
);

it('[AU3] [X17] LedgerView reports a file in the place of the ledger folder, and the writer does not crash', async () => {
  const file = join(directory, 'savings');
  await writeFile(file, '');
  fileLedger({ directory: file, clock: handClock(), ...LIMITS }).record(CUT);
  const view = new LedgerView(file);
  await view.refresh();
  expect(view.faults).toEqual([{ path: file, reason: 'cannot be read (ENOTDIR)' }]);
});

it('[AU3] the default limits of the ledger hold 400 days with 100,000 shortened outputs per month, a tenth of them recovered', async () => {
  const [maxBytes, days] = [auditSettings.ledgerMaxBytes, auditSettings.ledgerMaxAgeDays].map((setting) =>
    Number(setting.fallback),
  ) as [number, number];
  const ledger = fileLedger({ directory, clock: handClock(), ...LIMITS });
  const names = { server: 'filesystem-server', client: 'claude-code-cli', user: 'alice.example' };
  const cut = { ...names, sourceType: 'stack_trace', pruneId: 'prn_7M2Q4K8T3V', durationMs: 1234.567 };
  for (let call = 0; call < 10; call += 1)
    ledger.record({ ...CUT, ...cut, system: 'gateway', tool: 'read_multiple_files', tokensBefore: 123_456 });
  ledger.record({ ...BACK, ...names, pruneId: cut.pruneId });
  const bytesPerCut = (await bytesIn(directory)) / 10;
  const cuts = (days / (365 / 12)) * 100_000;
  // Up to a sixteenth is deleted when a new file begins.
  expect(bytesPerCut * cuts).toBeLessThan((maxBytes * 15) / 16);
  expect(days).toBe(400);
});

it('[AU3] ledger files stay small enough to be read without a long pause, even under a large limit', async () => {
  const clock = handClock();
  const ledger = fileLedger({ directory, clock, maxBytes: 1 << 30, maxAgeDays: 30 });
  const [day] = new Date(clock.now()).toISOString().split('T');
  await writeFile(join(directory, `savings-${day}-0000.jsonl`), '\n'.repeat(2 * 1024 * 1024));
  ledger.record(CUT);
  expect((await readdir(directory)).sort()).toEqual([
    `savings-${day}-0000.jsonl`,
    `savings-${day}-0001.jsonl`,
  ]);
});
