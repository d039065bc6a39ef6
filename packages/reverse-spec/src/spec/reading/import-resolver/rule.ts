import type { ProjectFiles } from './project-files.ts';

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
