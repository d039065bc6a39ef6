import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/secateur-cli.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

it('[H2] the package holds what runs, what its README links to, the plugin, and nothing else', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root });
  const files: string[] = filesOf(JSON.parse(stdout));
  const beside = files.filter(
    (path) => !/^(dist|grammars|docs|plugin|\.claude-plugin|examples\/grafana)\//.test(path),
  );
  expect(beside.sort()).toEqual([
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'package.json',
  ]);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  for (const [, link = ''] of readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
    expect(
      files.some((path) => path === link || path.startsWith(`${link}/`)),
      link,
    ).toBe(true);
  for (const part of ['launch.mjs', '.mcp.json', 'hooks/hooks.json', '.claude-plugin/plugin.json'])
    expect(files).toContain(`plugin/${part}`);
  expect(files.filter((path) => /\.(ts|map|test\.js)$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  for (const script of Object.values<string>(manifest.bin)) expect(files).toContain(script);
});

it('[H2] name, licence, Node version and executables are what was promised', () => {
  expect(manifest).toMatchObject({ name: 'secateur', license: 'MIT', engines: { node: '>=20.19' } });
  expect(Object.keys(manifest.bin).sort()).toEqual(['jeeves-mcp-pruner', 'reverse-spec', 'secateur']);
  expect(Object.keys(manifest.exports)).toContain('./runner');
  expect(manifest.scripts).toMatchObject({
    prepare: expect.stringContaining('build'),
    start: expect.stringMatching(/ up$/),
  });
});

it('[H2] publint finds nothing', async () => {
  const { stdout } = await run(join(root, 'node_modules/.bin/publint'), ['--strict', '--pack', 'false'], {
    cwd: root,
  });
  expect(stdout).toContain('All good!');
});

it('[H2] installed from its tarball into an empty folder, every executable answers and the runner is importable', {
  timeout: 240_000,
}, async () => {
  const folder = temporaryFolder();
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], {
    cwd: folder,
  });
  for (const name of Object.keys(manifest.bin)) {
    const { stdout } = await run('npx', ['--no-install', name, '--version'], { cwd: folder });
    expect(stdout, name).toBe(`${manifest.version}\n`);
  }
  const use = "import('secateur/runner').then((runner) => console.log(typeof runner.startFocusRun))";
  expect((await run(process.execPath, ['-e', use], { cwd: folder })).stdout).toBe('function\n');
  const text = Array.from({ length: 160 }, (_, n) =>
    n === 30 ? 'the needle is here' : `hay number ${n}`,
  ).join('\n');
  writeFileSync(join(folder, 'hay.txt'), text);
  const env = { ...process.env, SECATEUR_DATA_DIR: join(folder, 'data') };
  const redis = run(
    'npx',
    ['--no-install', 'secateur', 'prune', 'hay.txt', '-g', 'needle', '--store', 'redis'],
    {
      cwd: folder,
      env,
    },
  );
  await expect(redis).rejects.toThrow('npm install @redis/client');
  const pruned = await run('npx', ['--no-install', 'secateur', 'prune', 'hay.txt', '-g', 'needle'], {
    cwd: folder,
    env,
  });
  expect(pruned.stdout).toContain('the needle is here');
  expect(pruned.stdout.length).toBeLessThan(text.length);
});

it('[H2] no dependency needs an install script that fetches or compiles', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages = Object.entries<{ hasInstallScript?: boolean; dev?: boolean }>(lock.packages);
  const scripted = packages
    .filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)
    .map(([path]) => path);
  expect(scripted.filter((path) => path !== '')).toEqual([]);
});

/** npm 10 answers with a list, npm 11 with a record by name. */
function filesOf(answer: unknown): string[] {
  const [packed] = Object.values(answer as Record<string, { files: { path: string }[] }>);
  return (packed?.files ?? []).map(({ path }) => path);
}
