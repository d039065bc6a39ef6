import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Checks that are somebody else's programs; what they say is passed on. */
export const checkTypes = async (root: string) => [
  ...(await run(root, ['tsc', '-p', 'tsconfig.json'])),
  ...(await run(root, ['tsc', '-p', 'tsconfig.web.json', '--noEmit'])),
];
export const checkLint = (root: string) =>
  run(root, ['biome', 'check', '.', '--diagnostic-level=warn', '--error-on-warnings']);
export const checkDeadCode = (root: string) => run(root, ['knip', '--no-progress']);
export const checkDuplicates = (root: string) =>
  run(root, ['jscpd', '--config', '.jscpd.json', '--no-colors', 'packages', 'scripts']);

function run(root: string, [name = '', ...args]: readonly string[]): Promise<string[]> {
  const program = fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve(error === null ? [] : [`${stdout}${stderr}`.trim()]);
    });
  });
}
