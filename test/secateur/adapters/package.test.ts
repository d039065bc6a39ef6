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
const folderOf = (name: string) => join(root, 'packages', name);
const manifestOf = (name: string) => JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));
const own = folderOf('secateur');
const manifest = manifestOf('secateur');

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

const USE_SECATEUR = `
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

const USE_ENGINE = `
import { createSecateur, type Cut, type CutOptions, type Secateur, type SecateurOptions } from '@secateur/engine';

const options: SecateurOptions = { minChars: 500, maxWorkers: 0 };
const secateur: Secateur = await createSecateur(options);
const asked: CutOptions = { command: 'npm test', task: 'Why?' };
const cut: Cut = await secateur.cut('text', asked);
console.log(cut.whole);
// @ts-expect-error An option that does not exist.
await secateur.cut('text', { purpose: 'x' });
await secateur.close();
`;

const USE_REVERSE_SPEC = `
import { detectDrift, type DriftReport, generateSpec, type GenerateResult, prepareContext, type PrepareResult, runBatch } from 'reverse-spec';

const prepared: PrepareResult = await prepareContext('use.ts');
const written: GenerateResult = await generateSpec('use.ts', { astOnly: true, lang: 'en' });
const drift: DriftReport = await detectDrift(written.specPath, 'use.ts');
console.log(Object.keys(prepared).length > 0, drift, typeof runBatch);
// @ts-expect-error An option that does not exist.
await prepareContext('use.ts', { purpose: 'x' });
`;

/** Packs one of our packages and returns the path of the tarball. */
async function packed(name: string, folder: string): Promise<string> {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: folderOf(name) });
  return join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '');
}

/** Makes a project with a packed package and its dependencies, and without any framework. */
async function installed(folderName: string, use: string): Promise<string> {
  const folder = temporaryFolder();
  const { name, dependencies = {} } = manifestOf(folderName);
  const target = join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', await packed(folderName, folder), '-C', target, '--strip-components=1']);
  for (const each of [...Object.keys(dependencies), '@types/node']) {
    mkdirSync(join(folder, 'node_modules', each, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', each), join(folder, 'node_modules', each));
  }
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  writeFileSync(join(folder, 'use.ts'), use);
  return folder;
}

const USES = [
  ['secateur', USE_SECATEUR, 'too_short'],
  ['engine', USE_ENGINE, 'too_short'],
  ['reverse-spec', USE_REVERSE_SPEC, 'use.ts'],
] as const;

it.each(USES)(
  '[L4] [L3] strict TypeScript projects compile and run with the packed package %s without any framework installed',
  {
    timeout: 240_000,
  },
  async (name, use, printed) => {
    const folder = await installed(name, use);
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
      expect(stdout).toContain(printed);
    }
  },
);

it('[L7] the package has exactly the entries and exported values that this test lists', async () => {
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

it('[L6] every published package is ESM and has no install script', () => {
  for (const name of ['secateur', 'engine', 'reverse-spec']) {
    const { type, engines, scripts = {} } = manifestOf(name);
    expect({ type, node: engines.node }, name).toEqual({ type: 'module', node: '>=20.19' });
    for (const script of ['preinstall', 'install', 'postinstall'])
      expect(scripts, name).not.toHaveProperty(script);
  }
});

it.each(['secateur', '@secateur/engine'])(
  '[L6] importing %s and shortening a text loads no native module',
  async (name) => {
    const script = `
    import { createSecateur } from '${name}';
    process.dlopen = () => { throw new Error('a native module was loaded'); };
    const text = Array.from({ length: 400 }, (_, n) => 'test ' + n + ' ... ok').join('\\n') + '\\nFAILED (failures=1)\\n';
    for (const options of [{ maxWorkers: 0 }, { maxWorkers: 0, dataDir: process.argv[1] }]) {
      const secateur = await createSecateur(options);
      const { whole } = await secateur.cut(text, { command: 'python -m unittest -v' });
      console.log(whole ?? 'cut');
      await secateur.close();
    }`;
    const data = temporaryFolder();
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, data], {
      cwd: root,
    });
    expect(stdout).toBe('cut\ncut\n');
  },
);

it('[L2] importing the library loads at most 6 files, and importing an adapter loads at most 2', () => {
  expect(loadedFiles(join(own, 'dist/library/secateur.js')).size).toBeLessThanOrEqual(6);
  for (const name of ['ai-sdk', 'claude-agent-sdk', 'langchain', 'mcp', 'openai-agents'])
    expect(loadedFiles(join(own, `dist/adapters/${name}.js`)).size, name).toBeLessThanOrEqual(2);
});

it('[L7] @secateur/engine and reverse-spec each export one module', () => {
  for (const name of ['engine', 'reverse-spec']) {
    const entries = Object.entries(manifestOf(name).exports).filter(([, target]) => {
      // Sources are for the tests of this repository.
      return !Object.keys(target as object).includes('secateur-source');
    });
    expect(entries.map(([entry]) => entry).sort(), name).toEqual(['.', './package.json']);
  }
});

describeWith(['attw'], 'the types of the packages', ({ attw }) => {
  it.each([
    ['secateur', '"secateur/ai-sdk"'],
    ['engine', '"@secateur/engine"'],
    ['reverse-spec', '"reverse-spec"'],
  ])('[L4] attw reports no error for ESM projects in %s', { timeout: 120_000 }, async (name, entry) => {
    const tarball = await packed(name, temporaryFolder());
    const { stdout } = await run(attw, [tarball, '--profile', 'esm-only', '--no-emoji']);
    expect(stdout).toContain(entry);
  });
});
