import { createHash } from 'node:crypto';
import { hashOfAll, mergeImports, type SkeletonImport, type SkeletonProblem } from '../skeleton.ts';
import { needsOf, type StoredFacts } from './stored-facts.ts';

/** All files of the target as one, without the exports: the beginning of a JSON object up to them. */
export function mergedHead(label: string, files: readonly StoredFacts[]): string {
  return inside({
    filePath: label,
    language: joinDistinct(files.map(({ brief }) => brief.language)),
    loc: files.reduce((sum, { brief }) => sum + brief.loc, 0),
  });
}

/** What stands behind the exports. It takes a look into every file, so it is kept with the facts. */
export function mergedTail(files: readonly StoredFacts[]): string {
  const { imports, parseErrors } = mergeNeeds(files);
  return inside({
    imports,
    ...(parseErrors.length > 0 && { parseErrors }),
    hash: hashOfAll(files.map(({ path, brief }) => ({ filePath: path, hash: brief.hash }))),
    parserUsed: joinDistinct(files.map(({ brief }) => brief.parserUsed)),
  });
}

/** Says which files a tail is about; what they hold it need not say, as long as none of them changed. */
export function tailKey(files: readonly StoredFacts[]): string {
  const hash = createHash('sha256');
  for (const { path } of files) hash.update(`${path}\0`);
  return hash.digest('hex');
}

function mergeNeeds(files: readonly StoredFacts[]) {
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

function joinDistinct(values: readonly string[]): string {
  return [...new Set(values)].sort().join(', ');
}

/** JSON without its outermost marks. */
export function inside(value: unknown): string {
  return JSON.stringify(value).slice(1, -1);
}
