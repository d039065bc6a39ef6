import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { checkSpecs } from '../../../packages/reverse-spec/src/spec/check.ts';
import { parts, project } from '../../support/spec-project.ts';

const request = {
  force: false,
  astOnly: true,
  outputDir: 'specs',
  concurrency: 2,
  granularity: 'folder' as const,
};

/** 260 folders in ten groups that import each other in all directions. */
function large(): Record<string, string> {
  const files = Array.from({ length: 260 }, (_, at) => {
    const imports = [7, 31, 113].map((step) => (at + step) % 260);
    const lines = imports.map((to, n) => `import { x as y${n} } from '../../../g${to % 10}/m${to}/a.ts';`);
    return [
      `src/g${at % 10}/m${at}/a.ts`,
      `/** @file Counts ${at}. */\n${lines.join('\n')}\nexport const x = y0;\n`,
    ];
  });
  return Object.fromEntries(files);
}

it('[R81] the index of a large project has at most 300 lines, names areas and entry points, and links to every module', async () => {
  const cwd = project({ 'package.json': '{}', ...large() });
  await runBatch(request, parts(cwd, { language: 'en' }));
  const index = readFileSync(join(cwd, 'specs/_index.spec.md'), 'utf8');
  expect(index.split('\n').length).toBeLessThanOrEqual(300);
  expect(index).toContain('260 modules in ');
  expect(index).toContain('| Area | Modules | Files | Intent | Entry points |');
  const pages = [...index.matchAll(/\]\(<(_areas\/[^>]+)>\)/g)].map(([, page = '']) => page);
  const linked = pages.flatMap((page) => {
    const text = readFileSync(join(cwd, 'specs', page), 'utf8');
    return [...text.matchAll(/\]\(<\.\.\/([^>]+)>\)/g)].map(([, spec = '']) => spec);
  });
  expect(new Set(linked).size).toBe(260);
  for (const spec of linked) expect(existsSync(join(cwd, 'specs', decodeURI(spec)))).toBe(true);
  // Pages of areas are not specs of modules.
  expect((await checkSpecs({ paths: [], outputDir: 'specs' }, parts(cwd))).specs).toBe(260);
  const again = await runBatch(request, parts(cwd, { language: 'en' }));
  expect(again.skipped).toBe(260);
  expect(readFileSync(join(cwd, 'specs/_index.spec.md'), 'utf8')).toBe(index);
});

it('[R81] the index of a small project lists its modules with purpose and entry points', async () => {
  const cwd = project({
    'package.json': '{}',
    'src/index.ts': '/** @file Counts. */\n\nexport function count(): number { return 1; }\n',
  });
  await runBatch(request, parts(cwd, { language: 'en' }));
  const index = readFileSync(join(cwd, 'specs/_index.spec.md'), 'utf8');
  expect(index).toContain('| [`src`](<src.spec.md>) | 1 | 1 | low |');
  expect(index).toMatch(/\| `count` \|$/m);
  expect(existsSync(join(cwd, 'specs/_areas'))).toBe(false);
});
