import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Checks that are programs of others; what they print is passed on. The compiler reads only what changed since its last run. */
export const checkTypes = async (root: string) => [
  ...(await run(root, ['tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', TYPES_CACHE])),
  ...(await run(root, ['tsc', '-p', 'tsconfig.web.json', '--noEmit'])),
];
export const checkLint = (root: string) =>
  run(root, ['biome', 'check', '.', '--diagnostic-level=warn', '--error-on-warnings']);
export const checkDeadCode = (root: string) => run(root, ['knip', '--no-progress']);
export const checkDuplicates = (root: string) =>
  run(root, ['jscpd', '--config', '.jscpd.json', '--no-colors', 'packages', 'scripts']);

const TYPES_CACHE = 'node_modules/.cache/secateur/types.tsbuildinfo';

function run(root: string, [name = '', ...args]: readonly string[]): Promise<string[]> {
  const program = fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve(error === null ? [] : [`${stdout}${stderr}`.trim()]);
    });
  });
}
