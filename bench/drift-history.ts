/**
 * Drift between released versions of public packages: a spec is written from one version and compared with the next.
 * The TypeScript compiler (through ts-morph) is the referee: every export it sees removed, added or changed must be
 * reported, and nothing else. Packages come from the npm registry. Usage: tsx bench/drift-history.ts [name old new]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../packages/base/src/runtime/time.ts';
import { detectDrift } from '../packages/reverse-spec/src/spec/drift.ts';
import { generate } from '../packages/reverse-spec/src/spec/generate.ts';
import type { Baseline } from '../packages/reverse-spec/src/spec/writing/document/baseline.ts';
import { readBaselineOf } from '../packages/reverse-spec/src/spec/writing/document/baseline.ts';
import { declaredExports } from '../test/support/declared-exports.ts';
import { judge } from '../test/support/drift-referee.ts';

const histories: [name: string, old: string, now: string][] = [
  ['commander', '11.1.0', '12.1.0'],
  ['execa', '8.0.1', '9.0.0'],
  ['lru-cache', '9.1.2', '10.4.3'],
  ['type-fest', '4.0.0', '4.41.0'],
  ['p-queue', '7.4.1', '8.1.0'],
  ['got', '13.0.0', '14.4.7'],
  ['chokidar', '3.6.0', '4.0.3'],
  ['yaml', '2.3.4', '2.8.0'],
  ['date-fns', '3.0.0', '3.6.0'],
  ['fast-check', '3.23.0', '4.3.0'],
  ['undici-types', '6.19.8', '7.16.0'],
];

const [, , name, old, now] = process.argv;
const wanted = name === undefined ? histories : [[name, old ?? '', now ?? ''] as const];
let bad = 0;
for (const [each, from, to] of wanted) bad += await compare(each, { from, to });
process.exitCode = bad === 0 ? 0 : 1;

async function compare(name: string, { from, to }: { from: string; to: string }): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'drift-history-'));
  try {
    const [before, after] = [unpack(name, { version: from, folder }), unpack(name, { version: to, folder })];
    const parts = {
      clock: systemClock,
      cwd: folder,
      version: 'bench',
      maxFileBytes: 4_000_000,
      tokenBudget: 100_000,
      modelWriter: undefined,
      defaultLanguage: 'zh' as const,
      embedBaseline: false,
    };
    const started = performance.now();
    const spec = async (targetPath: string) =>
      (await generate({ targetPath, deep: false, outputDir: `specs-${targetPath}`, astOnly: true }, parts))
        .specPath;
    const [oldSpec, newSpec] = [await spec(from), await spec(to)];
    const report = await detectDrift({ specPath: oldSpec, sourcePath: to }, parts);
    const ms = performance.now() - started;
    const verdict = judge(
      { before: await declarationsOf(oldSpec), after: await declarationsOf(newSpec) },
      { before: declaredExports(before), after: declaredExports(after) },
    );
    const { expected, missed, invented } = verdict;
    console.log(
      `${name} ${from} → ${to}: compiler −${expected.removed} +${expected.added} ~${expected.changed}; missed ${missed.length}, invented ${invented.length}; report HIGH ${report.summary.high} MEDIUM ${report.summary.medium} LOW ${report.summary.low}, noise ${report.filteredNoise} (${ms.toFixed(0)} ms)`,
    );
    for (const each of missed.slice(0, 8)) console.log(`  missed ${each}`);
    for (const each of invented.slice(0, 8)) console.log(`  invented ${each}`);
    return missed.length + invented.length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function unpack(name: string, { version, folder }: { version: string; folder: string }): string {
  const file = execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
  execFileSync('tar', ['xzf', file], { cwd: folder });
  // Packages unpack as `package/`, a few as their own name.
  const top =
    execFileSync('tar', ['tzf', file], { cwd: folder, encoding: 'utf8' }).split('/')[0] ?? 'package';
  renameSync(join(folder, top), join(folder, version));
  return join(folder, version);
}

/** The compiler is asked about TypeScript only. */
async function declarationsOf(specPath: string): Promise<Baseline> {
  const reading = await readBaselineOf(specPath, readFileSync(specPath, 'utf8'));
  if (reading.kind !== 'read') throw new Error(`${specPath} has no baseline`);
  const { scope, files } = reading.baseline;
  return { scope, files: files.filter(({ path }) => /\.[cm]?ts$/.test(path)) };
}
