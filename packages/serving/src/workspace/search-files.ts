import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { type Deadline, deadlineIn } from '@secateur/base/runtime/time.ts';
import type { WorkspaceRoot } from './root.ts';
import { HeadAndTail } from './run-command.ts';
import { type ChildEnd, type ChildRequest, ripgrepPath, runChild } from './run-program.ts';
import {
  closeTargets,
  FirstMatches,
  MessageReader,
  openTargets,
  type SearchTarget,
} from './search-files/message-reader.ts';
export interface SearchRequest extends Pick<ChildRequest, 'timeoutMs' | 'signal' | 'clock' | 'slots'> {
  pattern: string;
  /** Files and folders to search, inside the root. */
  paths: readonly string[];
  fixedString: boolean;
  caseSensitive: boolean;
  maxMatches: number;
  /** Whether ripgrep gets open files instead of paths. Default: true if the system has `/proc`. */
  throughHandles?: boolean;
}

export interface SearchMatch {
  /** Path relative to the root, with `/`. */
  path: string;
  line: number;
  /** First matching byte of the line, 1-based, as in `rg --column`. */
  column: number | null;
  text: string;
}

export interface SearchResult {
  matches: SearchMatch[];
  /** Whether a match shows only part of its line. */
  hasCutLines: boolean;
  /** Number of matching lines, including those above `maxMatches`. */
  matchCount: number;
  /** Whether all lines were counted. If the time was too short, there may be more than `matchCount`. */
  isCountExact: boolean;
}

type Unsearched =
  | { kind: 'failed'; message: string; exitCode: number }
  | { kind: 'timeout' }
  | { kind: 'cancelled' }
  | { kind: 'spawn_error'; errno: string };

export type SearchOutcome = ({ kind: 'searched' } & SearchResult) | Unsearched;

/**
 * Returns the first `maxMatches` matching lines by path and line. ripgrep searches in parallel and reports
 * them in any order. Skips `.git` and ignored files unless they are given as paths.
 */
export async function searchFiles(root: WorkspaceRoot, request: SearchRequest): Promise<SearchOutcome> {
  const deadline = deadlineIn(request.timeoutMs, request.clock);
  const targets = await openTargets(root, [...new Set(request.paths)]);
  try {
    const throughHandles = request.throughHandles ?? existsSync(`/proc/self/fd/${targets[0]?.handle.fd}`);
    const runs = (throughHandles ? runsThroughHandles : runsThroughPaths)(root, targets);
    const outcome = await counted({ request, runs, deadline });
    if (!throughHandles) await requireSame(root, { paths: request.paths, targets });
    return outcome;
  } finally {
    await closeTargets(targets);
  }
}

/** Throws if a path leads to another file after the search, because it may have changed during the search. */
async function requireSame(
  root: WorkspaceRoot,
  { paths, targets }: { paths: readonly string[]; targets: readonly SearchTarget[] },
): Promise<void> {
  const now = await openTargets(root, [...new Set(paths)]);
  await closeTargets(now);
  if (now.every(({ path }, index) => path === targets[index]?.path)) return;
  throw new DomainError('invalid_path', 'a searched path was replaced during the search');
}

interface Search {
  request: SearchRequest;
  runs: readonly SearchRun[];
  deadline: Deadline;
}

type Found = Unsearched | ({ kind: 'searched' } & ReturnType<FirstMatches['sorted']>);

/** Returns the first matches, and the number of all. */
async function counted(search: Search): Promise<SearchOutcome> {
  const found = await searchTwiceIfNeeded(search);
  if (found.kind !== 'searched') return found;
  const { hasMore, ...searched } = found;
  const shown = searched.matches.length;
  const total = hasMore ? await countAll(search) : shown;
  // ripgrep counts no matches in a file with binary data after the first match, so `total` may be too small.
  if (total !== undefined && (total > shown || !hasMore))
    return { ...searched, matchCount: total, isCountExact: true };
  return { ...searched, matchCount: shown, isCountExact: false };
}

/** Returns the number of matching lines; `undefined` if the time was too short. */
async function countAll({ request, runs, deadline }: Search): Promise<number | undefined> {
  const counter = new MatchCounter({ pathsMayOverlap: pathsOf(runs).length > 1 });
  const stop = new AbortController();
  for (const run of runs) {
    const { kind } = await runChild({
      ...childOf(request, run),
      args: ['--count', '--with-filename', '--null', ...patternArguments(request), '--', ...run.paths],
      timeoutMs: deadline.remainingMs(),
      signal: AbortSignal.any([request.signal, stop.signal]),
      file: await ripgrepPath(),
      onStdout: (chunk) => {
        counter.push(chunk, run.name);
        if (counter.isFull) stop.abort();
      },
      onStderr: () => {},
    });
    if (kind !== 'exited') return undefined;
  }
  return counter.total;
}

function pathsOf(runs: readonly SearchRun[]): string[] {
  return runs.flatMap(({ paths }) => paths);
}

function childOf({ clock, slots }: SearchRequest, { cwd, inherit }: SearchRun) {
  return { cwd, env: {}, inherit, clock, slots };
}

/**
 * Searches in any order. If there are many more matches than wanted, searches again in path order, because
 * stopping after the first matches is then faster than finding all.
 */
async function searchTwiceIfNeeded(search: Search): Promise<Found> {
  const all = await searchAll(search);
  if (all.kind !== 'too_many') return all;
  const { maxMatches } = search.request;
  const matches = new FirstMatches(maxMatches);
  const end = await searchRun({ ...search, run: all.run, matches, ordered: true, stopAfter: maxMatches });
  return end === 'stopped' ? { kind: 'searched', ...matches.sorted() } : end;
}

/** Factor of the wanted matches above which the search is started again in path order. */
const MATCHES_EVERYWHERE = 8;

async function searchAll(search: Search): Promise<Found | { kind: 'too_many'; run: SearchRun }> {
  const { maxMatches } = search.request;
  const matches = new FirstMatches(maxMatches);
  // Several paths may overlap and are searched in the given order, so all matches are needed.
  const isOnePath = pathsOf(search.runs).length === 1;
  const stopAfter = isOnePath ? MATCHES_EVERYWHERE * maxMatches : Number.POSITIVE_INFINITY;
  for (const run of search.runs) {
    const end = await searchRun({ ...search, run, matches, ordered: false, stopAfter });
    if (end === 'stopped') return { kind: 'too_many', run };
    if (end.kind !== 'searched') return end;
  }
  return { kind: 'searched', ...matches.sorted() };
}

interface OneRun extends Search {
  run: SearchRun;
  matches: FirstMatches;
  /** Whether to search in path order, with one thread. Default: in any order, with all cores. */
  ordered: boolean;
  stopAfter: number;
}

async function searchRun(one: OneRun): Promise<Found | 'stopped'> {
  const { request, run, matches, ordered, stopAfter, deadline } = one;
  const reader = new MessageReader(matches, run.name);
  const complaints = new HeadAndTail(4_096);
  const stop = new AbortController();
  const end = await runChild({
    ...childOf(request, run),
    file: await ripgrepPath(),
    args: [...searchArguments(request), ...(ordered ? ['--sort=path'] : []), '--', ...run.paths],
    timeoutMs: deadline.remainingMs(),
    signal: AbortSignal.any([request.signal, stop.signal]),
    onStdout: (chunk) => {
      reader.push(chunk);
      if (matches.seen > stopAfter) stop.abort();
    },
    onStderr: (chunk) => complaints.push(chunk),
  });
  if (stop.signal.aborted && !request.signal.aborted) return 'stopped';
  return outcomeOf(end, { matches, reader, complaint: complaints.text(4_096).text });
}

function searchArguments(request: SearchRequest): string[] {
  // ripgrep reports the lines of a file in order, so no more matches per file are needed.
  return ['--json', `--max-count=${request.maxMatches + 1}`, ...patternArguments(request)];
}

function patternArguments({ pattern, fixedString, caseSensitive }: SearchRequest): string[] {
  return [
    '--no-config',
    '--no-messages',
    // Makes `$` match before the `\r` of a Windows line.
    '--crlf',
    '--hidden',
    '--glob=!.git',
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(fixedString ? ['--fixed-strings'] : []),
    `--regexp=${pattern}`,
  ];
}

function outcomeOf(
  end: ChildEnd,
  { matches, reader, complaint }: { matches: FirstMatches; reader: MessageReader; complaint: string },
): Found {
  if (end.kind === 'spawn_error') return { kind: 'spawn_error', errno: end.errno };
  if (end.kind !== 'exited') return { kind: end.kind };
  // Exit code 1 means no match; 2 after a summary means that a file could not be read.
  if (end.exitCode <= 1 || (end.exitCode === 2 && reader.summarised)) {
    return { kind: 'searched', ...matches.sorted() };
  }
  return { kind: 'failed', message: complaint.trim(), exitCode: end.exitCode };
}

/** Maximum number of file names that are remembered. */
const MAX_NAMES = 100_000;

/** Adds up the output of `rg --count --with-filename --null`: a name, a NUL, the number of matching lines and a line break per file. */
class MatchCounter {
  total = 0;
  /** Whether there are too many files to remember all names. Counting then stops. */
  isFull = false;
  readonly #counted: Set<string> | undefined;
  #rest = '';

  /** `pathsMayOverlap`: a file may be reported more than once. */
  constructor({ pathsMayOverlap }: { pathsMayOverlap: boolean }) {
    this.#counted = pathsMayOverlap ? new Set() : undefined;
  }

  /** Reads a chunk. `name` converts a printed name to the one that is the same in all runs. */
  push(chunk: Buffer, name: (printed: string) => string): void {
    this.#rest += chunk.toString('latin1');
    let start = 0;
    for (;;) {
      const nul = this.#rest.indexOf('\0', start);
      const end = nul === -1 ? -1 : this.#rest.indexOf('\n', nul);
      if (end === -1) break;
      const printed = Buffer.from(this.#rest.slice(start, nul), 'latin1').toString('utf8');
      this.#add(name(printed), Number(this.#rest.slice(nul + 1, end)));
      start = end + 1;
    }
    this.#rest = this.#rest.slice(start);
  }

  #add(name: string, count: number): void {
    if (this.#counted?.has(name)) return;
    this.#counted?.add(name);
    this.total += count;
    this.isFull ||= (this.#counted?.size ?? 0) > MAX_NAMES;
  }
}

interface SearchRun {
  cwd: string;
  paths: string[];
  /** Open files that are passed to ripgrep as descriptors 3, 4, … */
  inherit: number[];
  /** Converts a name that ripgrep prints to the caller's name of the file. */
  name(printed: string): string;
}

const FIRST_INHERITED = 3;

/**
 * Returns the runs of ripgrep for the targets. They get open folders and files instead of paths, because a
 * path may lead to another file after it was checked.
 */
function runsThroughHandles(root: WorkspaceRoot, targets: readonly SearchTarget[]): SearchRun[] {
  const folders = targets.filter(({ isDirectory }) => isDirectory);
  const files = targets.filter(({ isDirectory }) => !isDirectory);
  const runs = folders.map(({ handle, path }) => ({
    cwd: `/proc/self/fd/${handle.fd}`,
    paths: ['.'],
    inherit: [],
    name: (printed: string) => portable(join(path, printed)),
  }));
  if (files.length === 0) return runs;
  const descriptors = files.map((_, index) => `/proc/self/fd/${FIRST_INHERITED + index}`);
  const inherit = files.map(({ handle }) => handle.fd);
  const name = (printed: string) => portable(files[descriptors.indexOf(printed)]?.path ?? printed);
  return [...runs, { cwd: root.real, paths: descriptors, inherit, name }];
}

/** Returns the runs of ripgrep with real paths, for systems without `/proc`. The paths are checked again after the search. */
function runsThroughPaths(root: WorkspaceRoot, targets: readonly SearchTarget[]): SearchRun[] {
  const paths = targets.map(({ path }) => join(root.real, path));
  const name = (printed: string) => portable(relative(root.real, printed));
  return [{ cwd: root.real, paths, inherit: [], name }];
}

function portable(path: string): string {
  return path.split(sep).join('/');
}
