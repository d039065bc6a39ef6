/**
 * [R83] `reverse-spec batch --ast-only` on a generated TypeScript tree of 20,000 files, twice: with an empty cache, then with
 * nothing changed. R83 compares with the build of commit bf377fa: BASELINE=/path/to/its/dist/main/reverse-spec.js measures it
 * in the same run, in turns; without it the rows of the ratio are left out. Processor time is that of all threads.
 * Needs `npm run build`. Usage: [RUNS=1] [BASELINE=…] tsx bench/batch.ts [count]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTree } from './prepare/make-tree.ts';

const MIN_RATIO = 4;
const MAX_PEAK_MB = 600;
const MAX_SECOND_SHARE = 0.1;

interface Usage {
  ms: number;
  cpuMs: number;
  peakMb: number;
}

const count = Number(process.argv[2] ?? 20_000);
const RUNS = Number(process.env.RUNS ?? 1);
const { BASELINE } = process.env;
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const own = path('../packages/reverse-spec/dist/main/reverse-spec.js');
for (const program of [own, ...(BASELINE === undefined ? [] : [BASELINE])])
  if (!existsSync(program)) throw new Error(`${program} does not exist: build it first`);

const folder = mkdtempSync(join(tmpdir(), 'bench-batch-'));
try {
  compare();
} finally {
  rmSync(folder, { recursive: true });
}

function compare(): void {
  const bytes = makeTree(join(folder, 'tree'), count);
  console.log(
    `${count} files, ${(bytes / 1e6).toFixed(1)} MB, ${availableParallelism()} cores, best of ${RUNS}`,
  );
  const runs = { baseline: [] as Usage[], first: [] as Usage[], second: [] as Usage[] };
  for (let turn = 0; turn < RUNS; turn += 1) {
    if (BASELINE !== undefined) runs.baseline.push(measure(BASELINE, `baseline-${turn}`));
    runs.first.push(measure(own, `own-${turn}`));
    runs.second.push(measure(own, `own-${turn}`));
  }
  const [first, second] = [best(runs.first), best(runs.second)];
  if (BASELINE !== undefined) show('baseline', best(runs.baseline));
  show('first run', first);
  show('nothing changed', second);
  if (BASELINE !== undefined) showRatio(best(runs.baseline), first);
  verdict('peak memory', `${first.peakMb.toFixed(0)} MB`, first.peakMb < MAX_PEAK_MB);
  const share = second.ms / first.ms;
  verdict('second run / first run', `${(100 * share).toFixed(1)} %`, share <= MAX_SECOND_SHARE);
}

function showRatio(baseline: Usage, first: Usage): void {
  const [wall, cpu] = [baseline.ms / first.ms, baseline.cpuMs / first.cpuMs];
  verdict('baseline / first run', `wall ${wall.toFixed(2)} ×, cpu ${cpu.toFixed(2)} ×`, wall >= MIN_RATIO);
}

function verdict(name: string, figure: string, isMet: boolean): void {
  console.log(`  [R83] ${name.padEnd(24)} ${figure}: ${isMet ? 'met' : 'not met'}`);
}

function measure(program: string, name: string): Usage {
  const usage = join(folder, 'usage.json');
  const args = ['batch', '.', '--ast-only', '--output-dir', join(folder, `specs-${name}`)];
  const start = performance.now();
  const { status } = spawnSync(
    process.execPath,
    ['--import', path('./prepare/report-usage.mjs'), program, ...args],
    {
      cwd: join(folder, 'tree'),
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, REVERSE_SPEC_CACHE_DIR: join(folder, `cache-${name}`), USAGE_FILE: usage },
    },
  );
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return { ms, ...JSON.parse(readFileSync(usage, 'utf8')) };
}

/** The least of each figure over the runs; they need not be of the same one. */
function best(runs: readonly Usage[]): Usage {
  const least = (key: keyof Usage) => Math.min(...runs.map((each) => each[key]));
  return { ms: least('ms'), cpuMs: least('cpuMs'), peakMb: least('peakMb') };
}

function show(name: string, { ms, cpuMs, peakMb }: Usage): void {
  const cells = [
    `wall ${(ms / 1000).toFixed(1)} s`,
    `cpu ${(cpuMs / 1000).toFixed(1)} s`,
    `peak ${peakMb.toFixed(0)} MB`,
  ];
  console.log(`  ${name.padEnd(16)} ${cells.join('  ')}`);
}
