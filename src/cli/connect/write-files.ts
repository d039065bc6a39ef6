import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DomainError } from '../../runtime/domain-error.ts';
import { replaceFileSync } from '../../runtime/replace-file.ts';
import { isFields, parsedFields } from '../../text/json-value.ts';
import { type FileChange, readClientFile } from './texts.ts';

/** What a file was before we came; it lies beside the file as `FILE.before-secateur`. */
interface Backup {
  /** Absent where there was no file. */
  readonly text?: string;
  readonly mode?: number;
  /** What we wrote: a file that still is that is put back byte for byte. */
  readonly wrote: string;
  /** Folders made for it, the innermost first. */
  readonly folders: readonly string[];
}

/** Writes all of the files or none, each whole, and keeps what they were. */
export function writeFiles(changes: readonly FileChange[]): void {
  const done: string[] = [];
  try {
    for (const { path, before, after, mode } of changes) {
      const target = realPath(path);
      keepBackup(target, before, after);
      done.push(path);
      replaceFileSync(target, after, mode ?? modeOf(target));
    }
  } catch (cause) {
    restoreFiles(done, () => (text) => text);
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('cannot_write', 'a file could not be written; nothing was changed', {
      hint: `Check who may write ${changes.map(({ path }) => path).join(', ')}.`,
      cause,
    });
  }
}

/** The first backup is the one before we came; a second change keeps it and notes what is there now. */
function keepBackup(path: string, before: string | undefined, after: string): void {
  const wrote = digest(after);
  const known = readBackup(path);
  const first = known ?? {
    ...(before === undefined ? {} : { text: before, mode: modeOf(path) }),
    folders: makeFolders(dirname(path)),
  };
  replaceFileSync(backupOf(path), JSON.stringify({ ...first, wrote }), 0o600);
}

type TakeOut = (text: string, before: string) => string;

/**
 * Puts files back as they were, or removes those we made. A file that was changed since keeps those changes: only
 * what `takeOut` takes out of it goes. Says what was done to each.
 */
export function restoreFiles(
  paths: readonly string[],
  takeOut: (path: string) => TakeOut,
): Map<string, Restored> {
  const done = new Map<string, Restored>();
  const folders: string[] = [];
  // Read first: a damaged backup must not leave half of the files restored.
  const backups = paths.map((path) => ({ path, target: realPath(path), backup: readBackup(realPath(path)) }));
  for (const { path, target, backup } of backups) {
    if (backup === undefined) continue;
    done.set(path, putBack(target, backup, takeOut(path)));
    rmSync(backupOf(target), { force: true });
    folders.push(...backup.folders);
  }
  // Last, because several files may have been made in one of them, and the inner ones first.
  for (const folder of folders.toSorted((left, right) => right.length - left.length))
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  return done;
}

function putBack(path: string, backup: Backup, takeOut: TakeOut): Restored {
  const current = readClientFile(path);
  if (current !== undefined && digest(current) !== backup.wrote) {
    const left = takeOut(current, backup.text ?? '');
    if (left !== '' || backup.text !== undefined) replaceFileSync(path, left, modeOf(path));
    else rmSync(path);
    return 'cleaned';
  }
  if (backup.text !== undefined) {
    replaceFileSync(path, backup.text, backup.mode ?? 0o600);
    return 'as it was';
  }
  rmSync(path, { force: true });
  return 'removed';
}

type Restored = 'as it was' | 'removed' | 'cleaned';

function readBackup(path: string): Backup | undefined {
  const text = readClientFile(backupOf(path));
  if (text === undefined) return undefined;
  const backup = parsedFields(text);
  if (isFields(backup) && typeof backup.wrote === 'string' && Array.isArray(backup.folders))
    return backup as unknown as Backup;
  throw new DomainError('damaged_backup', `${backupOf(path)} is not a backup that secateur wrote`, {
    hint: 'Nothing was changed. Move it away; what secateur added to the file beside it has to be removed by hand.',
  });
}

function backupOf(path: string): string {
  return `${path}.before-secateur`;
}

/** Dotfiles are often links into a repository: the file they lead to is changed, the link stays. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function makeFolders(path: string): string[] {
  if (existsSync(path)) return [];
  const above = makeFolders(dirname(path));
  mkdirSync(path, { mode: 0o700 });
  return [path, ...above];
}

/** What a client's file holds may be secret, and so is what we make of it. */
function modeOf(path: string): number {
  return existsSync(path) ? statSync(path).mode & 0o777 : 0o600;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
