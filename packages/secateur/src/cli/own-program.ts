import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchContext } from '@secateur/serving/config/values.ts';

export interface OwnProgram {
  readonly origin: LaunchContext;
  /** Program and script of this executable. */
  readonly self: readonly string[];
}

/**
 * Returns the words that start this program from any directory: its name if a shell finds it under that name,
 * else node and the script.
 */
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

/**
 * Matches directories that npm and npx add to PATH for the programs they start. A client's shell does not
 * have them.
 */
const OF_NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/** Joins words into a line for a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `"${word}"`)).join(' ');
}

/** Quotes one word, with any characters, for a POSIX shell. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether the program is a copy that `npx` fetched for one call; npm may delete it. */
export function isFetchedByNpx({ self }: Pick<OwnProgram, 'self'>): boolean {
  return self.some((word) => /[\\/]_npx[\\/]/.test(word));
}
