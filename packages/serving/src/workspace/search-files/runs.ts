import { join, relative, sep } from 'node:path';
import type { WorkspaceRoot } from '../root.ts';
import type { Target } from './targets.ts';

/** One start of ripgrep. */
export interface SearchRun {
  cwd: string;
  paths: string[];
  /** Open files the child gets at descriptors 3, 4, … */
  inherit: number[];
  /** How a file is named to the caller, from how ripgrep prints it. */
  name(printed: string): string;
}

const FIRST_INHERITED = 3;

/**
 * ripgrep gets the very files and folders that were opened and checked, not their names, which may lead elsewhere by now:
 * a folder as its working directory, files as descriptors.
 */
export function runsThroughHandles(root: WorkspaceRoot, targets: readonly Target[]): SearchRun[] {
  const folders = targets.filter(({ isDirectory }) => isDirectory);
  const files = targets.filter(({ isDirectory }) => !isDirectory);
  const runs = folders.map(({ handle, path }) => ({
    cwd: `/proc/self/fd/${handle.fd}`,
    paths: ['.'],
    inherit: [],
    name: (printed: string) => portable(join(path, printed)),
  }));
  if (files.length === 0) return runs;
  const descriptors = files.map((_, index) => `/proc/self/fd/${FIRST_INHERITED + index}`);
  const inherit = files.map(({ handle }) => handle.fd);
  const name = (printed: string) => portable(files[descriptors.indexOf(printed)]?.path ?? printed);
  return [...runs, { cwd: root.real, paths: descriptors, inherit, name }];
}

/** Where a system has no `/proc`: real paths, which must still lead to the same place afterwards. */
export function runsThroughPaths(root: WorkspaceRoot, targets: readonly Target[]): SearchRun[] {
  const paths = targets.map(({ path }) => join(root.real, path));
  const name = (printed: string) => portable(relative(root.real, printed));
  return [{ cwd: root.real, paths, inherit: [], name }];
}

function portable(path: string): string {
  return path.split(sep).join('/');
}
