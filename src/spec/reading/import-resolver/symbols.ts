import type { ProjectFiles } from './project-files.ts';

/** What files declare, by the package or namespace they declare it in. */
export interface Symbols {
  /** Files that declare a name in a package. */
  filesOf(qualifiedName: string): readonly string[];
  /** Files of a package, each with the names it declares there. */
  inPackage(name: string): readonly Declared[];
}

export interface Declared {
  path: string;
  names: readonly string[];
}

export interface PackageNames {
  package: string;
  names: string[];
}

/** Reads every file once; `read` says what one declares, by patterns: a parser would take as long as all the rest. */
export function indexSymbols(
  files: ProjectFiles,
  paths: readonly string[],
  read: (text: string) => readonly PackageNames[],
): Symbols {
  const byName = new Map<string, string[]>();
  const byPackage = new Map<string, Declared[]>();
  for (const path of paths) {
    for (const { package: owner, names } of read(files.text(path))) {
      push(byPackage, owner, { path, names });
      for (const name of new Set(names)) push(byName, `${owner}.${name}`, path);
    }
  }
  return {
    filesOf: (name) => byName.get(name) ?? [],
    inPackage: (name) => byPackage.get(name) ?? [],
  };
}

function push<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [item]);
  else known.push(item);
}

const WORD = /[\p{L}_]\w*/gu;

/** The words of a text: whoever imports a whole package uses of it what it names. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(WORD) ?? []);
}
