import { createHash, hash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '@secateur/base/runtime/writing-files.ts';
import { listFiles } from '@secateur/serving/workspace/list-files.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import type { WritingParts } from '../generate.ts';
import type { ReadingParts } from '../parts.ts';
import { pathInside, type Target } from '../reading/target.ts';
import { saveText } from '../writing/save-spec.ts';
import { type BatchRequest, outputDirOf } from './plan.ts';

/** State after the last complete run of a project: if every file is as it was, there is nothing to read. */
export interface LastRun {
  /** The number of modules, if nothing changed since that run. */
  unchangedModules: number | undefined;
  /** Remembers this run: the sources as they were before it, the documents as they are now. */
  remember(totalModules: number): Promise<void>;
}

interface Saved {
  key: string;
  totalModules: number;
  sources: Snapshot;
  documents: Snapshot;
}

/** Stamps of files as one hash; files that were written moments before have their content instead, since a stamp proves nothing there. */
interface Snapshot {
  stamps: string;
  recent: Record<string, string>;
}

const RACE_MS = 2_000;

export async function openLastRun(
  request: BatchRequest,
  root: Target,
  parts: WritingParts,
): Promise<LastRun> {
  const { cacheDir } = parts;
  if (cacheDir === undefined) return { unchangedModules: undefined, remember: async () => {} };
  const outputDir = outputDirOf(request, parts.cwd);
  const name = hash('sha256', `${root.absolute}\0${outputDir}`).slice(0, 32);
  const file = join(cacheDir, 'runs', `${name}.json`);
  const key = keyOf(request, parts);
  const before = request.force ? undefined : await savedIn<Saved>(file);
  const sources = await sourcesOf(root, outputDir, parts.signal);
  const isSame =
    before?.key === key &&
    matches(before.sources, sources) &&
    matches(before.documents, documentsIn(outputDir));
  const snapshot = isSame ? undefined : snapshotOf(sources, parts.clock.now());
  return {
    unchangedModules: isSame ? before.totalModules : undefined,
    remember: async (totalModules) => {
      if (snapshot === undefined) return;
      const documents = snapshotOf(documentsIn(outputDir), parts.clock.now());
      const saved: Saved = { key, totalModules, sources: snapshot, documents };
      // A disk that takes nothing more costs the next run its time.
      await replaceFile(file, JSON.stringify(saved)).catch(() => {});
    },
  };
}

/** Hash of the request and settings that decide what a run writes. */
function keyOf({ projectRoot: _, ...request }: BatchRequest, parts: WritingParts): string {
  const { version, language, defaultLanguage, globs, maxFileBytes, tokenBudget, embedBaseline } = parts;
  const model = parts.modelWriter?.model ?? 'none';
  const reading = { globs, maxFileBytes, tokenBudget };
  const writing = { language, defaultLanguage, embedBaseline, model };
  return hash('sha256', JSON.stringify({ ...request, version, ...reading, ...writing }));
}

/** Returns what is saved in a file; undefined if the file is missing or damaged. */
async function savedIn<Content>(file: string): Promise<Content | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Content;
  } catch {
    return undefined;
  }
}

/** Absolute paths of the files that git lists below the root, and of the files in each folder above it up to the repository. */
async function sourcesOf(
  { absolute }: Target,
  outputDir: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { paths } = await listFiles(await openRoot(absolute), { ...(signal && { signal }) });
  const own = paths.map((path) => join(absolute, path));
  const below = own.filter((path) => pathInside(outputDir, path) === undefined);
  return [...below, ...foldersAbove(absolute).flatMap(filesIn)];
}

/** Up to the folder with `.git`; none outside a repository. */
function foldersAbove(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; !existsSync(join(at, '.git')); at = dirname(at)) {
    if (dirname(at) === at) return [];
    folders.push(dirname(at));
  }
  return folders;
}

function filesIn(folder: string): string[] {
  const entries = orElse([], () => readdirSync(folder, { withFileTypes: true }));
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}

function documentsIn(outputDir: string): string[] {
  const names = orElse([], () => readdirSync(outputDir, { recursive: true, encoding: 'utf8' }));
  return names.map((name) => join(outputDir, name)).sort();
}

function snapshotOf(paths: readonly string[], now: number): Snapshot {
  const recent: Record<string, string> = {};
  const stamps = createHash('sha256');
  for (const path of paths) {
    const { stamp, changedAt } = look(path);
    if (changedAt + RACE_MS < now) stamps.update(stamp);
    else recent[path] = contentOf(path);
  }
  return { stamps: stamps.digest('hex'), recent };
}

function matches({ stamps: before, recent }: Snapshot, paths: readonly string[]): boolean {
  const stamps = createHash('sha256');
  const left = new Set(Object.keys(recent));
  for (const path of paths) {
    const content = recent[path];
    if (content === undefined) stamps.update(look(path).stamp);
    else if (contentOf(path) !== content) return false;
    left.delete(path);
  }
  return left.size === 0 && stamps.digest('hex') === before;
}

/** A folder counts by its name: the files in it are listed separately. */
function look(path: string): { stamp: string; changedAt: number } {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return { stamp: `${path}\0\n`, changedAt: 0 };
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { stamp: `${path}\0${size} ${mtimeMs} ${ctimeMs} ${ino}\n`, changedAt: Math.max(mtimeMs, ctimeMs) };
}

function contentOf(path: string): string {
  return orElse('', () => hash('sha256', readFileSync(path)));
}

/** Returns the fallback if the file or folder cannot be read. */
function orElse<Value>(fallback: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return fallback;
  }
}

const NAME = '.reverse-spec-batch.json';

/**
 * Remembers when a run began until it has ended. Every finished spec carries its own structure hash and time,
 * so this timestamp is all a resumed run needs: it separates the specs of the killed run from older ones.
 */
export interface Checkpoint {
  /** Start of the resumed run; undefined if this is a new one. */
  startedAt: string | undefined;
  clear(): Promise<void>;
}

export async function openCheckpoint(
  request: BatchRequest,
  { cwd, clock }: Pick<ReadingParts, 'cwd' | 'clock'>,
): Promise<Checkpoint> {
  const directory = outputDirOf(request, cwd);
  const startedAt = await interruptedRun(join(directory, NAME), request.force);
  if (startedAt === undefined) {
    const text = JSON.stringify({ startedAt: new Date(clock.now()).toISOString(), force: request.force });
    await saveText(directory, NAME, `${text}\n`);
  }
  return { startedAt, clear: () => rm(join(directory, NAME), { force: true }) };
}

async function interruptedRun(file: string, force: boolean): Promise<string | undefined> {
  const saved = await savedIn<{ startedAt?: unknown; force?: unknown } | null>(file);
  return saved?.force === force && typeof saved.startedAt === 'string' ? saved.startedAt : undefined;
}
