/**
 * `reverse-spec prepare --json` on generated TypeScript trees of 1,000 and 10,000 files, as a user runs it: a process
 * of its own, its answer written to a file. Cold with an empty cache folder, then with nothing changed. Against
 * ts-morph taking the same facts out of the same tree, a process of its own as well, in the same run and in turns.
 * Wall time is from the start of the process to its end, so both pay for starting Node and loading their parser.
 * Needs `npm run build`. Usage: [RUNS=3] tsx bench/prepare.ts [count …]
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTree } from './prepare/make-tree.ts';

interface Figures {
  ms: number;
  /** CPU time of all threads: on a busy machine it varies less than wall time. */
  cpuMs: number;
  peakMb: number;
}

const RUNS = Number(process.env.RUNS ?? 3);
const counts = process.argv.slice(2).map(Number);
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

for (const count of counts.length > 0 ? counts : [1_000, 10_000]) compare(count);

function compare(count: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'bench-prepare-'));
  const tree = join(folder, 'tree');
  const bytes = makeTree(tree, count);
  console.log(
    `${count} files, ${(bytes / 1e6).toFixed(1)} MB, ${availableParallelism()} cores, best of ${RUNS}`,
  );
  const answers = new Set<string>();
  const runs = { baseline: [] as Figures[], cold: [] as Figures[], warm: [] as Figures[] };
  for (let turn = 0; turn < RUNS; turn += 1) {
    runs.baseline.push(withTsMorph(folder));
    for (const kind of ['cold', 'warm'] as const) {
      runs[kind].push(withSecateur(folder, turn));
      answers.add(digestOf(join(folder, 'answer.json')));
    }
  }
  if (answers.size !== 1) throw new Error('the cache changed the answer');
  const baseline = best(runs.baseline);
  show('ts-morph', baseline, { count, baseline });
  show('secateur, cold', best(runs.cold), { count, baseline });
  show('secateur, nothing changed', best(runs.warm), { count, baseline });
  console.log(
    `  the answer itself: ${(statSync(join(folder, 'answer.json')).size / 1e6).toFixed(1)} MB of JSON`,
  );
  rmSync(folder, { recursive: true });
}

function withTsMorph(folder: string): Figures {
  const args = [
    path('./prepare/read-with-ts-morph.mjs'),
    join(folder, 'tree'),
    join(folder, 'baseline.jsonl'),
  ];
  // Without more memory than it is given by default ts-morph does not come through the larger tree.
  return run(folder, { args: ['--max-old-space-size=8192', ...args], output: join(folder, 'nothing') });
}

function withSecateur(folder: string, turn: number): Figures {
  const args = [
    path('../packages/reverse-spec/dist/main/reverse-spec.js'),
    'prepare',
    join(folder, 'tree'),
    '--json',
  ];
  const cache = { REVERSE_SPEC_CACHE_DIR: join(folder, `cache-${turn}`) };
  return run(folder, { args, output: join(folder, 'answer.json'), env: cache });
}

interface Program {
  args: readonly string[];
  output: string;
  env?: Record<string, string>;
}

function run(folder: string, { args, output, env = {} }: Program): Figures {
  const usage = join(folder, 'usage.json');
  const out = openSync(output, 'w');
  const start = performance.now();
  const { status } = spawnSync(process.execPath, ['--import', path('./prepare/report-usage.mjs'), ...args], {
    stdio: ['ignore', out, 'inherit'],
    env: { ...process.env, ...env, USAGE_FILE: usage },
  });
  const ms = performance.now() - start;
  closeSync(out);
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return { ms, ...JSON.parse(readFileSync(usage, 'utf8')) };
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** The least of each figure over the runs; they need not be of the same one. */
function best(runs: readonly Figures[]): Figures {
  const least = (key: keyof Figures) => Math.min(...runs.map((each) => each[key]));
  return { ms: least('ms'), cpuMs: least('cpuMs'), peakMb: least('peakMb') };
}

function show(
  name: string,
  { ms, cpuMs, peakMb }: Figures,
  { count, baseline }: { count: number; baseline: Figures },
): void {
  const cells = [
    name.padEnd(26),
    `wall ${ms.toFixed(0).padStart(6)} ms (${(baseline.ms / ms).toFixed(1)} ×)`,
    `cpu ${cpuMs.toFixed(0).padStart(6)} ms (${(baseline.cpuMs / cpuMs).toFixed(1)} ×)`,
    `${Math.round(count / (ms / 1000))} files/s`,
    `peak ${peakMb.toFixed(0)} MB`,
  ];
  console.log(`  ${cells.join('  ')}`);
}
