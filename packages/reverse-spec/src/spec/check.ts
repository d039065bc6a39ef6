import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { type Change, type Comparison, withoutServedNames } from './drift/export-changes.ts';
import {
  type DriftItem,
  type DriftSummary,
  type DriftTexts,
  idOf,
  itemsOf,
  type Severity,
  staleItem,
  summaryOf,
} from './drift/report.ts';
import { compareUnderRules, type DriftRules, readRules } from './drift/rules.ts';
import { type FoundSpec, findSpecs, inProject, readStates, requireBaseline, specsIn } from './drift.ts';
import { localizeError, messagesIn } from './locales.ts';
import type { ReadingParts } from './parts.ts';
import { pathInside, resolveTarget } from './reading/target.ts';
import { type ModelClaim, staleClaims } from './writing/claims.ts';
import type { Baseline } from './writing/document/baseline.ts';

export interface CheckRequest {
  /** Specs, folders of specs, or sources. Empty: all specs in the output folder. */
  paths: readonly string[];
  outputDir: string;
  /** Visibility of the exports to compare. Default: that in the rules file. */
  visibility?: DriftRules['visibility'];
}

export interface CheckReport {
  generatedAt: string;
  /** Number of specs compared. */
  specs: number;
  summary: DriftSummary;
  /** Differences between specs and sources. Paths in them are relative to the repository. */
  items: (DriftItem & { specPath: string })[];
  /** Number of differences that have no meaning or that a rule ignores. */
  filteredNoise: number;
  /** Files with syntax errors, and files that could not be read. */
  unreadable: string[];
  /** Specs that could not be compared. */
  failures: { specPath: string; reason: string }[];
}

/** Compares all specs as one project, so that an export that moves between modules is not a removal. Writes nothing. */
export async function checkSpecs(request: CheckRequest, parts: ReadingParts): Promise<CheckReport> {
  const project = await projectOfSpecs(parts.cwd, request.outputDir);
  const { repository, base, outputDir } = project;
  const rules = {
    ...(await readRules(repository)),
    ...(request.visibility && { visibility: request.visibility }),
  };
  const specs = await findSpecs({ cwd: parts.cwd, outputDir, base, paths: request.paths });
  const prefix = pathInside(repository, base) ?? '.';
  const atBase = { ...parts, cwd: base };
  const states = await readAll(specs, atBase, prefix);
  const sides = { before: merged(states, 'before'), after: merged(states, 'after') };
  const comparison = await compareProject(sides, rules, {
    read: () => readRest(sides.after, atBase, prefix),
    isExpected: project.isWhole && request.paths.length === 0,
  });
  const { changes, noise } = await withoutServedNames(comparison, { base: repository, after: sides.after });
  const { drift: texts } = messagesIn(parts.messageLanguage);
  const items = withStale(itemsOf({ changes, noise }, texts), states, { prefix, texts });
  return {
    generatedAt: new Date(parts.clock.now()).toISOString(),
    specs: states.filter(({ failure }) => failure === undefined).length,
    summary: summaryOf(items),
    items: items.map((item) => ({ specPath: specOf(item, states), ...item })),
    filteredNoise: noise,
    unreadable: states.flatMap(({ unreadable }) => unreadable),
    failures: states.flatMap(({ failure, spec }) =>
      failure === undefined ? [] : [{ specPath: spec.named, reason: failure }],
    ),
  };
}

/** Appends an item for each sentence that a model wrote and whose source lines have changed since. */
function withStale(
  items: readonly DriftItem[],
  states: readonly State[],
  { prefix, texts }: { prefix: string; texts: DriftTexts },
): (DriftItem & { specPath?: string })[] {
  const stale = states.flatMap(({ spec, stale: claims }) =>
    claims.map((claim) => ({ ...staleItem(claim, prefix, texts), specPath: spec.named })),
  );
  return [...items, ...stale].map((item, at) => ({ ...item, id: idOf(at) }));
}

/** Sources that are not described by any spec. */
interface Rest {
  read(): Promise<Baseline>;
  /** Whether all sources should have a spec. If so, new exports in these files are reported as missing. */
  isExpected: boolean;
}

/** Compares the described sources. Other sources are read if removed exports may be there, or if all should have a spec. */
async function compareProject(
  { before, after }: Pick<State, 'before' | 'after'>,
  rules: DriftRules,
  rest: Rest,
): Promise<Comparison> {
  const comparison = compareUnderRules(before, after, rules);
  const isRestNeeded =
    rest.isExpected ||
    comparison.changes.some(({ kind, owner }) => kind === 'removed' && owner === undefined);
  if (!isRestNeeded) return comparison;
  const others = await rest.read();
  const whole = compareUnderRules(before, { ...after, files: [...after.files, ...others.files] }, rules);
  if (rest.isExpected) return whole;
  const elsewhere = new Set(others.files.map(({ path }) => path));
  const isElsewhere = (change: Change) =>
    change.kind === 'added' && change.owner === undefined && elsewhere.has(change.after.path);
  return { ...whole, changes: whole.changes.filter((change) => !isElsewhere(change)) };
}

async function readRest(known: Baseline, parts: ReadingParts, prefix: string): Promise<Baseline> {
  const { progress: _, ...quiet } = parts;
  const { after } = await readStates(await resolveTarget('.', parts.cwd), NOTHING, quiet);
  const paths = new Set(known.files.map(({ path }) => path));
  const rest = below(after, prefix).files.filter(({ path }) => !paths.has(path));
  return { scope: 'tree', files: rest };
}

/** Whether a check fails: a spec could not be compared, or an item has at least the severity `failOn`. */
export function fails({ summary, failures }: CheckReport, failOn: Severity | 'NONE'): boolean {
  if (failures.length > 0) return true;
  const { high, medium, low } = summary;
  if (failOn === 'NONE') return false;
  if (failOn === 'HIGH') return high > 0;
  return high + medium + (failOn === 'LOW' ? low : 0) > 0;
}

interface State {
  spec: FoundSpec;
  before: Baseline;
  after: Baseline;
  unreadable: string[];
  /** Sentences of a model whose source lines changed. */
  stale: ModelClaim[];
  failure?: string;
}

const NOTHING: Baseline = { scope: 'tree', files: [] };

async function readAll(specs: readonly FoundSpec[], parts: ReadingParts, prefix: string): Promise<State[]> {
  const states: State[] = [];
  for (const [done, spec] of specs.entries()) {
    parts.signal?.throwIfAborted();
    parts.progress?.({ done, total: specs.length, message: spec.named });
    states.push(await readState(spec, parts, prefix));
  }
  return states;
}

async function readState(spec: FoundSpec, parts: ReadingParts, prefix: string): Promise<State> {
  const { progress: _, ...quiet } = parts;
  const nothing = { spec, before: NOTHING, after: NOTHING, unreadable: [], stale: [] };
  try {
    const baseline = await requireBaseline(spec.absolute, spec.document, spec.named);
    const target = await targetOf(spec, parts.cwd);
    const states =
      target === undefined
        ? { ...nothing, before: inProject(baseline, spec.sourceTarget) }
        : await readStates(target, baseline, quiet);
    return {
      spec,
      before: below(states.before, prefix),
      after: below(states.after, prefix),
      unreadable: states.unreadable,
      stale: await staleClaims(baseline.claims ?? [], parts.cwd),
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...nothing, failure: localizeError(parts.messageLanguage, error).message };
  }
}

/** Returns the target of a spec; undefined if its sources no longer exist. */
async function targetOf({ sourceTarget }: FoundSpec, cwd: string) {
  return existsSync(resolve(cwd, sourceTarget)) ? resolveTarget(sourceTarget, cwd) : undefined;
}

function below(baseline: Baseline, prefix: string): Baseline {
  if (prefix === '.') return baseline;
  return { ...baseline, files: baseline.files.map((file) => ({ ...file, path: `${prefix}/${file.path}` })) };
}

/** Merges the files of all specs. One file may be both in the spec of its folder and in a spec of its own. */
function merged(states: readonly State[], side: 'before' | 'after'): Baseline {
  const files = new Map(states.flatMap((state) => state[side].files).map((file) => [file.path, file]));
  return { scope: 'tree', files: [...files.values()] };
}

function specOf({ location }: DriftItem, states: readonly State[]): string {
  const path = location.slice(0, location.lastIndexOf(':'));
  const holds = ({ before, after }: State) =>
    [...before.files, ...after.files].some((file) => file.path === path);
  return states.find(holds)?.spec.named ?? '';
}

interface SpecProject {
  /** Nearest folder with `.git`, else the working directory. */
  repository: string;
  /** Absolute path of the folder that contains the specs. */
  outputDir: string;
  /** Folder in which `batch` ran. The targets of the specs are relative to it. */
  base: string;
  /** Whether `batch` wrote an index, so that the specs cover the whole project. */
  isWhole: boolean;
}

/** Finds the specs and the folder of their sources. `check` may run in any folder of the repository. */
async function projectOfSpecs(cwd: string, outputDir: string): Promise<SpecProject> {
  const repository = upTo('/', cwd).find((folder) => existsSync(join(folder, '.git'))) ?? cwd;
  const folders = upTo(repository, cwd);
  const holder = folders.find((folder) => isFolder(resolve(folder, outputDir)));
  const specs = resolve(holder ?? cwd, outputDir);
  const base = await baseOf(specs, [...new Set([holder ?? cwd, ...upTo(repository, dirname(specs)), cwd])]);
  return { repository, outputDir: specs, base, isWhole: existsSync(join(specs, '_index.spec.md')) };
}

/** Returns a folder and the folders above it, up to `top` or the root. */
function upTo(top: string, folder: string): string[] {
  const above = dirname(folder);
  return folder === top || above === folder ? [folder] : [folder, ...upTo(top, above)];
}

/** Returns the folder in which most targets exist; the first candidate if none exist. */
async function baseOf(specs: string, candidates: readonly string[]): Promise<string> {
  const found = isFolder(specs) ? await specsIn(specs, specs) : [];
  const targets = found.map(({ sourceTarget }) => sourceTarget);
  let [best = specs] = candidates;
  let most = 0;
  for (const folder of candidates) {
    const count = targets.filter((target) => existsSync(resolve(folder, target))).length;
    if (count > most) [best, most] = [folder, count];
  }
  return best;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
