import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hookScript, PROGRAM_BESIDE_PLUGIN } from '../packages/secateur/src/cli/connect/scripts.ts';
import { exampleRequest, withBeforeAfter } from './docs/before-after.ts';
import { configurationPage } from './docs/configuration-page.ts';
import { formatsPage } from './docs/formats-page.ts';
import { libraryPage } from './docs/library-page.ts';

interface GeneratedPage {
  readonly path: string;
  write(root: string): string;
}

/** Pages and a script written from the code. `npm run docs` writes them, the check compares. */
const pages: readonly GeneratedPage[] = [
  { path: 'docs/configuration.md', write: configurationPage },
  { path: 'docs/formats-and-rules.md', write: formatsPage },
  { path: 'docs/library.md', write: libraryPage },
  { path: 'examples/prune-text.json', write: exampleRequest },
  { path: 'plugin/hook.sh', write: () => hookScript(PROGRAM_BESIDE_PLUGIN) },
];

export async function checkDocs(root: string): Promise<string[]> {
  const stale: string[] = [];
  for (const { path, write } of pages) {
    const written = await readFile(join(root, path), 'utf8').catch(() => '');
    if (written !== write(root)) stale.push(`${path} does not match the code; run npm run docs`);
  }
  return stale;
}

async function writeDocs(root: string): Promise<void> {
  // Compared by a test, not by the check: the test shows every change of how far a text is cut.
  const readme = join(root, 'README.md');
  await writeFile(readme, withBeforeAfter(root, await readFile(readme, 'utf8')));
  for (const { path, write } of pages) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), write(root));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeDocs(fileURLToPath(new URL('..', import.meta.url)));
