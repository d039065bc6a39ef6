import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** TypeScript files under `folder` of the repository, as paths from its root. */
export function sourceFiles(root: string, folder = 'src'): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
