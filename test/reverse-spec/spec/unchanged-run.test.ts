import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type BatchResult, runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { parts, project, write } from '../../support/spec-project.ts';

const request = { force: false, astOnly: true, outputDir: 'specs', concurrency: 2 };

interface Trial {
  cwd: string;
  /** Runs the batch again; the number of files that it parsed or looked up. */
  again(more?: Partial<typeof request> & { criteria?: boolean }): Promise<BatchResult & { read: number }>;
}

async function written(): Promise<Trial> {
  const cwd = project({
    'package.json': '{}',
    'src/a/README.md': '# A\n\nCounts things for people.\n',
    'src/a/a.ts': 'export const a = 1;\n',
    'test/a.test.ts': "import { a } from '../src/a/a.ts';\na();\n",
  });
  const cacheDir = project({});
  const again: Trial['again'] = async (more = {}) => {
    let read = 0;
    const progress = ({ message }: { message: string }) => {
      if (message.startsWith('parsed')) read += 1;
    };
    const own = parts(cwd, { cacheDir, progress, messageLanguage: 'en' });
    return { ...(await runBatch({ ...request, ...more }, own)), read };
  };
  expect((await again()).successful).toBeGreaterThan(0);
  return { cwd, again };
}

it('[R30] batch reads no source if no file has changed', async () => {
  const { again } = await written();
  expect(await again()).toMatchObject({ read: 0, successful: 0, skipped: 1, totalModules: 1 });
});

it.each([
  ['a source', 'src/a/a.ts', 'export const b = "x".length;\n'],
  ['a new file', 'src/a/b.ts', 'export const b = 1;\n'],
  ['a README', 'src/a/README.md', '# A\n\nDoes another thing for people.\n'],
])('[R30] batch detects in its next run that %s changed', async (_, path, text) => {
  const { cwd, again } = await written();
  write(cwd, { [path]: text });
  const { read, successful } = await again();
  expect(read).toBeGreaterThan(0);
  expect(successful).toBe(1);
  expect(await again()).toMatchObject({ read: 0, skipped: 1 });
});

it('[R30] batch detects in its next run a deleted or edited document, and a changed request', async () => {
  const { cwd, again } = await written();
  rmSync(join(cwd, 'specs/.baseline'), { recursive: true });
  expect((await again()).renewed).toMatchObject([{ reasons: ['baseline'] }]);
  expect((await again({ criteria: true })).renewed).toMatchObject([{ reasons: ['criteria'] }]);
  expect((await again({ force: true })).successful).toBe(1);
});
