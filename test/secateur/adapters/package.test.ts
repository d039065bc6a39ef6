import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { loadedFiles } from '../../support/loaded-files.ts';
import { temporaryFolder } from '../../support/secateur-cli.ts';
import { describeWith } from '../../support/system-parts.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const own = join(root, 'packages/secateur');
const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));

/** Every value that can be imported, by entry. Adding one is a minor version, removing one a major version. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = {
  '@secateur/engine': ['createSecateur'],
  'reverse-spec': ['detectDrift', 'generateSpec', 'prepareContext', 'runBatch'],
  secateur: ['createSecateur'],
  'secateur/ai-sdk': ['withSecateur'],
  'secateur/claude-agent-sdk': ['withSecateur'],
  'secateur/gateway': [
    'applyObservationMasking',
    'closeGateway',
    'forwardJsonrpc',
    'handleRpc',
    'openGateway',
  ],
  'secateur/langchain': ['secateurMiddleware', 'withSecateur'],
  'secateur/mcp': ['prunedClientTransport', 'prunedServerTransport'],
  'secateur/openai-agents': ['withSecateur'],
  'secateur/runner': ['FocusRun', 'startFocusRun'],
};

const USE = `
import { createSecateur, type Cut, type CutExplanation, type CutOptions, type Gap, type RecoverTool, type Secateur, type SecateurOptions, type WholeReason } from 'secateur';
import { withSecateur as forAiSdk } from 'secateur/ai-sdk';
import { withSecateur as forClaude } from 'secateur/claude-agent-sdk';
import { secateurMiddleware, withSecateur as forLangChain } from 'secateur/langchain';
import { prunedClientTransport, prunedServerTransport } from 'secateur/mcp';
import { withSecateur as forOpenAi } from 'secateur/openai-agents';

const options: SecateurOptions = { minChars: 500, maxWorkers: 0 };
const secateur: Secateur = await createSecateur(options);
const asked: CutOptions = { command: 'npm test', task: 'Why?', said: ['Let me see.'], markers: 'compact' };
const cut: Cut = await secateur.cut('text', asked);
const gaps: readonly Gap[] = cut.gaps;
const whole: WholeReason | undefined = cut.whole;
const explained: CutExplanation | undefined = await secateur.explain(cut.id ?? '');
const tool: RecoverTool = secateur.recoverTool;
const lines: string = await secateur.recover(cut.id ?? '', gaps).catch(() => 'unknown id');
const tools = forAiSdk(secateur, { shell: { execute: async (input: { command: string }) => input.command } });
console.log(whole, explained, tool.name, lines, Object.keys(tools), forClaude(secateur).allowedTools);
console.log(typeof forLangChain, typeof secateurMiddleware, typeof forOpenAi, typeof prunedClientTransport, typeof prunedServerTransport);
// @ts-expect-error An option that does not exist.
await secateur.cut('text', { purpose: 'x' });
await secateur.close();
`;

/** A project with the packed package and its dependencies, and without any framework. */
async function installed(): Promise<string> {
  const folder = temporaryFolder();
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: own });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const installed = join(folder, 'node_modules/secateur');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1']);
  for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  writeFileSync(join(folder, 'use.ts'), USE);
  return folder;
}

it('[L4] [L3] strict projects compile and run against the packed package without any framework', {
  timeout: 240_000,
}, async () => {
  const folder = await installed();
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--target', 'es2023', '--types', 'node', '--exactOptionalPropertyTypes'];
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const flags = ['--module', module, '--moduleResolution', moduleResolution, '--outDir', module];
    const compiled = run(process.execPath, [compiler, ...strict, ...flags, '--ignoreConfig', 'use.ts'], {
      cwd: folder,
    });
    expect((await compiled.catch((error: { stdout: string }) => error)).stdout, moduleResolution).toBe('');
    const { stdout } = await run(process.execPath, [join(folder, module, 'use.js')], { cwd: folder });
    expect(stdout).toContain('too_short');
  }
});

it('[L7] the entries of the package and the values they export are those of this list', async () => {
  const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json');
  expect(entries.map((entry) => entry.replace('.', 'secateur')).sort()).toEqual(
    Object.keys(EXPORTS)
      .filter((entry) => entry.startsWith('secateur'))
      .sort(),
  );
  for (const [entry, names] of Object.entries(EXPORTS)) {
    const script = `import * as all from '${entry}'; console.log(JSON.stringify(Object.keys(all).sort()));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
    expect(JSON.parse(stdout), entry).toEqual(names);
  }
});

it('[L6] the package is ESM, has no install script, and importing the library loads no native module', async () => {
  expect(manifest.type).toBe('module');
  expect(manifest.engines.node).toBe('>=20.19');
  for (const name of ['preinstall', 'install', 'postinstall'])
    expect(manifest.scripts ?? {}).not.toHaveProperty(name);
  const script = `
    import { createSecateur } from 'secateur';
    process.dlopen = () => { throw new Error('a native module was loaded'); };
    const text = Array.from({ length: 400 }, (_, n) => 'test ' + n + ' ... ok').join('\\n') + '\\nFAILED (failures=1)\\n';
    for (const options of [{ maxWorkers: 0 }, { maxWorkers: 0, dataDir: process.argv[1] }]) {
      const secateur = await createSecateur(options);
      const { whole } = await secateur.cut(text, { command: 'python -m unittest -v' });
      console.log(whole ?? 'cut');
      await secateur.close();
    }`;
  const data = temporaryFolder();
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, data], { cwd: root });
  expect(stdout).toBe('cut\ncut\n');
});

it('[L2] importing the library loads at most 6 files, and an adapter at most 2', () => {
  expect(loadedFiles(join(own, 'dist/library/secateur.js')).size).toBeLessThanOrEqual(6);
  for (const name of ['ai-sdk', 'claude-agent-sdk', 'langchain', 'mcp', 'openai-agents'])
    expect(loadedFiles(join(own, `dist/adapters/${name}.js`)).size, name).toBeLessThanOrEqual(2);
});

describeWith(['attw'], 'the types of the package', ({ attw }) => {
  it('[L4] attw finds no fault for ESM projects', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: own });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const args = [join(folder, tarball), '--profile', 'esm-only', '--no-emoji'];
    const { stdout } = await run(attw, args);
    expect(stdout).toContain('"secateur/ai-sdk"');
  });
});
