import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/secateur-cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('[H1] a group whose part is missing is skipped by name, and the run ends by naming it', () => {
  const { status, stdout } = runOn(machineWithout(), {});
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /Left out \(1 groups?\):\n.*two pruners share ids \(missing on this machine: redis-server\)/,
  );
});

it('[H1] with CI=true the same group fails', () => {
  const { status, stdout } = runOn(machineWithout(), { CI: 'true' });
  expect(status).toBe(1);
  expect(stdout).toContain('.ci/run installs them');
});

/** A test that needs Redis, in a folder of its own. */
function machineWithout(): string {
  const folder = join(temporaryFolder(), 'test');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'planted.test.ts'),
    `import { expect, it } from 'vitest';
import { describeWith } from '${root}test/support/system-parts.ts';
it('runs anywhere', () => {});
describeWith(['redis-server'], 'two pruners share ids', () => { it('really', () => expect(1).toBe(1)); });
`,
  );
  return join(folder, '..');
}

function runOn(folder: string, env: Record<string, string>) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--root', folder, '--config', join(root, 'vitest.config.ts')];
  // With nothing on the PATH no system part is there.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { PATH: folder, NO_COLOR: '1', ...env },
    encoding: 'utf8',
  });
  return { status, stdout: `${stdout}${stderr}` };
}
