import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkArrows } from './check-arrows.ts';
import { checkRepository } from './check-repository.ts';
import { checkRequirements } from './check-requirements.ts';
import { checkDocs } from './generate-docs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Check {
  readonly name: string;
  /** What is wrong, one line each. */
  find(): Promise<string[]>;
}

const checks: readonly Check[] = [
  { name: 'types', find: () => tool('tsc', '-p', 'tsconfig.json') },
  { name: 'format, lint, sizes', find: () => tool('biome', 'check', '.', '--diagnostic-level=error') },
  { name: 'arrows', find: () => checkArrows(root) },
  { name: 'nothing dead', find: () => tool('knip') },
  { name: 'nothing twice', find: () => tool('jscpd', '--config', '.jscpd.json', 'src', 'scripts') },
  { name: 'requirements cited', find: () => checkRequirements(root) },
  { name: 'repository rules', find: async () => checkRepository(root) },
  { name: 'generated docs', find: () => checkDocs(root) },
];

/** The tool's own words when it is not content. */
function tool(name: string, ...args: string[]): Promise<string[]> {
  const program = fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve(error === null ? [] : [`${stdout}${stderr}`.trim()]);
    });
  });
}

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
