import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that importing a bundled module loads: those that its static imports reach. */
export function loadedFiles(entry: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"([.][^"]+)"/g);
    for (const [, path = ''] of imports) waiting.push(join(file, '..', path));
  }
  return found;
}
