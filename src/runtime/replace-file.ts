import { chmod, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Readers see the whole text or what was there before. Only its owner reads the file. */
export async function replaceFile(path: string, text: string): Promise<void> {
  makeFolder(dirname(path));
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, text, { mode: 0o600 });
  // A file that was left over keeps its mode when it is written again.
  await chmod(draft, 0o600);
  await rename(draft, path);
}
