import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { ProjectFiles } from './project-files.ts';

/** Declarations of files, by their package or namespace. */
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
  const declared = paths.flatMap((path) => read(files.text(path)).map((each) => ({ path, ...each })));
  const byPackage = grouped(declared.map((each) => [each.package, each]));
  const byName = grouped(
    declared.flatMap(({ path, package: owner, names }) =>
      [...new Set(names)].map((name): [string, string] => [`${owner}.${name}`, path]),
    ),
  );
  return {
    filesOf: (name) => byName.get(name) ?? [],
    inPackage: (name) => byPackage.get(name) ?? [],
  };
}

const WORD = /[\p{L}_]\w*/gu;

/** Finds the words of a text: importers of a whole package use what they name. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(WORD) ?? []);
}
