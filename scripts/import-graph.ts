import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { sourceFiles } from './source-files.ts';

/** Which files of `src/` each of them imports, loads later, or starts as a worker. */
export function importGraph(root: string): Map<string, readonly string[]> {
  const graph = new Map<string, readonly string[]>();
  for (const file of sourceFiles(root, 'src')) {
    const text = readFileSync(join(root, file), 'utf8');
    const specifiers = [
      ...text.matchAll(/(?:from|import\(|new URL\(|workerBeside\(import\.meta\.url,)\s*'(\.[^']+)'/g),
    ];
    graph.set(
      file,
      // Workers are named by their compiled file, or without an ending.
      specifiers.map(([, path = '']) =>
        posix.join(posix.dirname(file), path).replace(/(?:\.js|\.ts)?$/, '.ts'),
      ),
    );
  }
  return graph;
}
