import { posix } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import { foldersAbove } from '../prepare/shipped.ts';
import type { FileFacts, FileNotes } from '../reading/facts.ts';
import type { Target } from '../reading/target.ts';
import type { Origins, RenewalReason } from '../writing/freshness.ts';
import { ownFilesSpecName, specFileName } from '../writing/save-spec.ts';

/** Subject of one document: a package, a folder or a file. */
export interface SpecModule {
  label: string;
  specName: string;
  target: Target;
  files: FileFacts[];
  notes: FileNotes;
  /** Inputs from which the document would be written now. */
  origins: Omit<Origins, 'bodiesHash'>;
  /** Reasons to write the document; empty if it is up to date. */
  reasons: readonly RenewalReason[];
  /** Labels of modules that this one imports, except those in the same import cycle. */
  dependsOn: string[];
  /** Labels of modules that this one imports in the same import cycle; undefined if it is in no cycle. */
  circle?: string[];
}

/** A module whose document has not been compared with the sources yet. */
export type ModuleFiles = Omit<SpecModule, 'origins' | 'reasons'>;

export interface ProjectFacts {
  root: Target;
  files: readonly FileFacts[];
  notes: FileNotes;
}

export type Granularity = 'package' | 'folder' | 'file';

export function modulesOf(project: ProjectFacts, granularity: Granularity): ModuleFiles[] {
  if (granularity === 'file') return project.files.map((file) => moduleOfFile(file, project.root));
  return granularity === 'folder' ? groupByFolder(project) : groupByPackage(project);
}

function moduleOfFile(file: FileFacts, root: Target): ModuleFiles {
  const label = file.skeleton.filePath;
  return moduleAt(label, { files: [file], notes: {}, target: targetAt(label, root, { scope: 'file' }) });
}

function groupByFolder({ root, files, notes }: ProjectFacts): ModuleFiles[] {
  const folders = grouped(files.map((file) => [posix.dirname(file.skeleton.filePath), file]));
  const parents = new Set([...folders.keys()].flatMap(foldersAbove));
  return [...folders].map(([label, own]) => {
    const target = targetAt(label, root, { scope: 'folder' });
    const ownNotes = notesWhere(notes, (path) => posix.dirname(path) === label);
    return moduleAt(label, { files: own, notes: ownNotes, target, hasOthersBelow: parents.has(label) });
  });
}

function groupByPackage({ root, files, notes }: ProjectFacts): ModuleFiles[] {
  const packages = packagesIn(files, Object.keys(notes));
  const folders = packages.map(({ folder }) => folder);
  return packages.map(({ folder: label, files: own }) => {
    const without = folders.filter((other) => other !== label && isBelow(other, label));
    const hasOthersBelow = without.length > 0;
    const target = targetAt(label, root, { scope: 'tree', ...(hasOthersBelow && { without }) });
    const isOwn = (path: string) => isBelow(path, label) && !without.some((other) => isBelow(path, other));
    return moduleAt(label, { files: own, notes: notesWhere(notes, isOwn), target, hasOthersBelow });
  });
}

function moduleAt(
  label: string,
  {
    hasOthersBelow = false,
    ...own
  }: Pick<ModuleFiles, 'files' | 'notes' | 'target'> & { hasOthersBelow?: boolean },
): ModuleFiles {
  return {
    label,
    specName: hasOthersBelow ? ownFilesSpecName(label) : specFileName(label),
    ...own,
    dependsOn: [],
  };
}

function targetAt(label: string, root: Target, scope: Pick<Target, 'scope' | 'without'>): Target {
  return { absolute: posix.join(root.absolute, label), base: root.base, path: label, label, ...scope };
}

function notesWhere(notes: FileNotes, isOwn: (path: string) => boolean) {
  return Object.fromEntries(Object.entries(notes).filter(([path]) => isOwn(path)));
}

function isBelow(path: string, folder: string): boolean {
  return folder === '.' || path.startsWith(`${folder}/`);
}

/** A folder that has a document, with the files described there: its own, and those of sub-folders without a document. */
interface Package {
  folder: string;
  files: FileFacts[];
}

/** Maximum number of files in a document. A folder with more is divided into its sub-folders. */
const MAX_FILES = 40;
/** Minimum number of files for a document. A smaller folder joins the one above it. */
const MIN_FILES = 8;
/** Maximum number of files of a folder together with its small sub-folders. With more, the sub-folders get documents. */
const MAX_JOINED = 3 * MAX_FILES;
const MANIFEST =
  /(?:^|\/)(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|setup\.py|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|Package\.swift|[^/]+\.(?:csproj|gemspec))$/;
/** Minimum number of files for a document, for languages in which each folder is a package. */
const FEWEST_FILES: ReadonlyMap<string, number> = new Map([
  ['go', 1],
  ['java', MIN_FILES / 2],
  ['kotlin', MIN_FILES / 2],
]);

function packagesIn(files: readonly FileFacts[], otherPaths: readonly string[]): Package[] {
  const root = folderTree(files);
  const paths = [...otherPaths, ...files.map(({ skeleton }) => skeleton.filePath)];
  const manifests = new Set(paths.filter((path) => MANIFEST.test(path)).map((path) => posix.dirname(path)));
  return cut(root, manifests);
}

interface Folder {
  path: string;
  own: FileFacts[];
  children: Map<string, Folder>;
  /** Number of files in the folder and its sub-folders. */
  count: number;
}

function folderTree(files: readonly FileFacts[]): Folder {
  const root: Folder = { path: '.', own: [], children: new Map(), count: 0 };
  for (const file of files) {
    let at = root;
    at.count += 1;
    const folder = posix.dirname(file.skeleton.filePath);
    for (const name of folder === '.' ? [] : folder.split('/')) {
      const path = at.path === '.' ? name : `${at.path}/${name}`;
      const next = at.children.get(name) ?? { path, own: [], children: new Map(), count: 0 };
      at.children.set(name, next);
      next.count += 1;
      at = next;
    }
    at.own.push(file);
  }
  return root;
}

function cut(folder: Folder, manifests: ReadonlySet<string>): Package[] {
  const children = [...folder.children.values()];
  const isWhole = folder.count <= MAX_FILES && !children.some((child) => mustStandAlone(child, manifests));
  if (isWhole) return [{ folder: folder.path, files: allFiles(folder) }];
  const small = children.filter((child) => child.count < MIN_FILES && !mustStandAlone(child, manifests));
  const merged = [...folder.own, ...small.flatMap(allFiles)];
  const joins = merged.length <= MAX_JOINED ? new Set(small) : new Set<Folder>();
  const own = joins.size > 0 ? merged : folder.own;
  return [
    ...(own.length > 0 ? [{ folder: folder.path, files: own }] : []),
    ...children.filter((child) => !joins.has(child)).flatMap((child) => cut(child, manifests)),
  ];
}

/** Whether a folder or one inside it needs its own document, because it has a manifest or enough files. */
function mustStandAlone(folder: Folder, manifests: ReadonlySet<string>): boolean {
  if (manifests.has(folder.path)) return true;
  const [first] = folder.own;
  const fewest = FEWEST_FILES.get(first?.skeleton.language ?? '') ?? Number.POSITIVE_INFINITY;
  if (folder.own.length >= fewest) return true;
  return [...folder.children.values()].some((child) => mustStandAlone(child, manifests));
}

function allFiles(folder: Folder): FileFacts[] {
  return [...folder.own, ...[...folder.children.values()].flatMap(allFiles)];
}

/** A folder of the project, with the modules below it that are in no smaller area. */
export interface Area {
  label: string;
  modules: readonly SpecModule[];
}

const MAX_AREAS = 50;

/** Minimum number of modules in an area for the area to be divided. */
const MIN_DIVIDED = 6;

/** Groups modules into at most `MAX_AREAS` areas: divides the largest area by sub-folder, as often as possible. */
export function areasOf(modules: readonly SpecModule[]): Area[] {
  let areas: Area[] = [{ label: '.', modules }];
  const whole = new Set<Area>();
  while (areas.length < MAX_AREAS) {
    const largest = areas
      .filter((area) => !whole.has(area) && area.modules.length >= MIN_DIVIDED)
      .sort((one, other) => other.modules.length - one.modules.length)[0];
    if (largest === undefined) break;
    const parts = divided(largest);
    if (parts.length < 2 || areas.length - 1 + parts.length > MAX_AREAS) whole.add(largest);
    else areas = [...areas.filter((area) => area !== largest), ...parts];
  }
  return areas.sort((one, other) => (one.label < other.label ? -1 : 1));
}

/** Returns one area per sub-folder. A single sub-folder is divided itself. */
function divided({ label, modules }: Area): Area[] {
  const groups = grouped(modules.map((module) => [childOf(label, module.label), module]));
  const parts = [...groups].map(([folder, own]) => ({ label: folder, modules: own }));
  const [only] = parts;
  return parts.length === 1 && only !== undefined && only.label !== label ? divided(only) : parts;
}

function childOf(folder: string, label: string): string {
  if (label === folder || label === '.') return folder;
  const below = folder === '.' ? label : label.slice(folder.length + 1);
  const [first = ''] = below.split('/');
  return folder === '.' ? first : `${folder}/${first}`;
}

/** Sorts modules in the order in which to read them: programs first, then modules that most others import. */
export function entryModules(modules: readonly SpecModule[], all: readonly SpecModule[]): SpecModule[] {
  const uses = new Map<string, number>();
  for (const { dependsOn, circle = [] } of all)
    for (const label of [...dependsOn, ...circle]) uses.set(label, (uses.get(label) ?? 0) + 1);
  const rank = (module: SpecModule) => (isProgram(module) ? PROGRAM_RANK : (uses.get(module.label) ?? 0));
  return modules.toSorted((one, other) => rank(other) - rank(one) || (one.label < other.label ? -1 : 1));
}

/** Rank of a program. The rank of other modules is lower. */
const PROGRAM_RANK = 1_000_000;

function isProgram({ label, files }: SpecModule): boolean {
  return (
    /(?:^|\/)(?:cmd|bin|cli)(?:\/|$)/.test(label) &&
    files.some(({ skeleton }) => /(?:^|\/)(?:main|__main__|index|cli)\.\w+$/.test(skeleton.filePath))
  );
}
