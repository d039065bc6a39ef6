import { fileURLToPath } from 'node:url';
import { checkDependencies } from './check-dependencies.ts';
import { checkModuleFiles } from './check-module-files.ts';
import { checkNetwork } from './check-network.ts';
import { checkPatterns } from './check-patterns.ts';
import { checkRepository } from './check-repository.ts';
import { checkRequirements } from './check-requirements.ts';
import { checkDeadCode, checkDuplicates, checkLint, checkTypes } from './check-tools.ts';
import { checkWords } from './check-words.ts';
import { checkDocs } from './generate-docs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `npm run check:fast` leaves out what takes seconds and is rarely wrong; `npm run check` runs everything. */
const isFast = process.argv.includes('--fast');

interface Check {
  readonly name: string;
  readonly isSlow?: true;
  /** Returns one line per finding. */
  find(): Promise<string[]>;
}

const checks: readonly Check[] = [
  { name: 'types', find: () => checkTypes(root) },
  { name: 'format, lint, sizes', find: () => checkLint(root) },
  { name: 'dependency rules', find: () => checkDependencies(root) },
  { name: 'public files of modules', find: async () => checkModuleFiles(root) },
  { name: 'nothing dead', isSlow: true, find: () => checkDeadCode(root) },
  { name: 'nothing twice', isSlow: true, find: () => checkDuplicates(root) },
  { name: 'requirements cited', find: () => checkRequirements(root) },
  { name: 'patterns proven linear', find: () => checkPatterns(root) },
  { name: 'network connections listed', find: async () => checkNetwork(root) },
  { name: 'repository rules', find: async () => checkRepository(root) },
  { name: 'plain words', find: async () => checkWords(root) },
  { name: 'generated docs', find: () => checkDocs(root) },
];

const started = performance.now();
// Most checks wait for programs of their own: they run side by side and are reported in order.
const runs = checks
  .filter(({ isSlow }) => !(isFast && isSlow))
  .map(({ name, find }) => ({ name, findings: find() }));
let failed = 0;
for (const { name, findings } of runs) {
  const found = await findings;
  console.log(`${found.length === 0 ? '✓' : '✗'} ${name}`);
  for (const finding of found) console.log(`  ${finding.replaceAll('\n', '\n  ')}`);
  if (found.length > 0) failed += 1;
}
console.log(`${runs.length} checks in ${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exitCode = failed === 0 ? 0 : 1;
