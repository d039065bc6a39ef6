import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
/** Directory to which files, commands and searches are confined. */
export interface WorkspaceRoot {
  /** Path as given by the caller, made absolute. */
  readonly spelled: string;
  /** Path with all symlinks resolved. */
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

/** Resolves a path by its text alone, and checks that it is inside the root. */
export function resolveInRoot(root: WorkspaceRoot, path: string): ResolvedPath {
  if (path === '') return { kind: 'refused', reason: 'must not be empty' };
  if (path.includes('\0')) return { kind: 'refused', reason: 'must not contain a NUL character' };
  const below = isAbsolute(path) ? belowRoot(root, path) : relative(root.real, resolve(root.real, path));
  if (below === undefined || leavesRoot(below))
    return { kind: 'refused', reason: 'must stay within the root directory' };
  return { kind: 'inside', path: below === '' ? '.' : below, absolute: join(root.real, below) };
}

/** Returns a path relative to the root. An absolute path may begin with the root as given or with its real path. */
function belowRoot(root: WorkspaceRoot, path: string): string | undefined {
  return [root.real, root.spelled]
    .map((base) => relative(base, resolve(path)))
    .find((below) => !leavesRoot(below));
}

function leavesRoot(below: string): boolean {
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
}

/**
 * Opens a path and checks what was opened, so that links swapped in between have no effect. Does not wait for
 * a FIFO. Also returns the real path of the file, relative to the root.
 */
export async function openInside(root: WorkspaceRoot, path: string, flags = 0) {
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

/** Returns the resolved path. Throws `invalid_path` if it is outside the root. */
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

/** An open directory inside the root. On Linux, programs run in this directory even if its path has been changed. */
export interface OpenedDirectory {
  /** The directory's real path. */
  readonly path: string;
  /** Path that leads to this directory while it is open, to start a program in it or to write into it. */
  readonly cwd: string;
  close(): Promise<void>;
}

export async function openDirectory(root: WorkspaceRoot, path: string): Promise<OpenedDirectory> {
  const { handle, path: below } = await openInside(root, path, constants.O_DIRECTORY);
  const real = join(root.real, below);
  const throughHandle = `/proc/self/fd/${handle.fd}`;
  return { path: real, cwd: existsSync(throughHandle) ? throughHandle : real, close: () => handle.close() };
}

/** Returns the real path of a directory inside the root. Throws the errors of `fileFailure`. */
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

/** Converts a file system error to `not_found`, `permission_denied`, `invalid_path` or `io_error`. */
export function fileFailure(path: string, cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const errno = String((cause as NodeJS.ErrnoException)?.code ?? 'unknown');
  const [code, words] = FAILURE[errno] ?? ['io_error', `file system error ${errno}`];
  return new DomainError(code, `${path}: ${words}`, { data: { errno }, cause });
}

/**
 * Returns the real path of an open file, as reported by Linux. On other systems, resolves the path again;
 * `undefined` if it now leads to another file.
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
