import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { takenPort } from '../support/taken-port.ts';

const ANY_PORTS = ['--pruner-port', '0', '--focus-port', '0', '--gateway-port', '0'];

it('[H5] doctor finds nothing wrong where everything works', async () => {
  const { code, stdout } = await secateur(['doctor', ...ANY_PORTS]);
  expect(stdout).not.toContain('✗');
  expect(code).toBe(0);
  for (const what of ['Node', 'ripgrep', 'Data directory', 'Recovery store', 'Scoring'])
    expect(stdout).toContain(what);
});

it('[H5] [X5] a damaged store is named, by doctor and by what wanted to use it', async () => {
  const dataDir = temporaryFolder();
  await mkdir(join(dataDir, 'recovery'));
  await writeFile(join(dataDir, 'recovery', 'data.mdb'), 'x'.repeat(10_000));
  const doctor = await secateur(['doctor', ...ANY_PORTS], { dataDir });
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('data.mdb is damaged') });
  await writeFile(join(dataDir, 'recovery', 'data.mdb'), 'x'.repeat(10_000));
  const prune = await secateur(['prune', '--goal', 'x'], { dataDir, input: 'x' });
  expect(prune).toMatchObject({
    code: 0,
    stdout: 'x',
    stderr: expect.stringContaining('recovery.set_aside'),
  });
});

it('[H5] doctor names what would not work and what to do, and exits with 1', async () => {
  const port = String(await takenPort());
  const { code, stdout } = await secateur(['doctor', ...ANY_PORTS, '--pruner-port', port, '--json'], {
    env: {
      KIMI_PRUNING_BACKEND: 'deepinfra',
      SECATEUR_STORE: 'redis',
      SECATEUR_REDIS_URL: 'redis://127.0.0.1:1',
    },
  });
  expect(code).toBe(1);
  const findings: { what: string; state: string; advice?: string }[] = JSON.parse(stdout);
  const broken = findings.filter(({ state }) => state === 'broken');
  expect(broken.map(({ what }) => what)).toEqual(['Recovery store', `Port ${port} (pruner)`, 'Scoring']);
  const advice = broken.map((finding) => finding.advice).join();
  for (const name of ['SECATEUR_REDIS_URL', 'MCP_PRUNER_PORT', 'DEEPINFRA_API_KEY'])
    expect(advice).toContain(name);
});
