import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { specError } from '../locales.ts';
import type { TargetScope } from './facts.ts';

/** Path to read, with the project that contains it. */
export interface Target {
  absolute: string;
  /** Folder of the project. Every path in a result is relative to it. */
  base: string;
  /** Path relative to `base` with `/` as separator; `.` for the project itself. */
  path: string;
  /** Name of the target for users: its path relative to the working directory, else its absolute path. */
  label: string;
  scope: TargetScope;
  /** Folders below it that have documents of their own. */
  without?: readonly string[];
}

export async function resolveTarget(targetPath: string, cwd: string): Promise<Target> {
  const absolute = resolve(cwd, targetPath);
  const found = await stat(absolute).catch((error: NodeJS.ErrnoException) => {
    throw notReachable(targetPath, error);
  });
  if (!found.isFile() && !found.isDirectory()) throw specError('not_a_source', { path: targetPath });
  const inside = pathInside(cwd, absolute);
  const place = await placeOf(absolute, cwd);
  const isHere = pathInside(cwd, place) !== undefined;
  const base = isHere ? cwd : projectOf(found.isFile() ? dirname(place) : place);
  return {
    absolute: place,
    base,
    path: pathInside(base, place) ?? '.',
    label: inside ?? absolute.split(sep).join('/'),
    scope: found.isFile() ? 'file' : 'tree',
  };
}

const SHOWN_CHARACTERS = 80;

function notReachable(targetPath: string, { code }: NodeJS.ErrnoException): DomainError {
  const { length } = targetPath;
  if (code === 'ENAMETOOLONG') {
    const path = `${targetPath.slice(0, SHOWN_CHARACTERS)}…`;
    return specError('target_not_found', { path, why: 'too-long', length });
  }
  const why = code === 'EACCES' ? 'denied' : 'missing';
  return specError('target_not_found', { path: targetPath, why, length });
}

/** Returns the path as written if it is inside the working directory; the real path otherwise, or if a link leads out of it. */
async function placeOf(absolute: string, cwd: string): Promise<string> {
  const [real, here] = await Promise.all([realpath(absolute), realpath(cwd)]);
  const stays = pathInside(cwd, absolute) !== undefined && pathInside(here, real) !== undefined;
  return stays ? absolute : real;
}

/** Returns `path` relative to `folder` with `/` as separator; undefined if it is not inside. */
export function pathInside(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  if (below === '') return '.';
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return undefined;
  return below.split(sep).join('/');
}

const PROJECT_MARKS = '.git package.json pyproject.toml go.mod Cargo.toml pom.xml build.gradle'.split(' ');

function projectOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (PROJECT_MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (dirname(at) === at) return folder;
  }
}
