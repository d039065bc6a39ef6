import { listFiles } from '../../workspace/list-files.ts';
import { openRoot } from '../../workspace/root.ts';
import type { Target } from '../target.ts';
import { isTestName } from './test-names.ts';

export interface ScanOptions {
  /** Tests say nothing about what a module offers; `prepare` lists them all the same. */
  withTests: boolean;
  signal?: AbortSignal;
}

/** The files of a target, relative to its project. A file that was named is taken even if git ignores it. */
export async function scanTarget(target: Target, options: ScanOptions): Promise<string[]> {
  if (target.scope === 'file') return [target.path];
  const root = await openRoot(target.base);
  const { paths } = await listFiles(root, {
    under: target.path,
    ...(options.signal !== undefined && { signal: options.signal }),
  });
  return paths.filter((path) => isInScope(path, target) && (options.withTests || !isTestName(path)));
}

function isInScope(path: string, { scope, path: folder }: Target): boolean {
  if (scope !== 'folder') return true;
  const below = folder === '.' ? path : path.slice(folder.length + 1);
  return !below.includes('/');
}

/** What a run wrote itself is no source of the next one. */
export function withoutFolder(paths: readonly string[], folder: string | undefined): string[] {
  if (folder === undefined || folder === '.') return [...paths];
  return paths.filter((path) => !path.startsWith(`${folder}/`));
}
