import { access } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/domain-error.ts';
import { runChild } from './child.ts';
import { ripgrepPath } from './ripgrep.ts';
import { realDirectory, type WorkspaceRoot } from './root.ts';

export interface ListRequest {
  /** Folder to list, inside the root; the whole root unless told. */
  under?: string;
  /** Patterns in `.gitignore` syntax; a leading `!` leaves files out, which also wins over `.gitignore`. */
  globs?: readonly string[];
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface FileList {
  /** Relative to the root, with `/`, in code unit order. */
  paths: string[];
  /** Files left out because their names are not valid UTF-8. */
  unreadableNames: number;
}

/**
 * The regular files git would consider: hidden ones too, ignored ones not, symlinks never followed. Ignore files
 * count outside a repository as well.
 */
export async function listFiles(root: WorkspaceRoot, request: ListRequest = {}): Promise<FileList> {
  const folder = await realDirectory(root, request.under ?? '.');
  const chunks: Buffer[] = [];
  const complaints: Buffer[] = [];
  const end = await runChild({
    file: await ripgrepPath(),
    args: await listArguments(folder, request.globs ?? []),
    cwd: folder,
    env: {},
    timeoutMs: request.timeoutMs ?? 60_000,
    signal: request.signal ?? new AbortController().signal,
    clock: systemClock,
    onStdout: (chunk) => chunks.push(chunk),
    onStderr: (chunk) => complaints.push(chunk),
  });
  // Exit 1 means no files; 2 that some folder could not be entered, which must not hide the rest.
  if (end.kind === 'exited' && (end.exitCode <= 1 || chunks.length > 0)) {
    return named(Buffer.concat(chunks), relative(root.real, folder));
  }
  const said = Buffer.concat(complaints).toString().trim();
  throw new DomainError('list_failed', `listing files failed: ${end.kind}`, { data: { said } });
}

async function listArguments(folder: string, globs: readonly string[]): Promise<string[]> {
  const args = [
    '--files',
    '--null',
    '--no-config',
    '--hidden',
    '--no-require-git',
    '--no-ignore-dot',
    '--no-messages',
  ];
  // Git reads ignore files up to the top of the repository; where there is no repository nothing above counts.
  if (!(await insideRepository(folder))) args.push('--no-ignore-parent');
  for (const glob of [...globs, '!.git']) args.push(`--glob=${glob}`);
  return args;
}

async function insideRepository(folder: string): Promise<boolean> {
  const here = await access(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (here) return true;
  const parent = dirname(folder);
  return parent !== folder && insideRepository(parent);
}

function named(output: Buffer, folder: string): FileList {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const paths: string[] = [];
  let unreadableNames = 0;
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    try {
      paths.push(
        join(folder, decoder.decode(output.subarray(start, end)))
          .split(sep)
          .join('/'),
      );
    } catch {
      unreadableNames += 1;
    }
    start = end + 1;
  }
  return { paths: paths.sort(), unreadableNames };
}
