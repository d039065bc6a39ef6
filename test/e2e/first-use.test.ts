import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';

const TEXT = Array.from({ length: 90 }, (_, at) => `sentence ${at} is about hay`).join('\n');

describe('first steps of a new user', () => {
  it('secateur prune prints the whole text if the text cannot be stored', async () => {
    const env = { SECATEUR_DATA_DIR: '/proc/nowhere' };
    const { code, stdout, stderr } = await secateur(['prune', '-g', 'needle'], { input: TEXT, env });
    expect([code, stdout]).toEqual([0, TEXT]);
    expect(stderr).toContain('recovery_unavailable');
    expect(stderr).toContain('SECATEUR_DATA_DIR');
  });

  it.each([
    ['latin-1', Buffer.from(`${'caf\xe9 '.repeat(400)}\n`, 'latin1')],
    ['binary', Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from(TEXT)])],
  ])('secateur prune returns %s input byte for byte and stores nothing', async (_, bytes) => {
    const child = spawn(process.execPath, [secateurProgram, 'prune', '-g', 'needle'], {
      env: { PATH: process.env.PATH, SECATEUR_DATA_DIR: temporaryFolder() },
    });
    const [out, said]: Buffer[][] = [[], []];
    child.stdout.on('data', (chunk) => out?.push(chunk));
    child.stderr.on('data', (chunk) => said?.push(chunk));
    child.stdin.end(bytes);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(Buffer.concat(out ?? []).equals(bytes)).toBe(true);
    expect(String(said)).toContain('not_text');
  });

  it('the error of secateur prune contains the path if FILE is a folder', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'src'));
    const outcome = await secateur(['prune', join(folder, 'src'), '-g', 'x']);
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('is a folder') });
  });

  it.each([
    ['conect', 'connect'],
    ['serve', 'up'],
    ['install', 'connect'],
  ])('the error of secateur %s suggests %s', async (typed, meant) => {
    expect((await secateur([typed])).stderr).toContain(`did you mean ${meant}?`);
  });

  it("[X22] secateur reports an unknown table in the user's config.toml, but not in a config.toml of another program", async () => {
    const [dataDir, cwd] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(dataDir, '.config/secateur'), { recursive: true });
    writeFileSync(join(cwd, 'config.toml'), 'title = "a site"\n[secateur]\nstore = = 1\n');
    expect(await secateur(['stats'], { dataDir, cwd })).toMatchObject({ code: 0, stderr: '' });
    const file = join(dataDir, '.config/secateur/config.toml');
    writeFileSync(file, '[secateur]\nstore = "memory"\n[colours]\nred = 1\n');
    expect((await secateur(['stats'], { dataDir, cwd })).stderr).toContain(
      '[colours]: there is no such table',
    );
  });

  it.runIf(existsSync('/dev/full'))('secateur reports that the disk behind stdout is full', async () => {
    const child = spawn(process.execPath, [secateurProgram, '--help'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    const said: Buffer[] = [];
    child.stderr?.on('data', (chunk) => said.push(chunk));
    expect((await once(child, 'close'))[0]).toBe(1);
    expect(String(said)).toContain('the disk is full');
  });
});
