import { createHash } from 'node:crypto';
import {
  hashInOrder,
  hashOfAll,
  mergeImports,
  type SkeletonImport,
  type SkeletonProblem,
  type StructureOf,
} from '../skeleton.ts';
import { needsOf, type StoredFiles } from './stored-facts.ts';

/** All files of the target as one, without the exports: the beginning of a JSON object up to them. */
export function mergedHead(label: string, files: StoredFiles): string {
  const languages = new Set<string>();
  let loc = 0;
  for (const { brief } of files) {
    languages.add(brief.language);
    loc += brief.loc;
  }
  return inside({ filePath: label, language: sorted(languages), loc });
}

/** What stands behind the exports. It takes a look into every file, so it is kept with the facts. */
export function mergedTail(files: StoredFiles): string {
  const { imports, parseErrors } = mergeNeeds(files);
  const parsers = new Set<string>();
  for (const { brief } of files) parsers.add(brief.parserUsed);
  return inside({
    imports,
    ...(parseErrors.length > 0 && { parseErrors }),
    hash: hashInOrder(structures(files)) ?? hashOfAll([...structures(files)]),
    parserUsed: sorted(parsers),
  });
}

/** Says which files a tail is about; what they hold it need not say, as long as none of them changed. */
export function tailKey(files: StoredFiles): string {
  const hash = createHash('sha256');
  for (const { path } of files) hash.update(`${path}\0`);
  return hash.digest('hex');
}

function mergeNeeds(files: StoredFiles) {
  const parseErrors: SkeletonProblem[] = [];
  function* importsInTurn(): Generator<SkeletonImport> {
    for (const file of files) {
      const needs = needsOf(file);
      for (const { line, message } of needs.parseErrors ?? [])
        parseErrors.push({ line, message: `${file.path}: ${message}` });
      yield* needs.imports;
    }
  }
  return { imports: mergeImports(importsInTurn()), parseErrors };
}

function* structures(files: StoredFiles): Generator<StructureOf> {
  for (const { path, brief } of files) yield { filePath: path, hash: brief.hash };
}

function sorted(values: ReadonlySet<string>): string {
  return [...values].sort().join(', ');
}

/** JSON without its outermost marks. */
export function inside(value: unknown): string {
  return JSON.stringify(value).slice(1, -1);
}
