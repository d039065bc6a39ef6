import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openRoot, type WorkspaceRoot } from '../../packages/serving/src/workspace/root.ts';

/** A real folder with these files, gone when the test ends. */
export async function temporaryTree(
  files: Readonly<Record<string, string | Buffer>> = {},
): Promise<WorkspaceRoot> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'secateur-tree-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return openRoot(folder);
}
