import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchContext } from '@secateur/serving/config/values.ts';

export interface OwnProgram {
  readonly origin: LaunchContext;
  /** Program and script of this executable. */
  readonly self: readonly string[];
}

/** The words that start this very program from anywhere: its name where a shell finds it under that, else node and the script. */
export function ownProgram({ origin, self }: OwnProgram): readonly string[] {
  const script = self.at(-1);
  const folders = (origin.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !OF_NPM.test(folder));
  const isThis = (path: string) =>
    existsSync(path) && (script === undefined || realpathSync(path) === realpathSync(script));
  return self.length === 0 || folders.some((folder) => isThis(join(folder, 'secateur')))
    ? ['secateur']
    : self;
}

/** Directories npm and npx add for the programs they start; a client's shell does not have them. */
const OF_NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/** Joins words to a line that a shell reads. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `"${word}"`)).join(' ');
}

/** One word as a POSIX shell reads it, whatever characters it has. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A copy that `npx` has fetched for one call; npm may clear it away. */
export function isFetchedByNpx({ self }: Pick<OwnProgram, 'self'>): boolean {
  return self.some((word) => /[\\/]_npx[\\/]/.test(word));
}
