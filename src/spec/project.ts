import { listFiles } from '../workspace/list-files.ts';
import { openRoot } from '../workspace/root.ts';
import type { FileFacts, TestMention } from './facts.ts';
import { mayBeTest } from './prepare/test-names.ts';
import { readTestWords, type TestWords } from './project/test-words.ts';

/** What lies around a target: files its imports may mean, tests that may name its exports. */
export interface Project {
  paths: readonly string[];
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
  return { paths, testsFor: (wanted) => wanted.flatMap((file) => mentionsOf(file, tests)) };
}

function mentionsOf({ skeleton }: FileFacts, tests: readonly TestWords[]): TestMention[] {
  const speaking = tests.filter(
    (test) => test.path !== skeleton.filePath && speaksOf(test, skeleton.filePath),
  );
  const names = new Set(skeleton.exports.map(({ name }) => name).filter((name) => name !== '*'));
  return [...names].map((symbolName) => ({
    symbolName,
    filePath: skeleton.filePath,
    tests: speaking.flatMap(({ path, lines }) => {
      const line = lines.get(symbolName);
      return line === undefined ? [] : [{ path, line }];
    }),
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
