import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { type Deadline, deadlineIn } from '../runtime/deadline.ts';
import { DomainError } from '../runtime/domain-error.ts';
import { type ChildEnd, runChild } from './child.ts';
import { HeadAndTail } from './head-and-tail.ts';
import { ripgrepPath } from './ripgrep.ts';
import { openInside, type WorkspaceRoot } from './root.ts';
import { FirstMatches } from './search-files/first-matches.ts';
import { MessageReader } from './search-files/message-reader.ts';

export interface SearchRequest {
  pattern: string;
  /** Files and folders inside the root. */
  paths: readonly string[];
  /** A real directory to search from, checked by the caller. */
  cwd: string;
  fixedString: boolean;
  caseSensitive: boolean;
  maxMatches: number;
  timeoutMs: number;
  signal: AbortSignal;
  clock: Clock;
}

/** One matching line. */
export interface SearchMatch {
  /** Relative to the root, with `/`. */
  path: string;
  line: number;
  /** First matching byte of the line, 1-based, as `rg --column` counts. */
  column: number | null;
  text: string;
}

export type SearchOutcome = { durationMs: number } & (
  | { kind: 'searched'; matches: SearchMatch[]; truncated: boolean }
  | { kind: 'failed'; message: string; exitCode: number }
  | { kind: 'timeout' }
  | { kind: 'cancelled' }
  | { kind: 'spawn_error'; errno: string }
);

/**
 * The first `maxMatches` matching lines in path and line order, whatever order the parallel search found them in.
 * Ignored files and `.git` are left out unless named.
 */
export async function searchFiles(root: WorkspaceRoot, request: SearchRequest): Promise<SearchOutcome> {
  const targets = await realTargets(root, request.paths);
  const deadline = deadlineIn(request.timeoutMs, request.clock);
  let outcome = await search({ root, request, targets, deadline, ordered: false });
  // Matches everywhere: searching in order and stopping after the first ones is far less work than finding all.
  if (outcome.kind === 'enough') outcome = await search({ root, request, targets, deadline, ordered: true });
  await sameTargets(root, { paths: request.paths, targets });
  const durationMs = Math.round(request.timeoutMs - deadline.remainingMs());
  return outcome.kind === 'enough' ? { kind: 'timeout', durationMs } : { ...outcome, durationMs };
}

interface Search {
  root: WorkspaceRoot;
  request: SearchRequest;
  targets: readonly string[];
  deadline: Deadline;
  /** One thread, in path order, until there are enough matches; else all cores, to the end. */
  ordered: boolean;
}

async function search({
  root,
  request,
  targets,
  deadline,
  ordered,
}: Search): Promise<SearchOutcome | { kind: 'enough' }> {
  const matches = new FirstMatches(root.real, request.maxMatches);
  const reader = new MessageReader(matches);
  const complaints = new HeadAndTail(4_096);
  const enough = new AbortController();
  // Several paths may overlap, and ripgrep takes them one after the other: then only the whole search is in order.
  const limit = (ordered ? 1 : MATCHES_EVERYWHERE) * request.maxMatches;
  const stoppable = targets.length === 1;
  const end = await runChild({
    file: await ripgrepPath(),
    args: [...searchArguments(request), ...(ordered ? ['--sort=path'] : []), '--', ...targets],
    cwd: request.cwd,
    env: {},
    timeoutMs: deadline.remainingMs(),
    signal: AbortSignal.any([request.signal, enough.signal]),
    clock: request.clock,
    onStdout: (chunk) => {
      reader.push(chunk);
      if (stoppable && matches.seen > limit) enough.abort();
    },
    onStderr: (chunk) => complaints.push(chunk),
  });
  if (enough.signal.aborted && !request.signal.aborted) {
    return ordered
      ? { kind: 'searched', ...matches.sorted(), durationMs: end.durationMs }
      : { kind: 'enough' };
  }
  return outcomeOf(end, { matches, reader, complaint: complaints.text(4_096).text });
}

/** From this multiple of the matches wanted on, the search starts again in order. */
const MATCHES_EVERYWHERE = 8;

/** Opens each path to learn where it really lies; ripgrep then gets real paths and follows no symlink. */
function realTargets(root: WorkspaceRoot, paths: readonly string[]): Promise<string[]> {
  return Promise.all(
    paths.map(async (path) => {
      const opened = await openInside(root, path);
      try {
        const found = await opened.handle.stat();
        if (found.isFile() || found.isDirectory()) return join(root.real, opened.path);
        throw new DomainError('invalid_path', `${path}: is neither a file nor a directory`);
      } finally {
        await opened.handle.close();
      }
    }),
  );
}

/** A path that leads elsewhere after the search may have led elsewhere during it: then nothing is shown. */
async function sameTargets(
  root: WorkspaceRoot,
  { paths, targets }: { paths: readonly string[]; targets: readonly string[] },
): Promise<void> {
  const now = await realTargets(root, paths);
  if (now.every((target, index) => target === targets[index])) return;
  throw new DomainError('invalid_path', 'a searched path was replaced during the search');
}

function searchArguments({ pattern, fixedString, caseSensitive, maxMatches }: SearchRequest): string[] {
  return [
    '--json',
    '--no-config',
    '--no-messages',
    '--hidden',
    '--glob=!.git',
    // Lines of a file come in order: no file can contribute more than this.
    `--max-count=${maxMatches + 1}`,
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(fixedString ? ['--fixed-strings'] : []),
    `--regexp=${pattern}`,
  ];
}

interface Collected {
  matches: FirstMatches;
  reader: MessageReader;
  complaint: string;
}

function outcomeOf(end: ChildEnd, { matches, reader, complaint }: Collected): SearchOutcome {
  const { durationMs } = end;
  if (end.kind === 'spawn_error') return { kind: 'spawn_error', errno: end.errno, durationMs };
  if (end.kind !== 'exited') return { kind: end.kind, durationMs };
  // Exit 1 means no match. Exit 2 after a summary means that some file could not be read: the rest still counts.
  if (end.exitCode <= 1 || (end.exitCode === 2 && reader.summarised)) {
    return { kind: 'searched', ...matches.sorted(), durationMs };
  }
  return { kind: 'failed', message: complaint.trim(), exitCode: end.exitCode, durationMs };
}
