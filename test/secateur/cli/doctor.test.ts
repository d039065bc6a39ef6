import { spawn, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { printed, secateur, temporaryFolder } from '../../support/secateur-cli.ts';
import { secateurProgram } from '../../support/secateur-process.ts';
import { onSmallDisk } from '../../support/small-disk.ts';
import { describeWith } from '../../support/system-parts.ts';
import { takenPort } from '../../support/taken-port.ts';

const ANY_PORTS = ['--pruner-port', '0', '--focus-port', '0', '--gateway-port', '0'];

it('[H5] doctor reports no problem if everything works', async () => {
  const { code, stdout } = await secateur(['doctor', ...ANY_PORTS]);
  expect(stdout).not.toContain('✗');
  expect(code).toBe(0);
  for (const what of ['Node', 'ripgrep', 'Data directory', 'Recovery store', 'Scoring'])
    expect(stdout).toContain(what);
});

it('[X26] doctor and other commands rename a foreign file in the place of the store, and report it once', async () => {
  const dataDir = temporaryFolder();
  await mkdir(join(dataDir, 'recovery'));
  await writeFile(join(dataDir, 'recovery', 'data.mdb'), 'x'.repeat(10_000));
  const doctor = await secateur(['doctor', ...ANY_PORTS], { dataDir });
  expect(doctor).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/data\.mdb\.set-aside-\S+: an earlier version stored texts/),
  });
  expect(await secateur(['doctor', ...ANY_PORTS], { dataDir })).toMatchObject({ code: 0 });
  await writeFile(join(dataDir, 'recovery', 'data.mdb'), 'x'.repeat(10_000));
  const prune = await secateur(['prune', '--goal', 'x'], { dataDir, input: 'x' });
  expect(prune).toMatchObject({
    code: 0,
    stdout: 'x',
    stderr: expect.stringContaining('recovery.set_aside'),
  });
});

it('[H5] doctor reports each problem with its remedy, and exits with code 1', async () => {
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

describeWith(['small disk'], 'a full disk', () => {
  it('[X26] [X5] a server checks its store at start, logs that the disk is full, and runs', async () => {
    const dataDir = temporaryFolder();
    const script = `head -c 1000000 /dev/zero > ${dataDir}/fill; exec "$0" "$@"`;
    const [file = '', ...args] = [...onSmallDisk(dataDir, 65_536), 'sh', '-c', script];
    const command = [
      ...args,
      process.execPath,
      secateurProgram,
      'pruner',
      '--store',
      'embedded',
      '--port',
      '0',
    ];
    const env = { PATH: process.env.PATH, HOME: dataDir, SECATEUR_DATA_DIR: dataDir };
    const child = spawn(file, command, { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said = await printed(child.stderr, /recovery\.check_failed.*\n/);
    expect(said).toContain('the disk is full');
    const [url = ''] = /http:\/\/[\d.]+:\d+/.exec(said) ?? [];
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it('[X26] doctor writes a text to the store and reports that the disk is full', async () => {
    const dataDir = temporaryFolder();
    const script = `head -c 1000000 /dev/zero > ${dataDir}/fill; exec "$0" "$@"`;
    const [file = '', ...args] = [...onSmallDisk(dataDir, 65_536), 'sh', '-c', script];
    const command = [...args, process.execPath, secateurProgram, 'doctor', ...ANY_PORTS];
    const env = { PATH: process.env.PATH, HOME: dataDir, SECATEUR_DATA_DIR: dataDir };
    const { status, stdout } = spawnSync(file, command, { env, encoding: 'utf8' });
    expect(stdout).toContain('Recovery store: embedded: the disk is full');
    expect(status).toBe(1);
  });
});
