import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prepare, preparePage } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import { parts, project } from '../../support/spec-project.ts';

const files = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    `src/f${at}.ts`,
    `/** Number ${at}. */\nexport function f${at}(value: string): number {\n  return value.length + ${at};\n}\n`,
  ]),
);
const request = { targetPath: 'src', deep: false };

async function pages(cwd: string, maxTokens: number) {
  const all = [await preparePage({ ...request, maxTokens }, parts(cwd))];
  for (let cursor = all[0]?.about.nextCursor; cursor !== undefined; cursor = all.at(-1)?.about.nextCursor)
    all.push(await preparePage({ ...request, maxTokens, cursor }, parts(cwd)));
  return all;
}

it('[R67] all pages of prepare together contain each fact once, and no page exceeds its token limit', async () => {
  const cwd = project(files);
  const { context, mergedSkeleton, filePaths } = await prepare(request, parts(cwd));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 40, max: 2_000 }), async (maxTokens) => {
      const all = await pages(cwd, maxTokens);
      expect(all.map(({ text }) => text).join('\n')).toBe(context.prompt);
      for (const { about } of all) {
        expect(about.pageTokens).toBeLessThanOrEqual(maxTokens);
        expect(about).toMatchObject({ files: filePaths.length, exports: mergedSkeleton.exports.length });
      }
    }),
    { numRuns: 4 },
  );
  expect(context.prompt.split('export function f7(').length).toBe(2);
});

it('[R67] prepare returns a separate page for a line that is longer than a page', async () => {
  const cwd = project({
    'src/a.ts': `export type A = ${Array.from({ length: 400 }, (_, at) => `'k${at}'`).join(' | ')};\n`,
  });
  const all = await pages(cwd, 100);
  expect(all.length).toBeGreaterThan(1);
  expect(all.some(({ about, text }) => about.pageTokens > 100 && !text.includes('\n'))).toBe(true);
});

it('[R67] prepare fails with its own error if the cursor is unknown or its target has changed', async () => {
  const cwd = project(files);
  const { about } = await preparePage({ ...request, maxTokens: 200 }, parts(cwd));
  writeFileSync(join(cwd, 'src/f1.ts'), 'export const changed = 1;\n');
  const next = (cursor = '') => preparePage({ ...request, maxTokens: 200, cursor }, parts(cwd));
  await expect(next(about.nextCursor)).rejects.toMatchObject({ code: 'cursor_outdated' });
  await expect(next('../..')).rejects.toMatchObject({ code: 'invalid_cursor' });
});

it('[R67] prepare names a module once per file, names each import edge once, and shows a statement with several names once', async () => {
  const cwd = project({
    'src/a.py':
      'import typing as t\nfrom .b import one\nfrom .b import two\n\nclass A:\n    pop = clear = update = _fail\n',
    'src/b.py': 'one = 1\ntwo = 2\n',
  });
  const { text } = await preparePage({ ...request, maxTokens: 2_000 }, parts(cwd));
  expect(text).toContain('import typing { typing as t }, .b { one, two }\n');
  expect(text.match(/pop = clear = update/g)).toHaveLength(1);
  expect(text.match(/src\/b\.py/g)).toHaveLength(2);
  expect(text).toContain('- src/a.py -> src/b.py');
  expect(text.match(/typing/g)).toHaveLength(2);
});
