import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { specsIn } from './find-specs.ts';

export interface SpecProject {
  /** The folder with `.git`; the working directory where there is none. */
  repository: string;
  /** Where the specs lie; absolute. */
  outputDir: string;
  /** The folder the specs' targets are named from: where `batch` ran. */
  base: string;
  /** `batch` wrote an index: its specs speak of the whole project. */
  isWhole: boolean;
}

/** A check may run in any folder of the repository; the specs and their sources lie where they were written. */
export async function projectOfSpecs(cwd: string, outputDir: string): Promise<SpecProject> {
  const repository = upTo('/', cwd).find((folder) => existsSync(join(folder, '.git'))) ?? cwd;
  const folders = upTo(repository, cwd);
  const holder = await firstWith(folders, (folder) => isFolder(resolve(folder, outputDir)));
  const specs = resolve(holder ?? cwd, outputDir);
  const base = await baseOf(specs, [...new Set([holder ?? cwd, ...upTo(repository, dirname(specs)), cwd])]);
  return { repository, outputDir: specs, base, isWhole: existsSync(join(specs, '_index.spec.md')) };
}

/** From a folder up to the one above it; the folder alone when that does not lie above. */
function upTo(top: string, folder: string): string[] {
  const above = dirname(folder);
  return folder === top || above === folder ? [folder] : [folder, ...upTo(top, above)];
}

/** Where most targets are found; the first candidate when they are all gone. */
async function baseOf(specs: string, candidates: readonly string[]): Promise<string> {
  const targets = (await isFolder(specs))
    ? (await specsIn(specs, specs)).map(({ sourceTarget }) => sourceTarget)
    : [];
  let [best = specs] = candidates;
  let most = 0;
  for (const folder of candidates) {
    const count = targets.filter((target) => existsSync(resolve(folder, target))).length;
    if (count > most) [best, most] = [folder, count];
  }
  return best;
}

async function firstWith(
  folders: readonly string[],
  test: (folder: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const folder of folders) if (await test(folder)) return folder;
  return undefined;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
