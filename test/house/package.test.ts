import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/secateur-cli.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folderOf = (name: string) => join(root, 'packages', name);
const manifestOf = (name: string) => JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));
const manifest = manifestOf('secateur');

async function packedFiles(name: string): Promise<string[]> {
  const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  return filesOf(JSON.parse((await run('npm', args, { cwd: folderOf(name) })).stdout));
}

it('[H2] the package secateur contains its programs, the files that its README links to, the plugin, and no other files', async () => {
  const files = await packedFiles('secateur');
  const beside = files.filter(
    (path) => !/^(dist|docs|plugin|\.claude-plugin|examples\/grafana)\//.test(path),
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

it.each([
  // Its sources are imported by the other packages of the repository, under a condition of its own.
  ['engine', /^(dist|src)\//],
  ['reverse-spec', /^(dist|grammars)\//],
])('[H2] the package %s contains its programs, its licence, and no other files', async (name, parts) => {
  const files = await packedFiles(name);
  expect(files.filter((path) => !parts.test(path)).sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  expect(files.filter((path) => /^dist.*\.(ts|map)$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
});

it('[H2] name, licence, Node version and executables of the package are as documented', () => {
  const node = { license: 'MIT', engines: { node: '>=20.19' } };
  expect(manifest).toMatchObject({ name: 'secateur', ...node });
  expect(manifestOf('reverse-spec')).toMatchObject({ name: 'reverse-spec', version: '2.0.0', ...node });
  expect(manifestOf('engine')).toMatchObject({ name: '@secateur/engine', ...node });
  const { bin, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(Object.keys(bin).sort()).toEqual(['jeeves-mcp-pruner', 'reverse-spec', 'secateur']);
  expect(Object.keys(manifest.bin).sort()).toEqual(['jeeves-mcp-pruner', 'secateur']);
  expect(Object.keys(manifest.exports)).toContain('./runner');
  expect(scripts).toMatchObject({
    prepare: expect.stringContaining('build'),
    start: expect.stringMatching(/ up$/),
  });
});

it.each(['secateur', 'jeeves-mcp-pruner', 'reverse-spec'])(
  '[H2] %s can still be started from dist/main, its path in earlier versions',
  async (name) => {
    const { stdout } = await run(process.execPath, [join(root, `dist/main/${name}.js`), '--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  },
);

it.each(['secateur', 'engine', 'reverse-spec'])('[H2] publint reports nothing for %s', async (name) => {
  const program = join(root, 'node_modules/.bin/publint');
  const { stdout } = await run(program, ['--strict', '--pack', 'npm'], { cwd: folderOf(name) });
  expect(stdout).toContain('All good!');
});

it('[H2] every executable starts and the runner can be imported after installation from the tarball', {
  timeout: 240_000,
}, async () => {
  const folder = temporaryFolder();
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: folderOf('secateur'),
  });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: folderOf('reverse-spec'),
  });
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  const files = tarballs.map((name) => `./${name}`);
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files], { cwd: folder });
  for (const [name, version] of [
    ['secateur', manifest.version],
    ['jeeves-mcp-pruner', manifest.version],
    ['reverse-spec', '2.0.0'],
  ]) {
    const { stdout } = await run('npx', ['--no-install', name, '--version'], { cwd: folder });
    expect(stdout, name).toBe(`${version}\n`);
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

it('[H2] no dependency requires an install script that downloads or compiles', () => {
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
