import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';

export interface OwnProgram {
  readonly origin: LaunchContext;
  /** Paths of node and script of this executable. */
  readonly self: readonly string[];
}

/** Returns the words that start this program from anywhere: its name if it is on the PATH, else node and script. */
export function ownProgram({ origin, self }: OwnProgram): readonly string[] {
  const script = self.at(-1);
  const folders = (origin.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !OF_NPM.test(folder));
  const isThis = (path: string) =>
    existsSync(path) &&
    (script === undefined || realpathSync(path) === realpathSync(script) || startsScript(path, script));
  return self.length === 0 || folders.some((folder) => isThis(join(folder, 'secateur')))
    ? ['secateur']
    : self;
}

const MAX_WRAPPER_BYTES = 4096;

/** Whether a file is a short script that contains the path of this program. Version managers create such scripts. */
function startsScript(path: string, script: string): boolean {
  if (statSync(path).size > MAX_WRAPPER_BYTES) return false;
  const text = readFileSync(path, 'utf8');
  return text.startsWith('#!') && text.includes(script);
}

/** Matches directories that npm adds to the PATH of its child processes. The shell of a client does not have them. */
const OF_NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `"${word}"`)).join(' ');
}

/** Quotes one word for a POSIX shell. The word may contain any characters. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether this is a copy of the program that `npx` fetched for one call. npm may delete it. */
export function isFetchedByNpx({ self }: Pick<OwnProgram, 'self'>): boolean {
  return self.some((word) => /[\\/]_npx[\\/]/.test(word));
}

/**
 * Returns the fields of a process after its name: 0 is the state, 3 the session, 19 the start time. The name
 * may contain spaces and brackets. Empty if the process has ended, or outside of Linux.
 */
export function processFields(pid: number | string): readonly string[] {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
}
