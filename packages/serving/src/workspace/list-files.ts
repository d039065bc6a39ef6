import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { attempt, DomainError } from '@secateur/base/runtime/domain-error.ts';
import { systemClock } from '@secateur/base/runtime/time.ts';
import { realDirectory, type WorkspaceRoot } from './root.ts';
import { ripgrepPath, runChild } from './run-program.ts';
export interface ListRequest {
  /** Directory to list, inside the root. Default: the root. */
  under?: string;
  /** Patterns in `.gitignore` syntax. A pattern with a leading `!` excludes files, even if `.gitignore` includes them. */
  globs?: readonly string[];
  /** Whether to ignore the ignore files above the directory. Set if the caller names a directory that git ignores. */
  apart?: boolean;
  signal?: AbortSignal;
}

export interface FileList {
  /** Paths relative to the root, with `/`, sorted by code units. */
  paths: string[];
  /** Folders that could not be opened, with a final `/`, and names that are not UTF-8, with invalid bytes replaced. */
  unlisted: string[];
}

/**
 * Returns the regular files that git would list, including hidden files. Ignored files are listed only if
 * they are tracked. Symlinks are not followed. Ignore files also apply outside of a repository.
 */
export async function listFiles(root: WorkspaceRoot, request: ListRequest = {}): Promise<FileList> {
  const folder = await realDirectory(root, request.under ?? '.');
  const top = repositoryOf(folder);
  const listed = await runRipgrep(folder, top, request);
  const tracked = top === undefined || request.globs !== undefined ? [] : trackedBelow(folder, top);
  const forced = await ignoredAllTheSame(folder, tracked, listed.paths);
  const below = (path: string) => join(relative(root.real, folder), path).split(sep).join('/');
  return {
    paths: [...listed.paths, ...forced].map(below).sort(),
    unlisted: listed.unlisted.map(below).sort(),
  };
}

function trackedBelow(folder: string, top: string): string[] {
  const prefix = folder === top ? '' : `${relative(top, folder).split(sep).join('/')}/`;
  const paths = trackedFiles(top).filter((path) => path.startsWith(prefix));
  return paths.map((path) => path.slice(prefix.length));
}

async function ignoredAllTheSame(folder: string, tracked: readonly string[], listed: readonly string[]) {
  if (tracked.length === 0) return [];
  const known = new Set(listed);
  const missing = [...new Set(tracked.filter((path) => !known.has(path)))];
  const there = await Promise.all(missing.map((path) => existsWithoutSymlinks(folder, path)));
  return missing.filter((_path, at) => there[at]);
}

async function runRipgrep(folder: string, top: string | undefined, request: ListRequest): Promise<FileList> {
  const chunks: Buffer[] = [];
  const complaints: Buffer[] = [];
  const end = await runChild({
    file: await ripgrepPath(),
    args: listArguments(top !== undefined && request.apart !== true, request.globs ?? []),
    cwd: folder,
    env: {},
    timeoutMs: 60_000,
    signal: request.signal ?? new AbortController().signal,
    clock: systemClock,
    onStdout: (chunk) => chunks.push(chunk),
    onStderr: (chunk) => complaints.push(chunk),
  });
  // Exit code 1 means that no file was found; 2, that a folder could not be opened. The other files are still
  // returned.
  if (end.kind === 'exited' && (end.exitCode <= 1 || chunks.length > 0)) {
    const { paths, unlisted } = named(Buffer.concat(chunks));
    return { paths, unlisted: [...unlisted, ...foldersRefused(Buffer.concat(complaints).toString())] };
  }
  const said = Buffer.concat(complaints).toString().trim();
  throw new DomainError('list_failed', `listing files failed: ${end.kind}`, { data: { said } });
}

function listArguments(heedAbove: boolean, globs: readonly string[]): string[] {
  const args =
    '--files --null --no-config --hidden --no-require-git --no-ignore-dot --no-ignore-messages'.split(' ');
  // Git reads ignore files up to the top of the repository. Outside of a repository, ignore files above do
  // not apply.
  if (!heedAbove) args.push('--no-ignore-parent');
  for (const glob of [...globs, '!.git']) args.push(`--glob=${glob}`);
  return args;
}

/** Returns the nearest folder above that contains `.git`. */
function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}

/** Each message has a name, which may contain anything, and then the system's reason on one line. */
function foldersRefused(complaints: string): string[] {
  const [, ...refusals] = complaints.split(/^rg: \.\//m);
  return refusals.flatMap((refusal) => {
    const end = refusal.search(/: [^\n:]{0,200}\(os error \d{1,9}\)$/m);
    return end === -1 ? [] : [`${refusal.slice(0, end)}/`];
  });
}

function named(output: Buffer): FileList {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const paths: string[] = [];
  const unlisted: string[] = [];
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    const name = output.subarray(start, end);
    try {
      paths.push(decoder.decode(name));
    } catch {
      unlisted.push(name.toString('utf8'));
    }
    start = end + 1;
  }
  return { paths, unlisted };
}

const HEADER_BYTES = 12;
/** Offsets in an index entry. Times, device, inode, mode, owner, size and a SHA-1 come before the flags. */
const [MODE_AT, FLAGS_AT, PATH_AT] = [24, 60, 62];
const EXTENDED = 0x4000;
const REGULAR_FILE = 8;

/**
 * Lists the files that git tracks, relative to the top of the repository. Ignore files do not apply to them.
 * Reads the index itself, because git could run programs of the repository. Empty if the index is missing or
 * has an unknown format.
 */
function trackedFiles(top: string): string[] {
  return attempt(() => readIndex(readPlainFile(join(gitFolder(top), 'index'), MAX_INDEX_BYTES))) ?? [];
}

/** Maximum bytes of an index. An index of a million files has about 100 MB. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_POINTER_BYTES = 8192;

/** Reads a file of the repository. It may be a pipe, a device or endless, so it is opened with care. */
function readPlainFile(path: string, maxBytes: number): Buffer {
  const file = readRegularFile(path, { maxBytes, followLinks: true });
  if (file.kind === 'refused') throw new Error(file.reason);
  return file.bytes;
}

/** Returns the directory of git. In a worktree or submodule, `.git` is a file that names it. */
function gitFolder(top: string): string {
  const place = join(top, '.git');
  const text = attempt(() => String(readPlainFile(place, MAX_POINTER_BYTES))) ?? '';
  const prefix = 'gitdir: ';
  return text.startsWith(prefix) ? resolve(top, text.slice(prefix.length).trimEnd()) : place;
}

function readIndex(index: Buffer): string[] {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return [];
  const paths: string[] = [];
  let [at, previous] = [HEADER_BYTES, Buffer.alloc(0)];
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const isExtended = (index.readUInt16BE(at + FLAGS_AT) & EXTENDED) !== 0;
    const start = at + PATH_AT + (isExtended ? 2 : 0);
    const entry = version === 4 ? readShortened(index, start, previous) : readPadded(index, { at, start });
    if (index.readUInt32BE(at + MODE_AT) >>> 12 === REGULAR_FILE) paths.push(entry.path.toString('utf8'));
    [at, previous] = [entry.end, entry.path];
  }
  return paths;
}

interface IndexEntry {
  path: Buffer<ArrayBuffer>;
  end: number;
}

/** Reads an entry that ends with one to eight NULs. The next entry then begins at a multiple of eight. */
function readPadded(index: Buffer, { at, start }: { at: number; start: number }): IndexEntry {
  const stop = index.indexOf(0, start);
  return { path: Buffer.from(index.subarray(start, stop)), end: at + (Math.floor((stop - at) / 8) + 1) * 8 };
}

/** Reads an entry that keeps a part of the previous path. It states how much to remove from its end, and what to append. */
function readShortened(index: Buffer, start: number, previous: Buffer): IndexEntry {
  let at = start;
  let cut = index.readUInt8(at) & 0x7f;
  while ((index.readUInt8(at) & 0x80) !== 0) {
    at += 1;
    cut = (cut + 1) * 128 + (index.readUInt8(at) & 0x7f);
  }
  const stop = index.indexOf(0, at + 1);
  const kept = previous.subarray(0, previous.length - cut);
  return { path: Buffer.concat([kept, index.subarray(at + 1, stop)]), end: stop + 1 };
}

/** Whether a path exists and contains no symlink. An index can contain any name. */
async function existsWithoutSymlinks(folder: string, path: string): Promise<boolean> {
  const wanted = join(folder, path);
  return (await realpath(wanted).catch(() => undefined)) === wanted;
}
