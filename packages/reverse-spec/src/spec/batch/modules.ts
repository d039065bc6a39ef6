import { posix } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { FileNotes } from '../prepare/notes.ts';
import type { FileFacts } from '../reading/facts.ts';
import type { Target } from '../reading/target.ts';
import type { Origins, RenewalReason } from '../writing/freshness.ts';
import { ownFilesSpecName, specFileName } from '../writing/spec-path.ts';
import { packagesIn } from './packages.ts';

/** What one document is about: a package, a folder or a file. */
export interface SpecModule {
  label: string;
  /** The file its spec is written to. */
  specName: string;
  target: Target;
  files: FileFacts[];
  notes: FileNotes;
  /** What its document would be made from now. */
  origins: Omit<Origins, 'bodiesHash'>;
  /** Why it has to be written; none when it may stay. */
  reasons: readonly RenewalReason[];
  /** Labels of the modules its files import; those of its own circle are left out. */
  dependsOn: string[];
  /** The others of its circle that its files import. */
  circle?: string[];
}

/** A module before anybody looked at its document. */
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
  const target = targetAt(label, root, { scope: 'file' });
  return { label, specName: specFileName(label), target, files: [file], notes: {}, dependsOn: [] };
}

function groupByFolder({ root, files, notes }: ProjectFacts): ModuleFiles[] {
  const folders = grouped(files.map((file) => [posix.dirname(file.skeleton.filePath), file]));
  const parents = new Set([...folders.keys()].flatMap(foldersAbove));
  return [...folders].map(([label, own]) => ({
    label,
    specName: parents.has(label) ? ownFilesSpecName(label) : specFileName(label),
    target: targetAt(label, root, { scope: 'folder' }),
    files: own,
    notes: notesWhere(notes, (path) => posix.dirname(path) === label),
    dependsOn: [],
  }));
}

function groupByPackage({ root, files, notes }: ProjectFacts): ModuleFiles[] {
  const packages = packagesIn(files, Object.keys(notes));
  const folders = packages.map(({ folder }) => folder);
  return packages.map(({ folder: label, files: own }) => {
    const without = folders.filter((other) => other !== label && isBelow(other, label));
    return {
      label,
      specName: without.length > 0 ? ownFilesSpecName(label) : specFileName(label),
      target: targetAt(label, root, { scope: 'tree', ...(without.length > 0 && { without }) }),
      files: own,
      notes: notesWhere(
        notes,
        (path) => isBelow(path, label) && !without.some((other) => isBelow(path, other)),
      ),
      dependsOn: [],
    };
  });
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

/** `a/b` and `a` and `.` for `a/b/c`. */
function foldersAbove(folder: string): string[] {
  const above = posix.dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}
