import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
/** The one directory that files, commands and searches are confined to. */
export interface WorkspaceRoot {
  /** As the caller spelled it, made absolute. */
  readonly spelled: string;
  /** With every symlink resolved. */
  readonly real: string;
}

export async function openRoot(directory: string): Promise<WorkspaceRoot> {
  const spelled = resolve(directory);
  const found = await stat(spelled).catch(() => undefined);
  if (found === undefined)
    throw new DomainError('invalid_root_dir', `root directory does not exist: ${spelled}`);
  if (!found.isDirectory()) throw new DomainError('invalid_root_dir', `root is not a directory: ${spelled}`);
  return { spelled, real: await realpath(spelled) };
}

export type ResolvedPath =
  | { kind: 'inside' /** Relative to the root, '.' for the root itself. */; path: string; absolute: string }
  | { kind: 'refused'; reason: string };

/** Checks a path by its spelling alone: what it names, and whether that is inside the root. */
export function resolveInRoot(root: WorkspaceRoot, path: string): ResolvedPath {
  if (path === '') return { kind: 'refused', reason: 'must not be empty' };
  if (path.includes('\0')) return { kind: 'refused', reason: 'must not contain a NUL character' };
  const below = isAbsolute(path) ? belowRoot(root, path) : relative(root.real, resolve(root.real, path));
  if (below === undefined || leavesRoot(below))
    return { kind: 'refused', reason: 'must stay within the root directory' };
  return { kind: 'inside', path: below === '' ? '.' : below, absolute: join(root.real, below) };
}

/** An absolute path may be spelled through the root's own symlink or through its real path. */
function belowRoot(root: WorkspaceRoot, path: string): string | undefined {
  return [root.real, root.spelled]
    .map((base) => relative(base, resolve(path)))
    .find((below) => !leavesRoot(below));
}

function leavesRoot(below: string): boolean {
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
}

export interface OpenedPath {
  handle: FileHandle;
  /** Real path of what was opened, relative to the root. */
  path: string;
}

/**
 * Opens first and then checks what was opened, so that a symlink swapped in between check and use gains nothing.
 * Does not wait for the other end of a FIFO.
 */
export async function openInside(root: WorkspaceRoot, path: string, flags = 0): Promise<OpenedPath> {
  const placed = requireInRoot(root, path);
  const handle = await open(placed.absolute, constants.O_RDONLY | constants.O_NONBLOCK | flags).catch(
    (cause) => {
      throw fileFailure(path, cause);
    },
  );
  try {
    return { handle, path: await realPathInside(root, { handle, path, absolute: placed.absolute }) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The placed path, or the `invalid_path` error a caller that did not check beforehand deserves. */
export function requireInRoot(root: WorkspaceRoot, path: string): Extract<ResolvedPath, { kind: 'inside' }> {
  const placed = resolveInRoot(root, path);
  if (placed.kind === 'inside') return placed;
  throw new DomainError('invalid_path', `${JSON.stringify(path)} ${placed.reason}`);
}

async function realPathInside(
  root: WorkspaceRoot,
  opened: { handle: FileHandle; path: string; absolute: string },
): Promise<string> {
  const real = await openedPath(opened.handle, opened.absolute);
  const below = real === undefined ? '..' : relative(root.real, real);
  if (leavesRoot(below)) {
    throw new DomainError('invalid_path', `${opened.path} leads out of the root directory`, {
      hint: 'It goes through a symbolic link; only files inside the root can be used.',
    });
  }
  return below === '' ? '.' : below;
}

/** A directory inside the root, held open: what is run in it runs there, wherever its name leads by then (on Linux). */
export interface OpenedDirectory {
  /** Its real path. */
  readonly path: string;
  /** Reaches this very directory as long as it is open: to start a program in, or to write below. */
  readonly cwd: string;
  close(): Promise<void>;
}

export async function openDirectory(root: WorkspaceRoot, path: string): Promise<OpenedDirectory> {
  const { handle, path: below } = await openInside(root, path, constants.O_DIRECTORY);
  const real = join(root.real, below);
  const throughHandle = `/proc/self/fd/${handle.fd}`;
  return { path: real, cwd: existsSync(throughHandle) ? throughHandle : real, close: () => handle.close() };
}

/** The real directory behind `path`, confined; `cause` codes are those of `fileFailure`. */
export async function realDirectory(root: WorkspaceRoot, path: string): Promise<string> {
  const opened = await openDirectory(root, path);
  await opened.close();
  return opened.path;
}

const FAILURE: Readonly<Record<string, readonly [code: string, words: string]>> = {
  ENOENT: ['not_found', 'no such file or directory'],
  ENOTDIR: ['not_found', 'a part of the path is not a directory'],
  EACCES: ['permission_denied', 'permission denied'],
  EPERM: ['permission_denied', 'operation not permitted'],
  EISDIR: ['invalid_path', 'is a directory'],
  ELOOP: ['invalid_path', 'too many symbolic links'],
  ENAMETOOLONG: ['invalid_path', 'name too long'],
  ENXIO: ['invalid_path', 'is not a regular file'],
};

/** Translates an error of the file system: `not_found`, `permission_denied`, `invalid_path` or `io_error`. */
export function fileFailure(path: string, cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const errno = String((cause as NodeJS.ErrnoException)?.code ?? 'unknown');
  const [code, words] = FAILURE[errno] ?? ['io_error', `file system error ${errno}`];
  return new DomainError(code, `${path}: ${words}`, { data: { errno }, cause });
}

/**
 * Returns the real path of an open handle. Linux reports it; elsewhere the path is resolved again and must
 * still name the very file that was opened, else `undefined`: it was swapped in between.
 */
export async function openedPath(handle: FileHandle, path: string): Promise<string | undefined> {
  const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  return told ?? resolveAgain(handle, path);
}

export async function resolveAgain(handle: FileHandle, path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const [named, opened] = await Promise.all([
    stat(real, { bigint: true }).catch(() => undefined),
    handle.stat({ bigint: true }),
  ]);
  const same = named !== undefined && named.dev === opened.dev && named.ino === opened.ino;
  return same ? real : undefined;
}
