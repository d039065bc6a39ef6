/**
 * Cost of `prune_text` end to end, beside the floor of the same request: a server that parses the JSON,
 * splits the lines, answers with every third of them and serialises; the cut alone beside BM25, and of a
 * table of 40,000 rows. Then what a thousand remembered texts hold in memory, beside an array of the same
 * strings. Each server is a process of its own.
 *
 *   npm run build && node --expose-gc --import tsx bench/prune.ts
 */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../packages/base/src/runtime/time.ts';
import { splitLines } from '../packages/base/src/text/lines.ts';
import { cutText } from '../packages/engine/src/cut.ts';
import { scoreLexically } from '../packages/engine/src/ranking/lexical-scorer.ts';
import { createLocalScorer } from '../packages/engine/src/ranking/local-scorer.ts';
import { createRecovery } from '../packages/engine/src/recovery/recovery.ts';
import { MemoryStore } from '../packages/engine/src/recovery/stores/memory.ts';
import { ask, type Contestant, PRUNER, requestOf, start, stop } from './prune/server.ts';
import { sourceText, tableText } from './prune/source-text.ts';

const ROUNDS = 5;
const TEXTS = 1000;
const sizes = [
  { name: '10 kB', chars: 10_000, calls: 40 },
  { name: '100 kB', chars: 100_000, calls: 12 },
  { name: '2 MB', chars: 2_000_000, calls: 2 },
];

const GOAL = 'why does the retry policy give up';
const DEFAULT_LIMIT_MS = 1500;
const PARTS = { scorer: createLocalScorer(), clock: systemClock };
const OPTIONS = {
  maxPruneRatio: 0.7,
  minKeepLines: 0,
  timeoutMs: 60_000,
  annotateLines: false,
  includeMarkers: true,
  markers: 'canonical',
} as const;

interface Cost {
  wallMs: number;
  cpuMs: number;
}

const programOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const pruner = await start(PRUNER);
const floor = await start(['--import', 'tsx', programOf('./prune/floor-server.ts')]);

for (const { name, chars, calls } of sizes) {
  const body = requestOf(sourceText(chars), 60_000);
  const best = { pruner: worst(), floor: worst() };
  for (let round = 0; round < ROUNDS; round += 1) {
    best.floor = better(best.floor, await measure(floor, body, calls));
    best.pruner = better(best.pruner, await measure(pruner, body, calls));
  }
  const line = (kind: 'wallMs' | 'cpuMs') =>
    `${best.pruner[kind].toFixed(2)} ms against ${best.floor[kind].toFixed(2)} ms (× ${(best.pruner[kind] / best.floor[kind]).toFixed(1)})`;
  console.log(`${name.padEnd(7)} wall ${line('wallMs')}, CPU ${line('cpuMs')}`);
}
for (const contestant of [pruner, floor]) await stop(contestant);
for (const size of sizes) reportCut(size);
reportRows();
await reportMemory();

/** The cut alone, in this thread, beside BM25 over the same lines: processor time, best of some rounds. */
function reportCut({ name, chars, calls }: (typeof sizes)[number]): void {
  const text = sourceText(chars);
  const request = { text, focus: { question: GOAL }, sourceType: 'code', options: OPTIONS } as const;
  const lines = splitLines(text);
  const cut = () => cutText({ id: 'prn_0000000000', remainingMs: OPTIONS.timeoutMs, request }, PARTS);
  const words = () => scoreLexically({ lines, focus: request.focus });
  const best = { cut: Number.POSITIVE_INFINITY, words: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    best.words = Math.min(best.words, cpuMsFor(words, calls));
    best.cut = Math.min(best.cut, cpuMsFor(cut, calls));
  }
  const limited = { ...request, options: { ...OPTIONS, timeoutMs: DEFAULT_LIMIT_MS } };
  const { scorer } =
    cutText({ id: 'prn_0000000000', remainingMs: DEFAULT_LIMIT_MS, request: limited }, PARTS) ?? {};
  console.log(
    `${name.padEnd(7)} cut alone, CPU ${best.cut.toFixed(2)} ms against BM25 ${best.words.toFixed(2)} ms (× ${(best.cut / best.words).toFixed(1)}); with ${DEFAULT_LIMIT_MS} ms allowed: ${scorer ?? 'too late'}`,
  );
}

const ROWS = 40_000;
const MAX_ROWS_MS = 200;

/** A table as `prune_text` and as a hook cut it: processor time, best of some rounds. */
function reportRows(): void {
  const text = tableText(ROWS);
  const request = { text, focus: { question: GOAL }, sourceType: 'logs', fileName: 'users.csv' } as const;
  const origin = { kind: 'command', command: 'cat users.csv' } as const;
  const costs = (['capped', 'implicit'] as const).map((intent) => {
    const job = { id: 'prn_0000000000', remainingMs: OPTIONS.timeoutMs };
    const cut = () => cutText({ ...job, request: { ...request, origin, intent, options: OPTIONS } }, PARTS);
    const rounds = Array.from({ length: ROUNDS }, () => cpuMsFor(cut, 1));
    return Math.min(...rounds);
  });
  const [capped = 0, implicit = 0] = costs;
  console.log(
    `${ROWS} rows, CPU ${capped.toFixed(0)} ms in prune_text, ${implicit.toFixed(0)} ms in a hook (at most ${MAX_ROWS_MS} ms)`,
  );
}

function cpuMsFor(work: () => unknown, calls: number): number {
  const started = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000 / calls;
}

async function measure(contestant: Contestant, body: string, calls: number): Promise<Cost> {
  const cpuBefore = cpuMsOf(contestant.process);
  const started = performance.now();
  for (let call = 0; call < calls; call += 1) {
    await ask(contestant, body);
  }
  return {
    wallMs: (performance.now() - started) / calls,
    cpuMs: (cpuMsOf(contestant.process) - cpuBefore) / calls,
  };
}

/** Fields 14 and 15 of /proc/PID/stat: user and system time in hundredths of a second. */
function cpuMsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function worst(): Cost {
  return { wallMs: Number.POSITIVE_INFINITY, cpuMs: Number.POSITIVE_INFINITY };
}

function better(a: Cost, b: Cost): Cost {
  return { wallMs: Math.min(a.wallMs, b.wallMs), cpuMs: Math.min(a.cpuMs, b.cpuMs) };
}

async function reportMemory(): Promise<void> {
  const store = new MemoryStore({ ttlMs: 600_000, maxBytes: 1 << 30, clock: systemClock, randomBytes });
  const recovery = createRecovery({ store, randomBytes });
  const remembered = await growth((text) => recovery.remember(text, ['goal']));
  const held: string[] = [];
  const baseline = await growth(async (text) => held.push(text));
  console.log(
    `${held.length} texts of 10 kB: ${(remembered / 1e6).toFixed(1)} MB remembered against ${(baseline / 1e6).toFixed(1)} MB in an array (× ${(remembered / baseline).toFixed(2)})`,
  );
  await recovery.close();
}

async function growth(keep: (text: string) => Promise<unknown>): Promise<number> {
  const before = await heldBytes();
  // Through a buffer, so that each text is a string of its own and not a slice of a shared one.
  for (let number = 0; number < TEXTS; number += 1)
    await keep(Buffer.from(`${number}\n${sourceText(10_000)}`).toString());
  return (await heldBytes()) - before;
}

async function heldBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
