import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Project, type SourceFile } from 'ts-morph';
import type { Declaration } from '../../packages/reverse-spec/src/syntax/outline.ts';
import type { Outliner } from '../../packages/reverse-spec/src/syntax/read-outline.ts';
import { Tally } from './tally.ts';
import { type Reference, referenceExports } from './typescript-reference.ts';

const MAX_BYTES = 400_000;

/** The `.d.ts` and `.ts` files of a folder, nested packages left out. */
export function typeScriptFiles(root: string, limit: number): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.[cm]?ts$/.test(file) && !file.includes('node_modules') && !/\.test\./.test(file))
    .sort()
    .map((file) => join(root, file))
    .filter((file) => statSync(file).isFile() && statSync(file).size < MAX_BYTES)
    .slice(0, limit);
}

/** Compares each file's outline with the compiler's own export table. */
export async function compareTypeScript(
  outliner: Outliner,
  root: string,
  files: readonly string[],
): Promise<Tally> {
  const project = new Project({
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noResolve: true, noLib: true, allowJs: false, skipLibCheck: true },
  });
  const tally = new Tally();
  for (const path of files) project.addSourceFileAtPath(path);
  for (const file of project.getSourceFiles()) await compareFile(outliner, file, { tally, root });
  return tally;
}

async function compareFile(
  outliner: Outliner,
  file: SourceFile,
  { tally, root }: { tally: Tally; root: string },
): Promise<void> {
  const path = file.getFilePath();
  const where = relative(root, path);
  const outline = await outliner.outline(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), { path });
  const ours = exportsOf(outline.declarations, file.getSymbol() !== undefined);
  const theirs = referenceExports(file);
  tally.files++;
  tally.names(where, new Set(ours.keys()), new Set(theirs.keys()));
  for (const [name, references] of theirs)
    compareSignatures(`${where} ${name}`, { tally, references, ours: ours.get(name) ?? [] });
}

/** Our exports by name; a module's augmentations of others and its star exports have no name of their own. */
function exportsOf(declarations: readonly Declaration[], isModule: boolean): Map<string, Declaration[]> {
  const exports = new Map<string, Declaration[]>();
  for (const declaration of declarations.filter((each) => isOwnExport(each, isModule))) {
    for (const name of exportNames(declaration))
      exports.set(name, [...(exports.get(name) ?? []), declaration]);
  }
  return exports;
}

function isOwnExport(declaration: Declaration, isModule: boolean): boolean {
  if (declaration.kind === 're-export' && declaration.name === '*') return false;
  return declaration.exported && !(isModule && isAmbientModule(declaration));
}

function isAmbientModule({ kind, signature }: Declaration): boolean {
  return kind === 'namespace' && /^(declare\s+)?(module\s+['"]|global\b)/.test(signature);
}

/** `namespace A.B {}` exports `A`. */
function exportNames(declaration: Declaration): string[] {
  if (declaration.exportedAs !== undefined) return declaration.exportedAs;
  const isDotted = declaration.kind === 'namespace' && !isAmbientModule(declaration);
  return [isDotted ? (declaration.name.split('.')[0] ?? '') : declaration.name];
}

interface Pairing {
  tally: Tally;
  references: readonly Reference[];
  ours: readonly Pick<Declaration, 'signature' | 'members' | 'kind'>[];
}

function compareSignatures(where: string, { tally, references, ours }: Pairing): void {
  const left = [...ours];
  for (const reference of references) {
    const index = left.findIndex((each) => isSame(each, reference));
    tally.signature(where, index >= 0, reference.head);
    const [match] = index >= 0 ? left.splice(index, 1) : [];
    if (match !== undefined && reference.members.length > 0) {
      compareSignatures(`${where} member`, { tally, references: reference.members, ours: match.members });
    }
  }
}

/** Ours is the source's text between the shortest and the longest the compiler's tree allows. */
function isSame({ signature, kind }: Pairing['ours'][number], { head, full }: Reference): boolean {
  if (signature === head || signature === full) return true;
  if (kind === 're-export') return signature.includes(head);
  return signature.startsWith(head) && full.startsWith(signature);
}
