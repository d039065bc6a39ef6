import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import { type Fields, isFields, parsedFields } from '@secateur/base/text/json.ts';
import jsonc, { type ParseError } from 'jsonc-parser';

const MAX_BYTES = 1_048_576;

/** Lists the files that imports can refer to, and reads their texts. */
export class ProjectFiles {
  readonly paths: readonly string[];
  readonly #base: string;
  readonly #files: ReadonlySet<string>;
  #byName: Map<string, string[]> | undefined;
  #byFolder: Map<string, string[]> | undefined;

  constructor(base: string, paths: readonly string[]) {
    this.#base = base;
    this.paths = paths;
    this.#files = new Set(paths);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** Returns all files with this file name. */
  named(name: string): readonly string[] {
    this.#byName ??= grouped(this.paths.map((path) => [posix.basename(path), path]));
    return this.#byName.get(name) ?? [];
  }

  /** Returns the files directly in a folder; `.` is the folder of the project. */
  inFolder(folder: string): readonly string[] {
    this.#byFolder ??= grouped(this.paths.map((path) => [posix.dirname(path), path]));
    return this.#byFolder.get(folder) ?? [];
  }

  ending(...extensions: readonly string[]): string[] {
    return this.paths.filter((path) => extensions.some((each) => path.endsWith(each)));
  }

  /** Returns the text of a file; empty if it is unreadable or larger than 1 MiB. */
  text(path: string): string {
    try {
      const file = join(this.#base, path);
      const stats = statSync(file);
      return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file, 'utf8') : '';
    } catch {
      return '';
    }
  }
}

/** Joins and normalises a path: `a/b` for `./a/x/../b`. Undefined if it leads out of the project. */
export function within(...parts: readonly string[]): string | undefined {
  const path = posix.join(...parts).replace(/\/$/, '');
  return path === '..' || path.startsWith('../') || path.startsWith('/') ? undefined : path;
}

/** Returns the folders above a path, nearest first. The last is `.`. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) folders.push(at);
  return [...folders, '.'];
}

/** An import as written in a file: the module and the imported names. */
export interface ImportedModule {
  module: string;
  names: readonly string[];
}

/** Rule to resolve the imports of one language. */
export interface LanguageRule {
  /** Returns the files that an import refers to; empty if none is in the project. */
  resolve(imported: ImportedModule, from: string): readonly string[];
  /** Returns the name of the external package that contains a module; undefined for modules of the project. */
  packageOf(module: string): string | undefined;
  /** Returns imports inside functions and blocks. The outline does not contain them. */
  hidden?(from: string): readonly ImportedModule[];
}

/** Creates a rule. Called when the rule is first needed, because it may read manifests and sources. */
export type OpenRule = (files: ProjectFiles) => LanguageRule;

/** Returns the declared name of an imported one: `a` for `a as b`. */
export function declaredName(name: string): string {
  return name.split(/(?<!\s)\s+as\s+/)[0]?.trim() ?? name;
}

/** Returns the first `count` parts of a name. */
export function firstParts(module: string, separator: string, count: number): string {
  return module.split(separator).slice(0, count).join(separator);
}

/** Declarations by package or namespace. */
export interface Symbols {
  /** Returns the files that declare a name in a package. */
  filesOf(qualifiedName: string): readonly string[];
  /** Returns the files of a package, each with the names that it declares there. */
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

/** Indexes the declarations in files. Reads each file once, by patterns, because parsing would double the run time. */
export function indexSymbols(
  files: ProjectFiles,
  paths: readonly string[],
  read: (text: string) => readonly PackageNames[],
): Symbols {
  // V8 keeps a whole text in memory as long as a slice of it is used. `structuredClone` copies the slice.
  const declared = paths.flatMap((path) =>
    structuredClone(read(files.text(path))).map((each) => ({ path, ...each })),
  );
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

/** Returns the words of a text. If a file imports a whole package, they show which of its names the file uses. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(WORD) ?? []);
}

/** Parses a JSON manifest, which may have comments and trailing commas. Empty if it is invalid. */
export function readJson(text: string): Fields {
  const plain = text.replace(/^\uFEFF/, '');
  return parsedFields(plain) ?? parsedWithComments(plain);
}

function parsedWithComments(text: string): Fields {
  const errors: ParseError[] = [];
  try {
    const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
    return errors.length === 0 && isFields(value) ? value : {};
  } catch {
    // 100,000 nested brackets overflow the stack of the recursive parser.
    return {};
  }
}
