import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { specError } from '../messages.ts';
import type { FileNotes } from '../prepare/notes.ts';
import { scanTarget } from '../prepare/scan.ts';
import { roleOf, writtenByPeople } from '../prepare/scope.ts';
import { readFacts } from '../reading/read-facts.ts';
import type { Target } from '../reading/target.ts';
import type { ReadingParts } from '../reading-parts.ts';
import { type Baseline, baselineOf } from '../writing/document/baseline.ts';
import { readBaselineOf } from '../writing/document/baseline-file.ts';

/** Sources a spec was written from, and the sources now; paths are those of the project. */
export interface SpecStates {
  before: Baseline;
  after: Baseline;
  /** Files with syntax errors, and files that can no longer be read. */
  unreadable: string[];
}

export async function readSpecDocument(file: string, named: string): Promise<string> {
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

/** Read by the same rules as when the spec was written: a spec of one folder does not look into its sub-folders. */
export async function readStates(
  target: Target,
  baseline: Baseline,
  parts: ReadingParts,
): Promise<SpecStates> {
  const scope = target.scope === 'tree' && baseline.scope === 'folder' ? 'folder' : target.scope;
  const scoped = { ...target, scope, ...withoutBelow(target, baseline) };
  const modulesOnly = baseline.files.every(({ path }) => roleOf(path) === 'source');
  const scan = await scanTarget(scoped, { ...parts, modulesOnly });
  const { files: read, notes } = await readFacts(scoped, scan.paths, parts);
  const files = modulesOnly ? writtenByPeople(read, { globs: parts.globs, scope }) : read;
  const broken = files
    .filter(({ skeleton }) => skeleton.parseErrors !== undefined)
    .map(({ skeleton }) => skeleton.filePath);
  return {
    before: inProject(narrowed(baseline, target), target.path),
    after: inProject(baselineOf({ target: target.path, scope, files }), target.path),
    unreadable: [...broken, ...lost(baseline, notes), ...Object.keys(scan.notes)],
  };
}

/** Leaves out folders that other documents describe. */
function withoutBelow({ path }: Target, { without }: Baseline): Pick<Target, 'without'> {
  if (without === undefined) return {};
  return { without: without.map((folder) => (path === '.' ? folder : `${path}/${folder}`)) };
}

/** A baseline's paths are below its target. */
export function inProject(baseline: Baseline, target: string): Baseline {
  const whole = (path: string) => {
    if (baseline.scope === 'file') return target;
    return target === '.' ? path : `${target}/${path}`;
  };
  return { ...baseline, files: baseline.files.map((file) => ({ ...file, path: whole(file.path) })) };
}

/** Returns files of the baseline that can no longer be read. */
function lost(before: Baseline, notes: FileNotes): string[] {
  return Object.keys(notes).filter((path) =>
    before.files.some((file) => path === file.path || path.endsWith(`/${file.path}`)),
  );
}

/** One file of a folder's spec may be checked alone. */
function narrowed(before: Baseline, { scope, path }: Target): Baseline {
  if (scope !== 'file' || before.scope === 'file') return before;
  const [file] = before.files
    .filter((each) => path === each.path || path.endsWith(`/${each.path}`))
    // `sub/index.ts` ends with `index.ts` too: the longest is meant.
    .sort((one, other) => other.path.length - one.path.length);
  if (file === undefined) throw specError('not_in_baseline', { path });
  return { scope: 'file', files: [{ ...file, path: basename(path) }] };
}
