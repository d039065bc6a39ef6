import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';

const MAX_BYTES = 1_048_576;

/** The files imports may mean, and their texts where a rule has to look into them. */
export class ProjectFiles {
  readonly paths: readonly string[];
  readonly #base: string;
  readonly #files: ReadonlySet<string>;
  #byName: Map<string, string[]> | undefined;
  #byFolder: Map<string, string[]> | undefined;

  constructor(base: string, paths: readonly string[]) {
    this.#base = base;
    this.paths = paths;
    this.#files = new Set(paths);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** Files with this last part. */
  named(name: string): readonly string[] {
    this.#byName ??= grouped(this.paths.map((path) => [posix.basename(path), path]));
    return this.#byName.get(name) ?? [];
  }

  /** Files right in a folder; `.` is the project's own. */
  inFolder(folder: string): readonly string[] {
    this.#byFolder ??= grouped(this.paths.map((path) => [posix.dirname(path), path]));
    return this.#byFolder.get(folder) ?? [];
  }

  ending(...extensions: readonly string[]): string[] {
    return this.paths.filter((path) => extensions.some((each) => path.endsWith(each)));
  }

  /** Empty if unreadable, or too large to be written by hand. */
  text(path: string): string {
    try {
      const file = join(this.#base, path);
      const stats = statSync(file);
      return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file, 'utf8') : '';
    } catch {
      return '';
    }
  }
}

/** `a/b` for `./a/x/../b`; undefined if it leads out of the project. */
export function within(...parts: readonly string[]): string | undefined {
  const path = posix.join(...parts).replace(/\/$/, '');
  return path === '..' || path.startsWith('../') || path.startsWith('/') ? undefined : path;
}

/** The folder itself and those above it, nearest first; `.` is the last. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) folders.push(at);
  return [...folders, '.'];
}
