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

interface Saved {
  key: string;
  totalModules: number;
  sources: Snapshot;
  documents: Snapshot;
}

/**
 * State of files: a hash of all stamps, and content hashes of recent files, because a stamp does not show
 * that a file was written twice within `RACE_MS`.
 */
interface Snapshot {
  stamps: string;
  recent: Record<string, string>;
}

const RACE_MS = 2_000;

/** Compares the files with their state after the last complete run. If nothing changed, no file has to be read. */
export async function openLastRun(request: BatchRequest, root: Target, parts: WritingParts) {
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
    /** Number of modules, if nothing changed since the last complete run. */
    unchangedModules: isSame ? before.totalModules : undefined,
    /** Saves the state of the sources before this run, and of the documents now. */
    remember: async (totalModules: number) => {
      if (snapshot === undefined) return;
      const documents = snapshotOf(documentsIn(outputDir), parts.clock.now());
      const saved: Saved = { key, totalModules, sources: snapshot, documents };
      // A failed write only makes the next run slower.
      await replaceFile(file, JSON.stringify(saved)).catch(() => {});
    },
  };
}

/** Returns a hash of the request and of all settings that affect what a run writes. */
function keyOf({ projectRoot: _, ...request }: BatchRequest, parts: WritingParts): string {
  const { version, language, defaultLanguage, globs, maxFileBytes, tokenBudget, embedBaseline } = parts;
  const model = parts.modelWriter?.model ?? 'none';
  const reading = { globs, maxFileBytes, tokenBudget };
  const writing = { language, defaultLanguage, embedBaseline, model };
  return hash('sha256', JSON.stringify({ ...request, version, ...reading, ...writing }));
}

/** Returns the content of a JSON file; undefined if the file is missing or damaged. */
async function savedIn<Content>(file: string): Promise<Content | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Content;
  } catch {
    return undefined;
  }
}

/** Returns absolute paths: of all files that git lists below the root, and of the files in the folders above it. */
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

/** Returns the folders above a folder, up to the one with `.git`. Empty outside of a repository. */
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

/** Returns the stamp of a path. For a folder it is only the name, because the files in it are listed too. */
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
 * Records the start time of a run until the run ends. If the previous run was interrupted, returns its start
 * time: specs written since then need not be written again.
 */
export async function openCheckpoint(request: BatchRequest, { cwd, clock }: ReadingParts) {
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
