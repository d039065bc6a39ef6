import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/secateur-cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('[H1] a test group whose program is missing is skipped and listed at the end of the run', () => {
  const { status, stdout } = runOn(folderWith(NEEDS_REDIS), {});
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /Left out \(1 groups?\):\n.*two pruners share ids \(missing on this machine: redis-server\)/,
  );
});

it('[H1] a test group whose program is missing fails if CI=true', () => {
  const { status, stdout } = runOn(folderWith(NEEDS_REDIS), { CI: 'true' });
  expect(status).toBe(1);
  expect(stdout).toContain('.ci/run installs them');
});

it('[H1] the test run ends with one line of plain counts, with or without colours', () => {
  const text = `import { it } from 'vitest'; it('passes', () => {}); it.skip('later', () => {}); it('fails', () => { throw new Error('planted'); });`;
  const { status, stdout } = runOn(folderWith(text), { NO_COLOR: undefined, FORCE_COLOR: '1' });
  expect(stdout).toContain('\u001b[');
  expect(stdout).toMatch(/\n1 passed, 1 failed, 1 skipped\n$/);
  expect(status).toBe(1);
});

it.each([
  ['every test is skipped', `import { it } from 'vitest'; it.skip('later', () => {});`],
  ['a file has an error', `throw new Error('planted');`],
])('[H1] a test run that executes no test fails: %s', (_, text) => {
  const { status, stdout } = runOn(folderWith(text), {});
  expect(stdout).toMatch(/\n0 passed, 0 failed, \d skipped\n$/);
  expect(status).toBe(1);
});

const NEEDS_REDIS = `import { expect, it } from 'vitest';
import { describeWith } from '${root}test/support/system-parts.ts';
it('works on any machine', () => {});
describeWith(['redis-server'], 'two pruners share ids', () => { it('really', () => expect(1).toBe(1)); });
`;

/** Makes a folder with one test file of this text. */
function folderWith(text: string): string {
  const folder = join(temporaryFolder(), 'test');
  mkdirSync(folder);
  writeFileSync(join(folder, 'planted.test.ts'), text);
  return join(folder, '..');
}

function runOn(folder: string, env: Record<string, string | undefined>) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--root', folder, '--config', join(root, 'vitest.config.ts')];
  // With an empty PATH, all system parts are missing.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { PATH: folder, NO_COLOR: '1', ...env },
    encoding: 'utf8',
  });
  // Joins standard error and standard output, so that the counts are at the end.
  return { status, stdout: `${stderr}${stdout}` };
}
