import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { sourceFiles } from './source-files.ts';

/** Returns which files of the packages each file imports, loads later, or starts as a worker. */
export function importGraph(root: string): Map<string, readonly string[]> {
  const graph = new Map<string, readonly string[]>();
  for (const file of sourceFiles(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    const specifiers = [
      ...text.matchAll(
        /(?:from|import\(|new URL\(|workerBeside\(import\.meta\.url,)\s*'((?:\.|@secateur\/)[^']+)'/g,
      ),
    ];
    graph.set(
      file,
      // Workers are named by their compiled file, or without an ending.
      specifiers.map(([, path = '']) => pathOf(file, path).replace(/(?:\.js|\.ts)?$/, '.ts')),
    );
  }
  return graph;
}

function pathOf(importer: string, specifier: string): string {
  const [, name, module] = /^@secateur\/([\w-]+)\/(.+)$/.exec(specifier) ?? [];
  if (name !== undefined) return `packages/${name}/src/${module}`;
  return posix.join(posix.dirname(importer), specifier);
}
