import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import { type Fields, isFields, parsedFields } from '@secateur/base/text/json.ts';
import jsonc, { type ParseError } from 'jsonc-parser';

const MAX_BYTES = 1_048_576;

/** The files imports may mean, and their texts where a rule has to look into them. */
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

  /** Files with this last part. */
  named(name: string): readonly string[] {
    this.#byName ??= grouped(this.paths.map((path) => [posix.basename(path), path]));
    return this.#byName.get(name) ?? [];
  }

  /** Files right in a folder; `.` is the project's own. */
  inFolder(folder: string): readonly string[] {
    this.#byFolder ??= grouped(this.paths.map((path) => [posix.dirname(path), path]));
    return this.#byFolder.get(folder) ?? [];
  }

  ending(...extensions: readonly string[]): string[] {
    return this.paths.filter((path) => extensions.some((each) => path.endsWith(each)));
  }

  /** Empty if unreadable, or too large to be written by hand. */
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

/** `a/b` for `./a/x/../b`; undefined if it leads out of the project. */
export function within(...parts: readonly string[]): string | undefined {
  const path = posix.join(...parts).replace(/\/$/, '');
  return path === '..' || path.startsWith('../') || path.startsWith('/') ? undefined : path;
}

/** The folder itself and those above it, nearest first; `.` is the last. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) folders.push(at);
  return [...folders, '.'];
}

/** An import as a file writes it: the module, and the names taken from it. */
export interface ImportedModule {
  module: string;
  names: readonly string[];
}

/** Import resolution of one language. */
export interface LanguageRule {
  /** None when it leads outside the project. */
  resolve(imported: ImportedModule, from: string): readonly string[];
  /** The package a module outside belongs to, as its users call it; none when it is the project's own. */
  packageOf(module: string): string | undefined;
  /** Imports inside functions and blocks, which an outline leaves out. */
  hidden?(from: string): readonly ImportedModule[];
}

/** Made when the first file of the language asks: it may look into manifests and sources. */
export type OpenRule = (files: ProjectFiles) => LanguageRule;

/** A name as it is declared: `a` in `a as b`. */
export function declaredName(name: string): string {
  return name.split(/(?<!\s)\s+as\s+/)[0]?.trim() ?? name;
}

/** The first `count` parts of a dotted or slashed name. */
export function firstParts(module: string, separator: string, count: number): string {
  return module.split(separator).slice(0, count).join(separator);
}

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

/** Returns the object in a manifest: JSON, in some of them with comments and trailing commas; empty if the text is broken. */
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
    // The parser recurses: a text of a hundred thousand brackets exceeds the stack.
    return {};
  }
}
