import { createHash, hash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { replaceFile } from '@secateur/base/runtime/writing-files.ts';
import { listFiles } from '@secateur/serving/workspace/list-files.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import type { WritingParts } from '../generate.ts';
import { messagesIn } from '../messages.ts';
import { pathInside, type Target } from '../reading/target.ts';
import type { ProgressReport, ReadingParts } from '../reading-parts.ts';
import { wordsOf } from '../words.ts';
import { blocks, inlineCode, table } from '../writing/document/markdown.ts';
import { saveText } from '../writing/save-spec.ts';
import { type BatchPlan, type BatchRequest, outputDirOf } from './plan.ts';
import type { ModuleOutcome } from './write-module.ts';

/** Progress of a batch: one count over all its phases, which only grows. */
export interface BatchProgress {
  /** Reports that the run has begun, before a file was listed. */
  start(): void;
  /** For the phases that read files. */
  reading: ProgressReport;
  writing(state: { done: number; total: number; label: string; cost: number | null }): void;
}

export function batchProgress({
  progress,
  messageLanguage,
}: Pick<ReadingParts, 'progress' | 'messageLanguage'>): BatchProgress {
  const { batchStages: texts, stages } = messagesIn(messageLanguage);
  let before = 0;
  let last = 0;
  let sent = -1;
  // MCP wants every notification to be larger than the one before it.
  const send: ProgressReport = (update) => {
    if (update.done <= sent) return;
    sent = update.done;
    progress?.(update);
  };
  return {
    start: () => send({ done: 0, total: 1, message: stages.scan }),
    reading: ({ done, total, message }) => {
      // A phase that begins counts on from the one before it.
      if (done <= last) before += last;
      last = done;
      send({ done: before + done, total: before + total, message: texts.parsed(done, total, message) });
    },
    writing: ({ done, total, label, cost }) => {
      const read = before + last;
      const message = texts.written(done, total, label) + texts.money(cost);
      send({ done: read + done, total: read + total, message });
    },
  };
}

export interface RunSummary {
  totalModules: number;
  successful: number;
  failed: number;
  skipped: number;
  degraded: number;
  duration: number;
  plan: BatchPlan;
  outcomes: ReadonlyMap<string, ModuleOutcome>;
}

export const SUMMARY_NAME = 'batch-summary.md';

export async function saveSummary(run: RunSummary, clock: Clock): Promise<string> {
  const path = join(run.plan.outputDir, SUMMARY_NAME);
  // A run that had nothing to do leaves no trace in a repository.
  if (run.plan.pending.length > 0 || !existsSync(path))
    await saveText(run.plan.outputDir, SUMMARY_NAME, render(run, clock));
  return path;
}

function render(run: RunSummary, clock: Clock): string {
  const words = wordsOf[run.plan.language];
  const rows = run.plan.modules.map(({ label, reasons }) => {
    const outcome = run.outcomes.get(label);
    if (outcome === undefined) return [inlineCode(label), words.outcomes.skipped, '', '', ''];
    const why = reasons.map((reason) => words.reasons[reason]).join(words.listComma);
    const tokens = 'usage' in outcome ? `${outcome.usage.input + outcome.usage.output}` : '';
    return [inlineCode(label), words.outcomes[outcome.kind], why, tokens, detail(outcome)];
  });
  const { columns } = words;
  return `${blocks(
    `# ${words.summary.title}`,
    words.summary.time(new Date(clock.now()).toISOString(), run.duration / 1000),
    words.summary.counts(run),
    table([columns.module, columns.outcome, columns.why, 'tokens', columns.remark], rows),
  )}\n`;
}

function detail(outcome: ModuleOutcome): string {
  if (outcome.kind === 'failed') return outcome.reason;
  return 'warnings' in outcome ? outcome.warnings.join('；') : '';
}

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
  const file = join(
    cacheDir,
    'runs',
    `${hash('sha256', `${root.absolute}\0${outputDir}`).slice(0, 32)}.json`,
  );
  const key = keyOf(request, parts);
  const before = request.force ? undefined : await savedIn(file);
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

/** Everything but files that decides what a run writes. */
function keyOf({ projectRoot: _, ...request }: BatchRequest, parts: WritingParts): string {
  const { version, language, defaultLanguage, globs, maxFileBytes, tokenBudget, embedBaseline } = parts;
  const model = parts.modelWriter?.model ?? 'none';
  const settings = {
    version,
    language,
    defaultLanguage,
    globs,
    maxFileBytes,
    tokenBudget,
    embedBaseline,
    model,
  };
  return hash('sha256', JSON.stringify({ ...request, ...settings }));
}

async function savedIn(file: string): Promise<Saved | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Saved;
  } catch {
    return undefined;
  }
}

/** Absolute paths of what git knows below the root, and of the files in the folders above it up to the repository's. */
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
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

function documentsIn(outputDir: string): string[] {
  try {
    return readdirSync(outputDir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(outputDir, name))
      .sort();
  } catch {
    return [];
  }
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

/** Folders count by their name: what is in them is listed. */
function look(path: string): { stamp: string; changedAt: number } {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return { stamp: `${path}\0\n`, changedAt: 0 };
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { stamp: `${path}\0${size} ${mtimeMs} ${ctimeMs} ${ino}\n`, changedAt: Math.max(mtimeMs, ctimeMs) };
}

function contentOf(path: string): string {
  try {
    return hash('sha256', readFileSync(path));
  } catch {
    return '';
  }
}
