import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { detectDrift } from '../../../packages/reverse-spec/src/spec/drift.ts';
import type { WritingParts } from '../../../packages/reverse-spec/src/spec/generate.ts';
import type { SpecWriter } from '../../../packages/reverse-spec/src/spec/parts.ts';
import { readFrontMatter } from '../../../packages/reverse-spec/src/spec/writing/document/document-text.ts';
import { handClock } from '../../support/hand-clock.ts';
import { parts, project, write } from '../../support/spec-project.ts';

const request = { force: false, astOnly: true, outputDir: 'specs', concurrency: 2 };

const files = {
  'a/one.ts': '/** Says one. */\nexport function one(): number { return 1; }\n',
  'b/two.ts': "import { one } from '../a/one.ts';\nexport const two = one() + 1;\n",
  'test/one.test.ts': 'export {};\n',
};

/** Everything below `specs/`, with the moment it was last written. */
function snapshot(cwd: string): Record<string, string> {
  const names = readdirSync(join(cwd, 'specs'), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path.slice(cwd.length + 1), `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`];
      }),
  );
}

function scripted(model: string, calls: string[]): SpecWriter {
  return {
    model,
    write: async ({ facts }) => {
      calls.push(`${model} ${facts.label}`);
      return {
        prose: { intent: `Paid for by ${model}.` },
        tokenUsage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
        confidence: 'high',
        warnings: [],
        degraded: false,
      };
    },
  };
}

async function renewedBy(change: (cwd: string) => void, more: Partial<WritingParts> = {}) {
  const cwd = project(files);
  await runBatch(request, parts(cwd));
  const before = snapshot(cwd);
  change(cwd);
  const clock = handClock();
  clock.advance(60_000);
  const { renewed, skipped } = await runBatch(request, parts(cwd, { clock, ...more }));
  const after = snapshot(cwd);
  const touched = Object.keys(after).filter((path) => after[path] !== before[path]);
  return { renewed, skipped, touched };
}

it('[R58] generate changes no byte of a document if the source is unchanged, both immediately and a minute later', async () => {
  expect(await renewedBy(() => {})).toEqual({ renewed: [], skipped: 2, touched: [] });
});

it('[R58] generate does not rewrite a spec if only formatting changed, or if the changed bodies have the same facts', async () => {
  const change = (cwd: string) =>
    write(cwd, {
      'a/one.ts': '\n\n/**\n * Says one.\n */\nexport function one():number {\n  return 2;\n}\n',
    });
  expect(await renewedBy(change)).toMatchObject({ renewed: [], touched: [] });
});

it.each([
  [
    'structure',
    { 'a/one.ts': '/** Says one. */\nexport function one(plus: number): number { return plus; }\n' },
  ],
  ['comments', { 'a/one.ts': '/** Says uno. */\nexport function one(): number { return 1; }\n' }],
  ['comments', { 'a/one.ts': `${files['a/one.ts']}// TODO say two\n` }],
  ['tests', { 'test/one.test.ts': "import { one } from '../a/one.ts';\none();\n" }],
] as const)(
  '[R58] batch rewrites only the affected document, with the reason, after a change of %s',
  async (reason, change) => {
    const { renewed, touched } = await renewedBy((cwd) => write(cwd, change));
    expect(renewed).toEqual([{ target: 'a', reasons: [reason] }]);
    expect(touched.filter((path) => path === 'specs/b.spec.md' || path.includes('.baseline/b'))).toEqual([]);
    expect(touched).toContain('specs/a.spec.md');
  },
);

it.each([
  ['language', { language: 'en' }],
  ['tool', { version: 'next' }],
] as const)('[R58] batch rewrites all documents after a change of the %s', async (reason, more) => {
  const { renewed } = await renewedBy(() => {}, more);
  expect(renewed).toEqual(['a', 'b'].map((target) => ({ target, reasons: [reason] })));
});

it('[R58] batch rewrites a document if its baseline is missing or not valid', async () => {
  const lost = await renewedBy((cwd) => rmSync(join(cwd, 'specs/.baseline/a.json')));
  expect(lost.renewed).toEqual([{ target: 'a', reasons: ['baseline'] }]);
  const edited = await renewedBy((cwd) => writeFileSync(join(cwd, 'specs/.baseline/b.json'), '{}'));
  expect(edited.renewed).toEqual([{ target: 'b', reasons: ['baseline'] }]);
});

it('[R58] generate reuses paid prose if only tests or the tool changed, but not if the request names another model', async () => {
  const cwd = project(files);
  const calls: string[] = [];
  const run = (model: string, version = '1') =>
    runBatch({ ...request, astOnly: false }, parts(cwd, { modelWriter: scripted(model, calls), version }));
  await run('first');
  expect(calls.splice(0)).toEqual(['first a', 'first b']);
  write(cwd, { 'test/one.test.ts': "import { one } from '../a/one.ts';\none();\n" });
  const { renewed } = await run('first', '2');
  expect(renewed).toMatchObject([{ reasons: ['tests', 'tool'] }, { reasons: ['tool'] }]);
  expect(calls).toEqual([]);
  const text = readFileSync(join(cwd, 'specs/a.spec.md'), 'utf8');
  expect(text).toContain('Paid for by first.');
  expect(text).toContain('test/one.test.ts');
  await runBatch(request, parts(cwd, { version: '3' }));
  expect(readFileSync(join(cwd, 'specs/a.spec.md'), 'utf8')).toContain('Paid for by first.');
  await run('second', '3');
  expect(calls).toEqual(['second a', 'second b']);
});

it('[R58] the front matter of a document records the inputs of generate', async () => {
  const cwd = project(files);
  await runBatch(request, parts(cwd));
  expect(readFrontMatter(readFileSync(join(cwd, 'specs/a.spec.md'), 'utf8'))).toMatchObject({
    skeletonHash: expect.stringMatching(/^\w{64}$/),
    commentsHash: expect.stringMatching(/^\w{16}$/),
    testsHash: expect.stringMatching(/^\w{16}$/),
    model: 'ast-only',
    language: 'zh',
    toolVersion: 'test',
    baseline: '.baseline/a.json',
  });
});

it.each([true, false])(
  '[R58] diff reads a baseline inside the document or beside it: embedded %s',
  async (embedBaseline) => {
    const cwd = project(files);
    await runBatch(request, parts(cwd, { embedBaseline }));
    const text = readFileSync(join(cwd, 'specs/a.spec.md'), 'utf8');
    expect(text.includes('<!-- reverse-spec:baseline')).toBe(embedBaseline);
    write(cwd, { 'a/one.ts': 'export function uno(plus: string): void {}\n' });
    const { summary } = await detectDrift({ specPath: 'specs/a.spec.md', sourcePath: 'a' }, parts(cwd));
    expect(summary.totalChanges).toBeGreaterThan(0);
  },
);

it('[R58] [R57] batch keeps text that users wrote into the index', async () => {
  const cwd = project(files);
  await runBatch(request, parts(cwd));
  const index = join(cwd, 'specs/_index.spec.md');
  const kept = '<!-- keep -->\nStart with a.\n<!-- /keep -->';
  writeFileSync(index, readFileSync(index, 'utf8').replace(/^## 模块$/m, `$&\n\n${kept}`));
  write(cwd, { 'c/three.ts': 'export const three = 3;\n' });
  await runBatch(request, parts(cwd));
  expect(readFileSync(index, 'utf8')).toContain(`## 模块\n\n${kept}\n`);
  expect(readFileSync(index, 'utf8')).toContain('`c`');
});
