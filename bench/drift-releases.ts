/**
 * Drift between two states of a repository in any language, as `reverse-spec check` reports it: specs are
 * written from one commit and compared with another.
 * Usage: tsx bench/drift-releases.ts GIT_DIR OLD NEW [FOLDER] [--items]
 * A person reads the items; the share of noise is what rules and normalising kept out of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../packages/base/src/runtime/time.ts';
import { runBatch } from '../packages/reverse-spec/src/spec/batch.ts';
import { checkSpecs } from '../packages/reverse-spec/src/spec/check.ts';

const [gitDir = '', old = '', now = '', folder = '.'] = process.argv
  .slice(2)
  .filter((each) => !each.startsWith('--'));
const work = mkdtempSync(join(tmpdir(), 'drift-releases-'));
try {
  const cwd = join(work, 'project');
  checkOut(old, cwd);
  const parts = {
    clock: systemClock,
    cwd,
    version: 'bench',
    maxFileBytes: 4_000_000,
    tokenBudget: 100_000,
    modelWriter: undefined,
    defaultLanguage: 'en' as const,
    embedBaseline: false,
  };
  await runBatch({ force: false, astOnly: true, outputDir: 'specs', concurrency: 2 }, parts);
  const after = join(work, 'after');
  checkOut(now, after);
  renameSync(join(cwd, 'specs'), join(after, 'specs'));
  const report = await checkSpecs(
    { paths: [], outputDir: 'specs', ...(process.argv.includes('--all') && { visibility: 'all' as const }) },
    { ...parts, cwd: after },
  );
  const { high, medium, low } = report.summary;
  console.log(
    `${old} → ${now}: ${report.specs} specs, HIGH ${high} MEDIUM ${medium} LOW ${low}, filtered ${report.filteredNoise}, failures ${report.failures.length}`,
  );
  if (process.argv.includes('--items'))
    for (const { severity, changeType, location, symbolName, oldValue = '', newValue = '' } of report.items)
      console.log([severity, changeType, location, symbolName, oldValue, newValue].map(oneLine).join('\t'));
} finally {
  rmSync(work, { recursive: true });
}

function checkOut(commit: string, into: string): void {
  mkdirSync(into, { recursive: true });
  const archive = execFileSync('git', [`--git-dir=${gitDir}`, 'archive', commit, folder], {
    maxBuffer: 1 << 30,
  });
  execFileSync('tar', ['x', '-C', into], { input: archive });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 160);
}
