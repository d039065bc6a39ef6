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

interface Check {
  readonly name: string;
  /** What is wrong, one line each. */
  find(): Promise<string[]>;
}

const checks: readonly Check[] = [
  { name: 'types', find: () => checkTypes(root) },
  { name: 'format, lint, sizes', find: () => checkLint(root) },
  { name: 'dependency rules', find: () => checkDependencies(root) },
  { name: 'public files of modules', find: async () => checkModuleFiles(root) },
  { name: 'nothing dead', find: () => checkDeadCode(root) },
  { name: 'nothing twice', find: () => checkDuplicates(root) },
  { name: 'requirements cited', find: () => checkRequirements(root) },
  { name: 'patterns proven linear', find: () => checkPatterns(root) },
  { name: 'network connections listed', find: async () => checkNetwork(root) },
  { name: 'repository rules', find: async () => checkRepository(root) },
  { name: 'plain words', find: async () => checkWords(root) },
  { name: 'generated docs', find: () => checkDocs(root) },
];

let failed = 0;
for (const { name, find } of checks) {
  const started = performance.now();
  const findings = await find();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${findings.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  for (const finding of findings) console.log(`  ${finding.replaceAll('\n', '\n  ')}`);
  if (findings.length > 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
