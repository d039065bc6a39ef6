import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';

const ANY_PORTS = ['--pruner-port', '0', '--focus-port', '0', '--gateway-port', '0'];

it.runIf(process.platform !== 'win32')(
  '[X16] secateur creates data, logs, documents and client settings as 0600 and folders as 0700 under any umask',
  async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const home = temporaryFolder();
    const dataDir = join(home, 'data');
    const here = { dataDir, cwd: home, env: { HOME: home } };
    onTestFinished(async () => void (await secateur(['stop'], here)));
    writeFileSync(join(home, 'shop.ts'), 'export const price = 1;\n', { mode: 0o600 });
    const text = Array.from({ length: 400 }, (_, at) => `line ${at} of a long log`).join('\n');

    expect((await secateur(['up', '--detach', ...ANY_PORTS], here)).code).toBe(0);
    expect((await secateur(['prune', '--goal', 'which line'], { ...here, input: text })).code).toBe(0);
    await secateur(['hook', 'claude-code'], { ...here, input: '{"not": "an event"}' });
    expect((await secateur(['connect', 'claude-code', '--write'], here)).code).toBe(0);
    await secateur(['stop'], here);

    const found = readdirSync(home, { recursive: true, encoding: 'utf8' });
    expect(found).toEqual(expect.arrayContaining(['data', 'data/up.log']));
    const open = found.filter((path) => (statSync(join(home, path)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  },
);
