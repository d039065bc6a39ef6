import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DriftReport, detectDrift } from '../../../packages/reverse-spec/src/spec/drift.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { parts, project, write } from '../../support/spec-project.ts';

type Files = Record<string, string>;

async function driftOf(before: Files, after: Files): Promise<DriftReport> {
  const cwd = project(before);
  const { specPath } = await generate(
    { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true },
    parts(cwd),
  );
  renameSync(join(cwd, 'src'), join(cwd, 'old'));
  write(cwd, after);
  return detectDrift({ specPath, sourcePath: 'src', report: true }, parts(cwd));
}

function brief({ items }: DriftReport): string[] {
  return items.map(
    ({ severity, changeType, category, symbolName }) => `${severity} ${changeType} ${category} ${symbolName}`,
  );
}

it('[R40] diff writes a report with every field as JSON and as Markdown beside the spec', async () => {
  const report = await driftOf(
    { 'src/a.ts': 'export function a(): void {}\nexport function b(x: string): void {}\n' },
    { 'src/a.ts': 'export function b(x: number): void {}\nexport const c = 1;\n' },
  );
  expect(report).toMatchObject({
    sourcePath: 'src',
    generatedAt: '2023-11-14T22:13:20.000Z',
    specVersion: 'v1',
    summary: { totalChanges: 3, high: 1, medium: 1, low: 1, additions: 1, removals: 1, modifications: 1 },
    filteredNoise: 0,
    items: [
      {
        id: 'drift-001',
        severity: 'HIGH',
        category: 'export',
        changeType: 'removal',
        symbolName: 'a',
        location: 'src/a.ts:1',
        oldValue: 'export function a(): void',
        detectedBy: 'structural',
      },
      {
        severity: 'MEDIUM',
        changeType: 'modification',
        symbolName: 'b',
        oldValue: 'export function b(x: string): void',
        newValue: 'export function b(x: number): void',
      },
      { severity: 'LOW', changeType: 'addition', symbolName: 'c', location: 'src/a.ts:2' },
    ],
  });
  for (const item of report.items)
    expect(item).toMatchObject({
      description: expect.stringMatching(/./),
      proposedUpdate: expect.stringMatching(/./),
    });
  expect(report.recommendation).toContain('1 处破坏性变更');
  const markdown = readFileSync(report.outputPath ?? '', 'utf8');
  expect(markdown).toContain('# Spec 漂移报告');
  for (const { id, symbolName } of report.items) expect(markdown).toContain(`### ${id} \`${symbolName}\``);
});

const cases: [what: string, before: string, after: string, expected: string[]][] = [
  [
    'an export removed',
    'export const a = 1;\nexport const b = 2;',
    'export const b = 2;',
    ['HIGH removal export a'],
  ],
  [
    'an export no longer exported',
    'export class A {}\nexport const b = 2;',
    'class A {}\nexport const b = 2;',
    ['HIGH removal export A'],
  ],
  [
    'a signature',
    'export function f(a: string): void {}',
    'export function f(a: string, b: number): void {}',
    ['MEDIUM modification signature f'],
  ],
  [
    'a type',
    "export type T = 'a' | 'b';",
    "export type T = 'a' | 'b' | 'c';",
    ['MEDIUM modification type T'],
  ],
  ['a kind', 'export class T {}', 'export interface T {}', ['MEDIUM modification type T']],
  [
    'a member removed',
    'export interface T { a: string; b: string }',
    'export interface T { a: string }',
    ['MEDIUM removal member T.b'],
  ],
  [
    'a member changed',
    'export class T { a(x: string) {} }',
    'export class T { a(x: number) {} }',
    ['MEDIUM modification member T.a'],
  ],
  [
    'a member added',
    'export class T { a() {} }',
    'export class T { a() {} b() {} }',
    ['LOW addition member T.b'],
  ],
  ['an enum case', 'export enum E { A, B }', 'export enum E { A, B, C }', ['LOW addition member E.C']],
  [
    'an overload',
    'export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: unknown) {}',
    'export function f(a: string): void;\nexport function f(a: unknown) {}',
    ['MEDIUM modification signature f'],
  ],
  [
    'an addition',
    'export const a = 1;',
    'export const a = 1;\nexport const b = 2;',
    ['LOW addition export b'],
  ],
  [
    'a setter lost',
    'export class T { get a() { return 1; } set a(x: number) {} }',
    'export class T { get a() { return 1; } }',
    ['MEDIUM removal member T.a'],
  ],
  [
    'a class and its namespace in the other order',
    'export class A { x = 1; }\nexport namespace A { export const y = 1; }',
    'export namespace A { export const y = 1; }\nexport class A { x = 2; }',
    ['MEDIUM modification member A.x'],
  ],
  ['a body', 'export function f() { return 1; }', 'export function f() { return 2; }', []],
  ['a private member', 'export class T { #a = 1; private b() {} }', 'export class T { #c = 1; }', []],
  [
    'a function renamed',
    'export function loadUserProfile(id: string): Promise<string> { return x; }',
    'export function readUserProfile(id: string): Promise<string> { return x; }',
    ['MEDIUM rename export readUserProfile'],
  ],
  [
    'two functions that only look alike',
    'export function start(): void {}',
    'export function flush(): void {}',
    ['HIGH removal export start', 'LOW addition export flush'],
  ],
];

it.each(cases)('[R41] diff classifies the change: %s', async (...[, before, after, expected]) => {
  const report = await driftOf({ 'src/a.ts': `${before}\n` }, { 'src/a.ts': `${after}\n` });
  expect(brief(report)).toEqual(expected);
});

it('[R41] diff counts changes of formatting, comments and import order, but does not list them', async () => {
  const before = `import { b } from './b.ts';\nimport { a } from './a.ts';\n/** Old words. */\nexport function f(x: string, y?: { a: string; b: number }): void { a; b; }\n`;
  const after = `import { a } from './a.ts';\nimport { b } from './b.ts';\n/** New words. */\nexport function f(\n  x: string, // first\n  y?: {\n    a: string,\n    b: number,\n  },\n): void {\n  a;\n  b;\n}\n`;
  const report = await driftOf({ 'src/x.ts': before }, { 'src/x.ts': after });
  expect(report.items).toEqual([]);
  expect(report.filteredNoise).toBe(3);
  expect(report.recommendation).toContain('无需更新');
});

it('[R41] diff reports an export or a whole file as moved if it has another path', async () => {
  const user = 'export function loadUser(id: string): string { return id; }\n';
  const rest = 'export const one = 1;\nexport const two = 2;\n';
  const alone = await driftOf(
    { 'src/a.ts': user + rest, 'src/b.ts': 'export const b = 1;\n' },
    { 'src/a.ts': rest, 'src/b.ts': `export const b = 1;\n${user}` },
  );
  expect(brief(alone)).toEqual(['LOW move export loadUser']);
  expect(alone.items[0]).toMatchObject({
    location: 'src/b.ts:2',
    oldValue: 'src/a.ts',
    newValue: 'src/b.ts',
  });
  const whole = await driftOf(
    { 'src/a.ts': user + rest },
    { 'src/deep/c.ts': user.replace('id: string)', 'id: number)') + rest },
  );
  expect(brief(whole)).toEqual([
    'MEDIUM modification signature loadUser',
    'LOW move export one',
    'LOW move export two',
  ]);
});

it('[R41] diff distinguishes exports of the same name in different files', async () => {
  const run = (type: string) => `export function run(x: ${type}): void {}\n`;
  const report = await driftOf(
    { 'src/a.ts': run('string'), 'src/b.ts': run('string'), 'src/c.ts': run('string') },
    { 'src/a.ts': 'export {};\n', 'src/b.ts': run('string'), 'src/c.ts': run('number') },
  );
  expect(report.items.map(({ severity, location }) => `${severity} ${location}`)).toEqual([
    'HIGH src/a.ts:1',
    'MEDIUM src/c.ts:1',
  ]);
});

it('[R41] diff reports exactly the removals and changes of random edit histories', async () => {
  const name = fc.constantFrom('alpha', 'bravo', 'charlie', 'delta', 'echo');
  const state = fc.dictionary(
    name,
    fc.constantFrom('string', 'number[]', 'Map<string, number>', '{ a: 1 }'),
    { minKeys: 1 },
  );
  const source = (exports: Record<string, string>) =>
    Object.entries(exports)
      .map(([key, type]) => `export declare const ${key}: ${type};\n`)
      .join('');
  await fc.assert(
    fc.asyncProperty(state, state, async (before, after) => {
      const report = await driftOf({ 'src/a.ts': source(before) }, { 'src/a.ts': source(after) });
      const renamed = report.items.filter(({ changeType }) => changeType === 'rename');
      const touched = (type: string) =>
        report.items
          .filter((item) => item.changeType === type)
          .map((item) => item.symbolName)
          .sort();
      const keys = (test: (key: string) => boolean) =>
        Object.keys({ ...before, ...after })
          .filter(test)
          .sort();
      expect(touched('removal').length + renamed.length).toBe(keys((key) => !(key in after)).length);
      expect(touched('addition').length + renamed.length).toBe(keys((key) => !(key in before)).length);
      expect(touched('modification')).toEqual(
        keys((key) => key in before && key in after && before[key] !== after[key]),
      );
    }),
    { numRuns: 40 },
  );
});

it('[R42] diff returns different errors if a spec is missing, or has no baseline, or has a damaged baseline', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n' });
  const { specPath } = await generate(
    { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true },
    parts(cwd, { embedBaseline: true }),
  );
  const whole = readFileSync(specPath, 'utf8');
  const check = (text: string) => {
    writeFileSync(specPath, text);
    return detectDrift({ specPath, sourcePath: 'src', report: true }, parts(cwd));
  };
  await expect(check(whole.slice(0, whole.lastIndexOf('<!--')))).rejects.toThrow('没有基线骨架');
  await expect(
    check(
      whole.replace(
        /\n(.)(.*)\n-->\n$/,
        (_all, first, rest) => `\n${first === 'A' ? 'B' : 'A'}${rest}\n-->\n`,
      ),
    ),
  ).rejects.toThrow('基线骨架已损坏');
  await expect(check(whole.slice(0, -6))).rejects.toThrow('基线骨架已损坏');
  await expect(check(whole.replace(/sha256=\w{4}/, 'sha256=0000'))).rejects.toThrow('基线骨架已损坏');
  await expect(check(whole)).resolves.toMatchObject({ items: [] });
  await expect(check(whole.replace(/\n/g, '\r\n'))).resolves.toMatchObject({ items: [] });
  await expect(
    detectDrift({ specPath: 'specs/none.spec.md', sourcePath: 'src' }, parts(cwd)),
  ).rejects.toThrow('spec 文件不存在');
});

it('[R42] diff compares a single file with the spec of its folder', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n', 'src/b.ts': 'export const b = 1;\n' });
  const { specPath } = await generate(
    { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true },
    parts(cwd),
  );
  write(cwd, { 'src/a.ts': 'export const a = 2;\n' });
  const report = await detectDrift({ specPath, sourcePath: 'src/a.ts' }, parts(cwd));
  expect(brief(report)).toEqual(['MEDIUM modification type a']);
  expect(report.outputPath).toBeNull();
  expect(existsSync(join(cwd, 'specs/drift-logs'))).toBe(false);
});

it('[R41] diff reports all exports as removed if the folder has no files any more', async () => {
  const report = await driftOf({ 'src/a.ts': 'export const a = 1;\n' }, { 'src/.gitkeep': '' });
  expect(brief(report)).toEqual(['HIGH removal export a']);
});

it('[R42] diff treats a baseline in another format as damaged even if its checksum is correct', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n' });
  const export1 = { name: 'a', kind: 'constant' };
  const file = { path: 'a.ts', language: 'typescript', imports: [], exports: [export1] };
  const shapes = [
    null,
    [],
    {},
    { scope: 'tree' },
    { scope: 'tree', files: [{}] },
    { scope: 'tree', files: [file] },
  ];
  for (const shape of shapes) {
    const json = JSON.stringify(shape);
    const checksum = createHash('sha256').update(json).digest('hex');
    const packed = deflateRawSync(json).toString('base64');
    write(cwd, { 'a.spec.md': `<!-- reverse-spec:baseline format=1 sha256=${checksum}\n${packed}\n-->\n` });
    await expect(detectDrift({ specPath: 'a.spec.md', sourcePath: 'src' }, parts(cwd))).rejects.toMatchObject(
      { code: 'baseline_damaged' },
    );
  }
});

it('[R41] diff compares a file with its own baseline, not with that of another file that has the same name', async () => {
  const cwd = project({
    'src/index.ts': 'export const a = 1;\n',
    'src/sub/index.ts': 'export const b = 1;\n',
  });
  const { specPath } = await generate(
    { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true },
    parts(cwd),
  );
  for (const sourcePath of ['src/index.ts', 'src/sub/index.ts'])
    expect(await detectDrift({ specPath, sourcePath }, parts(cwd))).toMatchObject({
      items: [],
      filteredNoise: 0,
    });
});

it('[R41] diff ignores the quotes of an `export *` and the position of the word `export`', async () => {
  const report = await driftOf(
    { 'src/a.ts': "export * from './b';\nexport function f(a: string): void {}\nexport const k = 1;\n" },
    { 'src/a.ts': 'export * from "./b"\nfunction f(a: string): void {}\nconst k = 1;\nexport { f, k };\n' },
  );
  expect(brief(report)).toEqual([]);
  expect(report.filteredNoise).toBe(3);
});

it('[R41] diff reports a move if an export moves to a file that its old file re-exports, and if the export moves back', async () => {
  const whole = { 'src/a.ts': 'export function f(a: string): number { return 1; }\nexport const k = 1;\n' };
  const split = {
    'src/a.ts': "export { f } from './b.ts';\nexport const k = 1;\n",
    'src/b.ts': 'export function f(a: string): number { return 1; }\n',
  };
  expect(brief(await driftOf(whole, split))).toEqual(['LOW move export f']);
  expect(brief(await driftOf(split, whole))).toEqual(['LOW move export f']);
  const changed = { ...split, 'src/b.ts': 'export function f(a: number): number { return 1; }\n' };
  expect(brief(await driftOf(whole, changed))).toEqual([
    'MEDIUM modification signature f',
    'LOW addition export f',
  ]);
});
