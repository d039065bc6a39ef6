import { listFiles } from '../workspace/list-files.ts';
import { openRoot } from '../workspace/root.ts';
import type { FileFacts, TestMention } from './facts.ts';
import { createImportResolver, type ImportResolver } from './import-resolver.ts';
import { mayBeTest } from './prepare/test-names.ts';
import { readTestWords, type TestWords } from './project/test-words.ts';

/** What lies around a target: files its imports may mean, tests that may name its exports. */
export interface Project {
  resolver: ImportResolver;
  testsFor(files: readonly FileFacts[]): TestMention[];
}

export interface ProjectRequest {
  base: string;
  /** Everything whose exports will be looked for. */
  files: readonly FileFacts[];
  signal?: AbortSignal;
}

export async function openProject({ base, files, signal }: ProjectRequest): Promise<Project> {
  const { paths } = await listFiles(await openRoot(base), signal === undefined ? {} : { signal });
  const names = new Set(files.flatMap(({ skeleton }) => skeleton.exports.map(({ name }) => name)));
  const tests = await readTestWords(base, paths.filter(mayBeTest), names);
  const byName = indexByName(tests);
  return {
    resolver: createImportResolver(paths),
    testsFor: (wanted) => wanted.flatMap((file) => mentionsOf(file, byName)),
  };
}

function indexByName(tests: readonly TestWords[]): ReadonlyMap<string, TestWords[]> {
  const index = new Map<string, TestWords[]>();
  for (const test of tests) {
    for (const name of test.lines.keys()) {
      const known = index.get(name);
      if (known === undefined) index.set(name, [test]);
      else known.push(test);
    }
  }
  return index;
}

function mentionsOf({ skeleton }: FileFacts, tests: ReadonlyMap<string, TestWords[]>): TestMention[] {
  const { filePath, exports } = skeleton;
  const names = new Set(exports.map(({ name }) => name).filter((name) => name !== '*'));
  return [...names].map((symbolName) => ({
    symbolName,
    filePath,
    tests: (tests.get(symbolName) ?? [])
      .filter((test) => test.path !== filePath && speaksOf(test, filePath))
      .map(({ path, lines }) => ({ path, line: lines.get(symbolName) ?? 1 })),
  }));
}

/** A short name occurs everywhere: a test counts when it also names the file, lies beside it or is called after it. */
function speaksOf({ path, text }: TestWords, filePath: string): boolean {
  const stem = stemOf(filePath);
  return text.includes(stem) || path.includes(stem) || folderOf(path) === folderOf(filePath);
}

const ENTRY_STEMS: ReadonlySet<string> = new Set(['index', 'main', 'mod', 'lib', '__init__']);

function stemOf(path: string): string {
  const segments = path.split('/');
  const stem = (segments.at(-1) ?? '').replace(/\..*$/, '');
  return ENTRY_STEMS.has(stem) ? (segments.at(-2) ?? stem) : stem;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
