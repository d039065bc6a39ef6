import { hash } from 'node:crypto';
import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Declaration, Outline, ParseProblem } from '../../syntax/outline.ts';
import { openNamespaces } from './namespaces.ts';
import { normaliseCode } from './normalise-code.ts';

/** Exports and imports of one file. Every text in it was redacted before it was parsed. */
export interface Skeleton {
  /** Relative to the project, with `/`. */
  filePath: string;
  language: string;
  loc: number;
  exports: SkeletonExport[];
  imports: SkeletonImport[];
  parseErrors?: ParseProblem[];
  /** Hash of the structure, without comments, formatting, bodies and line numbers. */
  hash: string;
  parserUsed: string;
}

export interface SkeletonExport {
  name: string;
  kind: DeclarationKind;
  /** The source's own text. */
  signature: string;
  jsDoc: string | null;
  members?: SkeletonExport[];
  startLine: number;
  endLine: number;
}

export interface SkeletonImport {
  module: string;
  names: string[];
  isTypeOnly: boolean;
  line: number;
}

/** All files of a target as one; each export says where it lives. */
export interface MergedSkeleton extends Omit<Skeleton, 'exports'> {
  exports: (SkeletonExport & { filePath: string })[];
}

export function skeletonOf(outline: Outline, file: { path: string; loc: number }): Skeleton {
  const exports = openNamespaces(
    outline.declarations.filter(({ exported }) => exported).flatMap(exportsOf),
    outline.language,
  );
  const imports = outline.imports.map(({ module, names, typeOnly, startLine }) => ({
    module,
    names,
    isTypeOnly: typeOnly,
    line: startLine,
  }));
  return {
    filePath: file.path,
    language: outline.language,
    loc: file.loc,
    exports,
    imports,
    ...(outline.problems.length > 0 && { parseErrors: outline.problems }),
    hash: structureHash(outline.language, exports, imports),
    parserUsed: outline.parser,
  };
}

/** A declaration exported under two names is two exports. */
function exportsOf(declaration: Declaration): SkeletonExport[] {
  const names = declaration.exportedAs ?? [declaration.name];
  return names.map((name) => exportOf(declaration, name));
}

function exportOf(declaration: Declaration, name: string): SkeletonExport {
  const members = declaration.members.filter(({ exported }) => exported).flatMap(exportsOf);
  return {
    name,
    kind: declaration.kind,
    signature: declaration.signature,
    jsDoc: declaration.doc ?? null,
    ...(members.length > 0 && { members }),
    startLine: declaration.startLine,
    endLine: declaration.endLine,
  };
}

function structureHash(language: string, exports: SkeletonExport[], imports: SkeletonImport[]): string {
  const lines: string[] = [];
  for (const each of exports) addStructure(lines, each, { language, owner: '' });
  for (const { module, names } of imports) lines.push(`import\0${module}\0${[...names].sort().join()}`);
  return hash('sha256', lines.sort().join('\n'));
}

/** One line each; a member's line begins with its owner, so the order of the lines does not matter. */
function addStructure(
  lines: string[],
  { name, kind, signature, members }: SkeletonExport,
  { language, owner }: { language: string; owner: string },
): void {
  const path = `${owner}\0${name}`;
  lines.push(`${path}\0${kind}\0${normaliseCode(signature, language)}`);
  for (const member of members ?? []) addStructure(lines, member, { language, owner: path });
}

/** One entry a module: the same package is imported by many files. */
export function mergeImports(imports: Iterable<SkeletonImport>): SkeletonImport[] {
  const merged = new Map<string, SkeletonImport & { seen: Set<string> }>();
  for (const { module, names, isTypeOnly, line } of imports) {
    const known = merged.get(module);
    if (known === undefined) {
      merged.set(module, { module, names: [], isTypeOnly, line, seen: new Set(names) });
      continue;
    }
    known.isTypeOnly &&= isTypeOnly;
    for (const name of names) known.seen.add(name);
  }
  return [...merged.values()].map(({ seen, ...rest }) => ({ ...rest, names: [...seen].sort() }));
}

/** Files count by what they hold and by how they are called below their target. */
export function hashOfAll(skeletons: readonly Skeleton[]): string {
  const lines = skeletons.map(({ filePath, hash: structure }) => `${filePath}\0${structure}`);
  return hash('sha256', lines.sort().join('\n'));
}

/** The name a reader knows an export by: `module.exports = Reply` is `Reply`. */
export function displayName({ name, signature }: Pick<SkeletonExport, 'name' | 'signature'>): string {
  if (name !== 'export=' && name !== 'default') return name;
  return (
    /\b(?:function|class)[\s*]{1,9}([\w$]+)/.exec(signature)?.[1] ??
    (name === 'default' ? name : 'module.exports')
  );
}
