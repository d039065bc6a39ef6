import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { compareBaselines } from './drift/compare.ts';
import { withoutServedNames } from './drift/export-changes.ts';
import {
  type DriftItem,
  type DriftSummary,
  type DriftTexts,
  itemsOf,
  renderDriftReport,
  summaryOf,
} from './drift/report.ts';
import { messagesIn, specError } from './locales.ts';
import type { ReadingParts } from './parts.ts';
import { roleOf, scanTarget, writtenByPeople } from './prepare/scope.ts';
import { readFacts } from './reading/read-facts.ts';
import { pathInside, resolveTarget, type Target } from './reading/target.ts';
import { type Baseline, baselineOf, readBaselineOf } from './writing/document/baseline.ts';
import { readFrontMatter } from './writing/document/document-text.ts';
import { saveText } from './writing/save-spec.ts';

export interface DriftRequest {
  specPath: string;
  sourcePath: string;
  /** Whether to write a Markdown report into `drift-logs` next to the spec. Default: false. */
  report?: boolean;
}

export interface DriftReport {
  specPath: string;
  sourcePath: string;
  generatedAt: string;
  specVersion: string;
  summary: DriftSummary;
  items: DriftItem[];
  /** Number of differences without meaning: in formatting, comments or import order. */
  filteredNoise: number;
  recommendation: string;
  /** Path of the Markdown report; null if none was requested or it could not be written. */
  outputPath: string | null;
}

/** Compares the baseline of a spec with the current sources. Uses no model and no network. */
export async function detectDrift(request: DriftRequest, parts: ReadingParts): Promise<DriftReport> {
  const specPath = resolve(parts.cwd, request.specPath);
  const document = await readSpecDocument(specPath, request.specPath);
  const baseline = await requireBaseline(specPath, document, request.specPath);
  const target = await resolveTarget(request.sourcePath, parts.cwd);
  const { before, after, unreadable } = await readStates(target, baseline, parts);
  const comparison = await withoutServedNames(compareBaselines(before, after), { base: target.base, after });
  const { drift: texts } = messagesIn(parts.messageLanguage);
  const items = itemsOf(comparison, texts);
  const summary = summaryOf(items);
  const report: DriftReport = {
    specPath: request.specPath,
    sourcePath: request.sourcePath,
    generatedAt: new Date(parts.clock.now()).toISOString(),
    specVersion: readFrontMatter(document).version ?? 'v1',
    summary,
    items,
    filteredNoise: comparison.noise,
    recommendation: recommend(summary, unreadable, texts),
    outputPath: null,
  };
  return request.report === true
    ? { ...report, outputPath: await saveReport(specPath, report, texts.report) }
    : report;
}

function recommend(
  { high, medium, low }: DriftSummary,
  unreadable: readonly string[],
  { advice, doubt }: DriftTexts,
): string {
  const doubts = unreadable.length === 0 ? '' : doubt(unreadable.length);
  if (high > 0) return advice.high(high) + doubts;
  if (medium > 0) return advice.medium(medium) + doubts;
  return (low > 0 ? advice.low(low) : advice.none) + doubts;
}

async function saveReport(
  specPath: string,
  report: DriftReport,
  texts: DriftTexts['report'],
): Promise<string | null> {
  const folder = join(dirname(specPath), 'drift-logs');
  const name = `${basename(specPath).replace(/(?:\.spec)?\.md$/, '')}.drift.md`;
  try {
    await saveText(folder, name, renderDriftReport(report, texts));
    return join(folder, name);
  } catch {
    // In a read-only checkout (CI) the result is returned without a report file.
    return null;
  }
}

/** State of the sources when the spec was written, and now. Paths are relative to the project. */
interface SpecStates {
  before: Baseline;
  after: Baseline;
  /** Files that have syntax errors or can no longer be read. */
  unreadable: string[];
}

async function readSpecDocument(file: string, named: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause) => {
    throw specError('spec_not_found', { path: named }, cause);
  });
}

export async function requireBaseline(specPath: string, document: string, named: string): Promise<Baseline> {
  const reading = await readBaselineOf(specPath, document);
  if (reading.kind === 'read') return reading.baseline;
  if (reading.kind === 'missing') throw specError('baseline_missing', { path: named });
  throw specError('baseline_damaged', { path: named, damage: reading.damage });
}

/** Reads the current sources that a spec is about. For the spec of one folder, sub-folders with a spec are omitted. */
export async function readStates(
  target: Target,
  baseline: Baseline,
  parts: ReadingParts,
): Promise<SpecStates> {
  const scope = target.scope === 'tree' && baseline.scope === 'folder' ? 'folder' : target.scope;
  const scoped = { ...target, scope, ...withoutBelow(target, baseline) };
  const modulesOnly = baseline.files.every(({ path }) => roleOf(path) === 'source');
  const kept = new Set(inProject(baseline, target.path).files.map(({ path }) => path));
  const scan = await scanTarget(scoped, { ...parts, modulesOnly, kept });
  const { files: read, notes } = await readFacts(scoped, scan.paths, parts);
  const files = modulesOnly ? writtenByPeople(read, { globs: parts.globs, scope }) : read;
  const broken = files
    .filter(({ skeleton }) => skeleton.parseErrors !== undefined)
    .map(({ skeleton }) => skeleton.filePath);
  return {
    before: inProject(narrowed(baseline, target), target.path),
    after: inProject(baselineOf({ target: target.path, scope, files }), target.path),
    unreadable: [
      ...broken,
      ...Object.keys(notes).filter((path) => baseline.files.some((file) => endsWithPath(path, file.path))),
      ...Object.keys(scan.notes),
    ],
  };
}

/** Returns the folders that are not read because other documents describe them. */
function withoutBelow({ path }: Target, { without }: Baseline): Pick<Target, 'without'> {
  if (without === undefined) return {};
  return { without: without.map((folder) => (path === '.' ? folder : `${path}/${folder}`)) };
}

/** Makes the paths of a baseline relative to the project. They are stored relative to its target. */
export function inProject(baseline: Baseline, target: string): Baseline {
  const whole = (path: string) => {
    if (baseline.scope === 'file') return target;
    return target === '.' ? path : `${target}/${path}`;
  };
  return { ...baseline, files: baseline.files.map((file) => ({ ...file, path: whole(file.path) })) };
}

function endsWithPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

/** Reduces the baseline of a folder to one file if the target is that file. */
function narrowed(before: Baseline, { scope, path }: Target): Baseline {
  if (scope !== 'file' || before.scope === 'file') return before;
  const [file] = before.files
    .filter((each) => endsWithPath(path, each.path))
    // The longest match is used, because `sub/index.ts` also ends with `index.ts`.
    .sort((one, other) => other.path.length - one.path.length);
  if (file === undefined) throw specError('not_in_baseline', { path });
  return { scope: 'file', files: [{ ...file, path: basename(path) }] };
}

/** A spec to compare, and its target. */
export interface FoundSpec {
  absolute: string;
  /** Path relative to the working directory, for messages. */
  named: string;
  document: string;
  /** Target as written in the spec. */
  sourceTarget: string;
}

interface SpecSearch {
  cwd: string;
  /** Absolute path. */
  outputDir: string;
  /** Folder to which the targets of the specs are relative. */
  base: string;
  /** Specs, folders of specs, or sources. Empty: all specs in the output folder. */
  paths: readonly string[];
}

/** Finds specs by their path, their folder or a source they describe. A Git hook, for example, passes the files of a commit. */
export async function findSpecs({ cwd, outputDir, base, paths }: SpecSearch): Promise<FoundSpec[]> {
  const found = new Map<string, FoundSpec>();
  for (const path of paths.length === 0 ? [outputDir] : paths) {
    const absolute = resolve(cwd, path);
    const here = await specFilesAt(absolute);
    // A missing path may be a deleted source, whose spec must be compared. A missing spec is an error.
    if (here.length === 0 && path.endsWith('.spec.md')) throw specError('spec_not_found', { path });
    const specs =
      here.length > 0
        ? await readSpecs(here, cwd)
        : await specsOfSource(absolute, { cwd, base, all: outputDir });
    for (const spec of specs) found.set(spec.absolute, spec);
  }
  if (found.size === 0 && paths.length === 0) throw specError('no_specs', { path: relative(cwd, outputDir) });
  return [...found.values()].sort((one, other) => (one.absolute < other.absolute ? -1 : 1));
}

/** Finds the specs of modules in a folder, without the index. */
export async function specsIn(folder: string, cwd: string): Promise<FoundSpec[]> {
  return readSpecs(await specFilesAt(folder), cwd);
}

async function specFilesAt(absolute: string): Promise<string[]> {
  const found = await stat(absolute).catch(() => undefined);
  if (found?.isFile()) return absolute.endsWith('.spec.md') ? [absolute] : [];
  if (!found?.isDirectory()) return [];
  const names = await readdir(absolute, { recursive: true });
  return names.filter(isSpec).map((name) => join(absolute, name));
}

function isSpec(name: string): boolean {
  return (
    name.endsWith('.spec.md') &&
    !name.endsWith('_index.spec.md') &&
    !name.startsWith('_areas/') &&
    !name.includes('node_modules')
  );
}

async function readSpecs(files: readonly string[], cwd: string): Promise<FoundSpec[]> {
  const specs = await Promise.all(files.map((file) => readSpec(file, cwd)));
  return specs.filter((spec) => spec !== undefined);
}

async function readSpec(absolute: string, cwd: string): Promise<FoundSpec | undefined> {
  const named = relative(cwd, absolute);
  const document = await readSpecDocument(absolute, named);
  const { type, sourceTarget } = readFrontMatter(document);
  if (type === 'index-spec' || sourceTarget === undefined) return undefined;
  return { absolute, named, document, sourceTarget };
}

/** Finds specs whose target is the path, contains it or is inside it. */
async function specsOfSource(
  absolute: string,
  { cwd, base, all }: { cwd: string; base: string; all: string },
): Promise<FoundSpec[]> {
  const specs = await specsIn(all, cwd);
  return specs.filter(({ sourceTarget }) => {
    const target = resolve(base, sourceTarget);
    return pathInside(target, absolute) !== undefined || pathInside(absolute, target) !== undefined;
  });
}
