import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { systemClock } from '@secateur/base/runtime/clock.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { isPlainlyThere, trackedFiles } from './list-files/tracked-files.ts';
import { runChild } from './programs/child.ts';
import { ripgrepPath } from './programs/ripgrep.ts';
import { realDirectory, type WorkspaceRoot } from './root.ts';

export interface ListRequest {
  /** Folder to list, inside the root; the whole root unless told. */
  under?: string;
  /** Patterns in `.gitignore` syntax; a leading `!` leaves files out, which also wins over `.gitignore`. */
  globs?: readonly string[];
  /** Ignore files above the folder do not count: somebody named a folder git ignores. */
  apart?: boolean;
  signal?: AbortSignal;
}

export interface FileList {
  /** Relative to the root, with `/`, in code unit order. */
  paths: string[];
  /** Folders that could not be entered, with a `/`; names that are not valid UTF-8, as near as they can be spelled. */
  unlisted: string[];
}

/**
 * The regular files git would consider: hidden ones too, ignored ones only where they are tracked all the same,
 * symlinks never followed. Ignore files count outside a repository as well.
 */
export async function listFiles(root: WorkspaceRoot, request: ListRequest = {}): Promise<FileList> {
  const folder = await realDirectory(root, request.under ?? '.');
  const top = repositoryOf(folder);
  const listed = await runRipgrep(folder, top, request);
  const tracked = top === undefined || request.globs !== undefined ? [] : await trackedBelow(folder, top);
  const forced = await ignoredAllTheSame(folder, tracked, listed.paths);
  const below = (path: string) => join(relative(root.real, folder), path).split(sep).join('/');
  return {
    paths: [...listed.paths, ...forced].map(below).sort(),
    unlisted: listed.unlisted.map(below).sort(),
  };
}

async function trackedBelow(folder: string, top: string): Promise<string[]> {
  const prefix = folder === top ? '' : `${relative(top, folder).split(sep).join('/')}/`;
  const paths = await trackedFiles(top);
  return paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
}

async function ignoredAllTheSame(
  folder: string,
  tracked: readonly string[],
  listed: readonly string[],
): Promise<string[]> {
  if (tracked.length === 0) return [];
  const known = new Set(listed);
  const missing = [...new Set(tracked.filter((path) => !known.has(path)))];
  const there = await Promise.all(missing.map((path) => isPlainlyThere(folder, path)));
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
  // Exit 1 means no files; 2 that some folder could not be entered, which must not hide the rest.
  if (end.kind === 'exited' && (end.exitCode <= 1 || chunks.length > 0)) {
    const { paths, unlisted } = named(Buffer.concat(chunks));
    return { paths, unlisted: [...unlisted, ...foldersRefused(Buffer.concat(complaints).toString())] };
  }
  const said = Buffer.concat(complaints).toString().trim();
  throw new DomainError('list_failed', `listing files failed: ${end.kind}`, { data: { said } });
}

function listArguments(heedAbove: boolean, globs: readonly string[]): string[] {
  const args = [
    '--files',
    '--null',
    '--no-config',
    '--hidden',
    '--no-require-git',
    '--no-ignore-dot',
    '--no-ignore-messages',
  ];
  // Git reads ignore files up to the top of the repository; where there is no repository nothing above counts.
  if (!heedAbove) args.push('--no-ignore-parent');
  for (const glob of [...globs, '!.git']) args.push(`--glob=${glob}`);
  return args;
}

/** The folder that holds the `.git` above this one. */
function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}

/** A name may hold anything; the system's reason behind it is one line. */
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
