import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkModuleFiles } from '../../scripts/check-module-files.ts';
import { checkNetwork } from '../../scripts/check-network.ts';
import { checkRepository } from '../../scripts/check-repository.ts';
import { checkRequirements } from '../../scripts/check-requirements.ts';
import { checkDeadCode, checkDuplicates, checkLint, checkTypes } from '../../scripts/check-tools.ts';
import { checkDocs } from '../../scripts/generate-docs.ts';
import { plantedRepository } from '../support/planted-repository.ts';

it('[H1] npm run check finds a type error', async () => {
  const root = plantedRepository({
    'packages/base/src/text/planted.ts': "export const count: number = 'many';\n",
  });
  expect((await checkTypes(root)).join()).toContain('packages/base/src/text/planted.ts');
});

/** rule of Biome → code that breaks it. */
const LINT_BREACHES: Readonly<Record<string, string>> = {
  format: 'export  const planted=1\n',
  noExplicitAny: 'export const planted = (value: any) => value;\n',
  noNonNullAssertion: 'export const planted = (value?: string) => value!;\n',
  noDefaultExport: 'export default 1;\n',
  noConsole: "export const planted = () => console.log('x');\n",
  noNestedTernary: 'export const planted = (a: number) => (a > 1 ? 1 : a > 0 ? 2 : 3);\n',
  noUselessElse:
    'export function planted(a: number) {\n  if (a > 1) {\n    return 1;\n  } else {\n    return 2;\n  }\n}\n',
  useMaxParams: 'export const planted = (a: number, b: number, c: number, d: number) => a + b + c + d;\n',
  noBarrelFile: "export { splitLines } from './lines.ts';\n",
  noExcessiveLinesPerFunction: `export function planted() {\n  const list: number[] = [];\n${'  list.push(1);\n'.repeat(50)}  return list;\n}\n`,
  noExcessiveLinesPerFile: 'export const planted = 1;\n'.replace('1', `[\n${'  1,\n'.repeat(301)}]`),
  noExcessiveCognitiveComplexity: `export function planted(a: number) {\n  let sum = 0;\n${'  for (let i = 0; i < a; i += 1) {\n    if (i % 2 === 0) {\n      if (i > 3) sum += i;\n    }\n  }\n'.repeat(3)}  return sum;\n}\n`,
};

it('[H1] npm run check finds a violation of each size and style rule', async () => {
  const files = Object.entries(LINT_BREACHES).map(([rule, code]) => [
    `packages/base/src/text/planted-${rule.toLowerCase()}.ts`,
    code,
  ]);
  const root = plantedRepository({
    ...Object.fromEntries(files),
    'packages/base/src/text/PlantedName.ts': 'export const planted = 1;\n',
  });
  const found = (await checkLint(root)).join();
  for (const rule of [...Object.keys(LINT_BREACHES), 'useFilenamingConvention'])
    expect(found, rule).toContain(rule);
});

it('[X29] npm run check finds each way of opening a file that bypasses openRegularFile, in code with untrusted file names', async () => {
  const folders = ['servers/hooks', 'cli/connect', 'cli/doctor', 'cli/hook-socket', 'cli/replay'];
  const ways = [
    "import { readFileSync } from 'node:fs';\n\nexport const planted = readFileSync;\n",
    "import * as fs from 'node:fs';\n\nexport const planted = fs;\n",
    "import { open } from 'node:fs/promises';\n\nexport const planted = open;\n",
  ];
  const files = [
    ...folders.map((folder) => `packages/secateur/src/${folder}`),
    ...['config', 'workspace/list-files'].map((folder) => `packages/serving/src/${folder}`),
  ].map((folder, at) => [`${folder}/planted.ts`, ways[at % ways.length] ?? ''] as const);
  const found = (await checkLint(plantedRepository(Object.fromEntries(files)))).join();
  for (const [file] of files)
    expect(found).toMatch(new RegExp(`${file.replace('.', '[.]')}:\\d+:\\d+ lint/style/noRestrictedImports`));
});

it('[H1] npm run check finds an unused file, an unused export and an unused dependency', async () => {
  const manifest = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
  );
  manifest.devDependencies['left-pad'] = '1.3.0';
  const root = plantedRepository({
    'package.json': JSON.stringify(manifest),
    'packages/base/src/text/planted-file.ts': 'export const planted = 1;\n',
    'packages/secateur/src/main/planted.ts':
      "import { used } from '@secateur/base/text/planted-export.ts';\nused();\n",
    'packages/base/src/text/planted-export.ts':
      'export const used = () => {};\nexport const unusedExport = () => {};\n',
  });
  const found = [...(await checkDeadCode(root)), ...checkModuleFiles(root)].join();
  for (const name of ['packages/base/src/text/planted-file.ts', 'unusedExport', 'left-pad'])
    expect(found).toContain(name);
});

it('[H1] npm run check finds duplicated code', async () => {
  const written = readFileSync(
    fileURLToPath(new URL('../../packages/base/src/tools/tool.ts', import.meta.url)),
    'utf8',
  );
  const root = plantedRepository({ 'packages/secateur/src/masking/planted-twice.ts': written });
  expect((await checkDuplicates(root)).join()).toContain('planted-twice.ts');
});

it('[H1] checkRequirements finds an untested clause and an unknown clause, and ignores citations in comments', async () => {
  const root = plantedRepository({
    'test/requirements.ts':
      "export const requirements = { X1: 'holds', X2: 'is only spoken of', X3: 'is forgotten' };\n",
    'test/base/text/planted.test.ts':
      "// [X2]\nit('holds [X1]', () => {});\ndescribe('what [X9] says', () => {});\n",
  });
  expect(await checkRequirements(root)).toEqual([
    'no test cites [X2] is only spoken of',
    'no test cites [X3] is forgotten',
    'test/base/text/planted.test.ts cites [X9], which test/requirements/ does not know',
  ]);
});

it('[H1] npm run check finds a generated page that does not match the code', async () => {
  const root = plantedRepository({
    'docs/configuration.md': '# Configuration\n',
    'docs/library.md': '# The library\n\n## Reference\n',
  });
  expect(await checkDocs(root)).toEqual([
    expect.stringContaining('docs/configuration.md'),
    expect.stringContaining('docs/formats-and-rules.md'),
    expect.stringContaining('docs/library.md'),
    expect.stringContaining('plugin/hook.sh'),
  ]);
});

it('[X20] checkNetwork finds files with network connections that SECURITY.md omits, and finds listed files that have no connection', () => {
  expect(checkNetwork(fileURLToPath(new URL('../..', import.meta.url)))).toEqual([]);
  const root = plantedRepository({
    'SECURITY.md': '## Network connections\n\n| `packages/base/src/text/quiet.ts` | none |\n\n## Other\n',
    'packages/base/src/text/quiet.ts':
      "import type { Socket } from 'node:net';\nexport type Quiet = Socket; // fetch()\n",
    'packages/base/src/text/calls.ts': "export const get = () => fetch('http://x');\n",
    'packages/base/src/text/hands-on.ts': 'export const parts = { fetch };\n',
    'packages/base/src/text/connects.ts':
      "import { connect } from 'node:net';\nexport const open = connect;\n",
    'packages/base/src/text/loads.ts': "export const load = () => import('undici');\n",
    'packages/base/src/text/given.ts': 'export const get = (fetch: (url: string) => void) => fetch("x");\n',
  });
  const findings = checkNetwork(root).map((finding) => finding.replace(/^.*: (?=packages)/, ''));
  const found = findings.filter((finding) => finding.startsWith('packages/base/src/text/'));
  expect(found).toEqual([
    'packages/base/src/text/calls.ts can open a connection and is not listed',
    'packages/base/src/text/connects.ts can open a connection and is not listed',
    'packages/base/src/text/hands-on.ts can open a connection and is not listed',
    'packages/base/src/text/loads.ts can open a connection and is not listed',
    'packages/base/src/text/quiet.ts is listed and opens no connection',
  ]);
});

const REPOSITORY_BREACHES: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'lock files name the optional packages of every platform (npm run lock)': [
    'package-lock.json',
    '{"packages": {"node_modules/tool": {"optionalDependencies": {"tool-darwin-arm64": "1.0.0"}}}}',
  ],
  'lock files name no registry host': [
    'test/outside/package-lock.json',
    '{"packages": {}, "resolved": "https://registry.example/x.tgz"}',
  ],
  'no paths of a single machine': ['docs/planted.md', `see ${['', 'work', 'main'].join('/')} for more`],
  'the environment is read in main and config only': [
    'packages/serving/src/wire/planted.ts',
    'export const home = process.env.HOME;\n',
  ],
  'fetch only where the network belongs': [
    'packages/secateur/src/masking/planted.ts',
    "export const get = () => fetch('http://x');\n",
  ],
  'deadlines go through runtime/with-deadline, never AbortSignal.timeout (X24)': [
    'packages/secateur/src/savings/planted.ts',
    'export const soon = (other: AbortSignal) =>\n  AbortSignal.any([other, AbortSignal\n    .timeout(10)]);\n',
  ],
  'streams of unknown length are read with runtime/read-at-most (X23)': [
    'packages/reverse-spec/src/spec/planted-read.ts',
    'export const read = (response: Response) => response.json();\n',
  ],
  'no state at module level': [
    'packages/engine/src/recovery/planted.ts',
    'let count = 0;\nexport const next = () => count++;\n',
  ],
  'no names that say nothing': ['packages/base/src/text/text-utils.ts', 'export const one = 1;\n'],
  'no managers, services or orchestrators': [
    'packages/reverse-spec/src/spec/planted.ts',
    'export class SpecManager {}\n',
  ],
  'ARCHITECTURE.md stays short enough to read (150 lines)': ['ARCHITECTURE.md', 'line\n'.repeat(151)],
};

it('[H1] [X23] [X24] checkRepository finds a violation of each repository rule, and finds none in this repository', () => {
  expect(checkRepository(fileURLToPath(new URL('../..', import.meta.url)))).toEqual([]);
  const planted = Object.fromEntries(Object.values(REPOSITORY_BREACHES));
  const expected = Object.entries(REPOSITORY_BREACHES).map(([rule, [file]]) => `${rule}: ${file}`);
  const found = checkRepository(plantedRepository(planted)).map((finding) =>
    finding.split(': ', 2).join(': '),
  );
  expect(found.sort()).toEqual(expected.sort());
});
