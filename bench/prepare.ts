/**
 * `prepare` on generated TypeScript trees of 1,000 and 10,000 files, cold and with nothing changed, against ts-morph
 * reading the same facts in the same run. Needs `npm run build`. Usage: tsx bench/prepare.ts [count …]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTree } from './prepare/make-tree.ts';

interface Figures {
  ms: number;
  /** Of all threads: on a busy machine the only figure that holds still. */
  cpuMs: number;
  exports: number;
  peakMb: number;
}

const RUNS = Number(process.env.RUNS ?? 3);
const counts = process.argv.slice(2).map(Number);

for (const count of counts.length > 0 ? counts : [1_000, 10_000]) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-prepare-'));
  const tree = join(folder, 'tree');
  const bytes = makeTree(tree, count);
  console.log(`${count} files, ${(bytes / 1e6).toFixed(1)} MB, ${availableParallelism()} cores`);
  const baseline = best(() => run('read-with-ts-morph.ts', [tree]));
  const cold = best(() => run('read-with-secateur.ts', [tree]));
  run('read-with-secateur.ts', [tree, join(folder, 'cache')]);
  const warm = best(() => run('read-with-secateur.ts', [tree, join(folder, 'cache')]));
  if (cold.exports !== warm.exports) throw new Error('the cache changed the answer');
  show('ts-morph', baseline, { count, baseline });
  show('secateur, cold', cold, { count, baseline });
  show('secateur, nothing changed', warm, { count, baseline });
  rmSync(folder, { recursive: true });
}

function run(script: string, args: readonly string[]): Figures {
  const file = fileURLToPath(new URL(`./prepare/${script}`, import.meta.url));
  const output = execFileSync(
    process.execPath,
    ['--import', 'tsx', '--max-old-space-size=8192', file, ...args],
    { encoding: 'utf8' },
  );
  return JSON.parse(output);
}

/** The quickest wall time and the least CPU time of the runs; they need not be of the same one. */
function best(measure: () => Figures): Figures {
  const runs = Array.from({ length: RUNS }, measure);
  const least = (key: keyof Figures) => Math.min(...runs.map((each) => each[key]));
  return { ms: least('ms'), cpuMs: least('cpuMs'), exports: least('exports'), peakMb: least('peakMb') };
}

function show(
  name: string,
  { ms, cpuMs, exports, peakMb }: Figures,
  { count, baseline }: { count: number; baseline: Figures },
): void {
  const rate = Math.round(count / (ms / 1000));
  const cells = [
    name.padEnd(26),
    `wall ${ms.toFixed(0).padStart(6)} ms (${(baseline.ms / ms).toFixed(1)} ×)`,
    `cpu ${cpuMs.toFixed(0).padStart(6)} ms (${(baseline.cpuMs / cpuMs).toFixed(1)} ×)`,
    `${rate} files/s`,
    `peak ${peakMb.toFixed(0)} MB`,
    `${exports} exports`,
  ];
  console.log(`  ${cells.join('  ')}`);
}
