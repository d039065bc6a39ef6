import { posix } from 'node:path';
import type { FileFacts } from '../facts.ts';
import type { Origins, RenewalReason } from '../freshness.ts';
import { ownFilesSpecName, specFileName } from '../spec-path.ts';
import type { Target } from '../target.ts';

/** One folder with sources of its own; its sub-folders are modules themselves. */
export interface SpecModule {
  label: string;
  /** The file its spec is written to. */
  specName: string;
  target: Target;
  files: FileFacts[];
  notes: Record<string, string>;
  /** What its document would be made from now. */
  origins: Omit<Origins, 'bodiesHash'>;
  /** Why it has to be written; none when it may stay. */
  reasons: readonly RenewalReason[];
  /** Labels of the modules its files import; those of its own circle are left out. */
  dependsOn: string[];
}

/** A module before anybody looked at its document. */
export type ModuleFiles = Omit<SpecModule, 'origins' | 'reasons'>;

export interface ProjectFacts {
  root: Target;
  files: readonly FileFacts[];
  notes: Readonly<Record<string, string>>;
}

export function groupByFolder({ root, files, notes }: ProjectFacts): ModuleFiles[] {
  const folders = new Map<string, FileFacts[]>();
  for (const file of files) {
    const folder = posix.dirname(file.skeleton.filePath);
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, [file]);
    else known.push(file);
  }
  const parents = new Set([...folders.keys()].flatMap(foldersAbove));
  return [...folders].map(([label, own]) => ({
    label,
    specName: parents.has(label) ? ownFilesSpecName(label) : specFileName(label),
    target: {
      absolute: posix.join(root.absolute, label),
      base: root.base,
      path: label,
      label,
      scope: 'folder',
    },
    files: own,
    notes: Object.fromEntries(Object.entries(notes).filter(([path]) => posix.dirname(path) === label)),
    dependsOn: [],
  }));
}

/** `a/b` and `a` and `.` for `a/b/c`. */
function foldersAbove(folder: string): string[] {
  const above = posix.dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}
