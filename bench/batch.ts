/**
 * `reverse-spec batch --ast-only` on a generated TypeScript tree of 20,000 files, twice: with an empty cache, then with
 * nothing changed. Another build can be measured in the same run: BASELINE=/path/to/dist/main/reverse-spec.js.
 * Needs `npm run build`. Usage: tsx bench/batch.ts [count]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTree } from './prepare/make-tree.ts';

const count = Number(process.argv[2] ?? 20_000);
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bench-batch-'));
makeTree(join(folder, 'tree'), count);
console.log(`${count} files`);
const { BASELINE } = process.env;
if (BASELINE !== undefined) show('baseline', measure(BASELINE, 'baseline'));
const own = path('../packages/reverse-spec/dist/main/reverse-spec.js');
show('first run', measure(own, 'own'));
show('nothing changed', measure(own, 'own'));
rmSync(folder, { recursive: true });

interface Usage {
  ms: number;
  cpuMs: number;
  peakMb: number;
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

function show(name: string, { ms, cpuMs, peakMb }: Usage): void {
  const cells = [
    `wall ${(ms / 1000).toFixed(1)} s`,
    `cpu ${(cpuMs / 1000).toFixed(1)} s`,
    `peak ${peakMb.toFixed(0)} MB`,
  ];
  console.log(`  ${name.padEnd(16)} ${cells.join('  ')}`);
}
