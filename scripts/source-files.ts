import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Returns the TypeScript files under `folder` of the repository as paths from its root; without a folder those of all packages. */
export function sourceFiles(root: string, folder?: string): string[] {
  if (folder === undefined) return packageFolders(root).flatMap((each) => sourceFiles(root, each));
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** `packages/base/src` and its like. */
export function packageFolders(root: string): string[] {
  return readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`);
}
