import { resolve } from 'node:path';
import type { WritingParts } from '../generate.ts';
import { type DocumentLanguage, specError } from '../locales.ts';
import { readModules, scanModules } from '../prepare/scope.ts';
import type { DependencyEdge } from '../reading/facts.ts';
import { resolveDependencies } from '../reading/import-resolver.ts';
import { openProject, type Project } from '../reading/project.ts';
import { bodiesHash, bodiesOf } from '../reading/read-bodies.ts';
import { resolveTarget, type Target } from '../reading/target.ts';
import { aboutTarget } from '../writing/compose.ts';
import { languageFor } from '../writing/document/document-text.ts';
import {
  AST_ONLY,
  type KnownSpec,
  readKnownSpec,
  reasonsToWrite,
  type SourceHashes,
  sourceHashes,
} from '../writing/freshness.ts';
import { type Granularity, type ModuleFiles, modulesOf, type SpecModule } from './modules.ts';

export interface BatchRequest {
  /** Default: the working directory. */
  projectRoot?: string | undefined;
  /** Whether to write unchanged modules too. */
  force: boolean;
  astOnly: boolean;
  /** Output folder, relative to the project unless absolute. */
  outputDir: string;
  concurrency: number;
  /** Whether to show function bodies to the model. Default: false. */
  deep?: boolean;
  /** Subject of one document. Default: a folder. */
  granularity?: Granularity;
  /** Whether to add acceptance criteria to the section on boundary conditions. Default: false. */
  criteria?: boolean;
  /** Cost limit in US dollars. Modules that would exceed it are not written. Default: no limit. */
  maxCost?: number | undefined;
}

export interface BatchPlan {
  root: Target;
  /** Absolute path. */
  outputDir: string;
  /** Modules, dependencies before dependents. */
  modules: readonly SpecModule[];
  pending: readonly SpecModule[];
  project: Project;
  /** Returns the document that describes a file of the project. */
  specOf(path: string): string | undefined;
  criteria: boolean;
  /** Language of the documents, the index and the summary. */
  language: DocumentLanguage;
}

export function outputDirOf({ projectRoot, outputDir }: BatchRequest, cwd: string): string {
  return resolve(cwd, projectRoot ?? '.', outputDir);
}

/** Reads the whole project once and decides what has to be written. */
export async function planBatch(
  request: BatchRequest,
  resumedAt: string | undefined,
  parts: WritingParts,
): Promise<BatchPlan> {
  const { criteria = false } = request;
  const root = await projectTarget(request, parts.cwd);
  const outputDir = outputDirOf(request, parts.cwd);
  const { files, notes } = await readModules(root, await scanModules(root, outputDir, parts), parts);
  const project = await openProject(root.base, files, parts);
  const { internal } = resolveDependencies(files, project.resolver);
  const ordered = orderByDependency(
    modulesOf({ root, files, notes }, request.granularity ?? 'folder'),
    internal,
  );
  const language = await languageFor(outputDir, INDEX_NAME, parts);
  const model = request.astOnly ? AST_ONLY : (parts.modelWriter?.model ?? 'none');
  const writtenSince = request.force ? (resumedAt ?? NEVER) : undefined;
  const modules: SpecModule[] = [];
  for (const module of ordered) {
    const { files: own, target } = module;
    const inputs = { files: own, tests: project.testsFor(own), about: await aboutTarget(target) };
    const origins = { ...sourceHashes(inputs), model, language, toolVersion: parts.version };
    const spec = await readKnownSpec(outputDir, module.specName);
    const reasons = reasonsToWrite(spec, { origins, writtenSince, criteria });
    const isOther = reasons.length === 0 && doesOtherThings(module, { spec, origins });
    modules.push({ ...module, origins, reasons: isOther ? ['code'] : reasons });
  }
  const specNames = new Map(
    modules.flatMap(({ files: own, specName }) => own.map((file) => [file.skeleton.filePath, specName])),
  );
  const specOf = (path: string) => specNames.get(path);
  const pending = modules.filter(({ reasons }) => reasons.length > 0);
  return { root, outputDir, modules, pending, project, language, specOf, criteria };
}

/** Whether the function bodies changed. Called only if everything else is unchanged, because it must decompress them. */
function doesOtherThings(
  { files }: ModuleFiles,
  { spec, origins }: { spec: KnownSpec | undefined; origins: SourceHashes },
): boolean {
  if (spec === undefined || spec.recorded.sourceHash === origins.sourceHash) return false;
  return bodiesHash(bodiesOf(files)) !== spec.recorded.bodiesHash;
}

export const INDEX_NAME = '_index.spec.md';

/** A time after all others: in a forced run without a checkpoint, no spec is recent enough to be skipped. */
const NEVER = '9999';

/** Resolves the project folder. Specs are named after paths relative to it. */
export async function projectTarget({ projectRoot }: BatchRequest, cwd: string): Promise<Target> {
  const target = await resolveTarget(projectRoot ?? '.', cwd);
  if (target.scope === 'file') throw specError('not_a_folder', { path: projectRoot ?? '.' });
  return { ...target, base: target.absolute, path: '.', label: '.' };
}

/** Sorts modules so that each comes after its dependencies. Modules in a cycle are sorted by name. */
function orderByDependency(modules: readonly ModuleFiles[], edges: readonly DependencyEdge[]): ModuleFiles[] {
  const byLabel = new Map(modules.map((module) => [module.label, module]));
  const needs = moduleEdges(byLabel, edges);
  const search = new ComponentSearch(needs);
  for (const label of [...byLabel.keys()].sort()) search.from(label);
  return search.components.flatMap((circle) =>
    [...circle].sort().flatMap((label) => {
      const module = byLabel.get(label);
      if (module === undefined) return [];
      const needed = [...(needs.get(label) ?? [])].sort();
      const dependsOn = needed.filter((other) => !circle.includes(other));
      const inCircle = needed.filter((other) => circle.includes(other));
      return [{ ...module, dependsOn, ...(inCircle.length > 0 && { circle: inCircle }) }];
    }),
  );
}

type Needs = ReadonlyMap<string, ReadonlySet<string>>;

function moduleEdges(modules: ReadonlyMap<string, ModuleFiles>, edges: readonly DependencyEdge[]): Needs {
  const needs = new Map<string, Set<string>>([...modules.keys()].map((label) => [label, new Set()]));
  const homes = new Map(
    [...modules.values()].flatMap(({ label, files }) => files.map((file) => [file.skeleton.filePath, label])),
  );
  for (const { from, to } of edges) {
    const [user, used] = [homes.get(from), homes.get(to)];
    if (user !== undefined && used !== undefined && user !== used) needs.get(user)?.add(used);
  }
  return needs;
}

/** Tarjan's algorithm for strongly connected components, with an explicit stack instead of recursion: import chains may be long. */
class ComponentSearch {
  readonly components: string[][] = [];
  readonly #needs: Needs;
  readonly #index = new Map<string, number>();
  readonly #low = new Map<string, number>();
  readonly #open: string[] = [];
  readonly #isOpen = new Set<string>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  from(label: string): void {
    if (this.#index.has(label)) return;
    const path = [this.#enter(label)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = visit.left.pop();
      if (next === undefined) {
        path.pop();
        this.#leave(visit.label, path.at(-1)?.label);
      } else if (!this.#index.has(next)) path.push(this.#enter(next));
      else if (this.#isOpen.has(next)) this.#lower(visit.label, this.#index.get(next) ?? 0);
    }
  }

  #enter(label: string): { label: string; left: string[] } {
    this.#low.set(label, this.#index.size);
    this.#index.set(label, this.#index.size);
    this.#open.push(label);
    this.#isOpen.add(label);
    return { label, left: [...(this.#needs.get(label) ?? [])].sort().reverse() };
  }

  #lower(label: string, value: number): void {
    this.#low.set(label, Math.min(this.#low.get(label) ?? value, value));
  }

  #leave(label: string, parent: string | undefined): void {
    const low = this.#low.get(label) ?? 0;
    if (parent !== undefined) this.#lower(parent, low);
    if (low !== this.#index.get(label)) return;
    const circle = this.#open.splice(this.#open.indexOf(label));
    for (const each of circle) this.#isOpen.delete(each);
    this.components.push(circle);
  }
}
