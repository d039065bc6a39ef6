import { posix } from 'node:path';
import { grouped } from '../../../runtime/grouped.ts';
import type { FactReader } from '../../../syntax/body-facts.ts';
import type { FileFacts, TestMention } from '../facts.ts';
import type { SkeletonExport } from '../skeleton.ts';
import { readTestFiles, type TestFile } from './test-calls.ts';

/** Which tests call which exports and members of a file. */
export async function indexTests(
  base: string,
  testPaths: readonly string[],
  { files, reader }: { files: readonly FileFacts[]; reader: FactReader },
): Promise<(file: FileFacts) => TestMention[]> {
  const names = new Set(files.flatMap((file) => symbolsOf(file).map(({ name }) => name)));
  const tests = await readTestFiles(base, testPaths, { names, reader });
  const byName = grouped(
    tests.flatMap((test) => [...test.words.keys()].map((name) => [name, test] as const)),
  );
  return (file) => mentionsOf(file, byName);
}

interface Symbol {
  /** As a test would write it. */
  name: string;
  /** As the document names it. */
  qualified: string;
  owner: string | undefined;
  isCallable: boolean;
}

const CALLABLE: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'macro', 'default']);

function symbolsOf({ skeleton }: FileFacts): Symbol[] {
  // A re-export is tested where it is declared.
  const top = skeleton.exports.filter(({ name, kind }) => name !== '*' && kind !== 're-export');
  const symbols = top.flatMap((each) => [
    symbolOf(each, undefined),
    ...(each.members ?? [])
      .filter(({ kind }) => kind === 'method')
      .map((member) => symbolOf(member, each.name)),
  ]);
  return [...new Map(symbols.map((symbol) => [symbol.qualified, symbol])).values()];
}

/** `Command.Execute` of Go, `Net::HTTP` of Ruby: the last word is what a test writes. */
function symbolOf({ name, kind }: SkeletonExport, owner: string | undefined): Symbol {
  const words = name.split(/[.:#\\]+/).filter((word) => word !== '');
  const [last = name, before] = words.reverse();
  const holder = owner?.split(/[.:#\\]+/).at(-1);
  return {
    name: last,
    qualified: owner === undefined ? name : `${owner}.${name}`,
    owner: holder ?? (kind === 'method' || kind === 'function' ? before : undefined),
    isCallable: CALLABLE.has(kind),
  };
}

function mentionsOf(file: FileFacts, tests: ReadonlyMap<string, TestFile[]>): TestMention[] {
  const { filePath } = file.skeleton;
  return symbolsOf(file).map((symbol) => ({
    symbolName: symbol.qualified,
    filePath,
    tests: (tests.get(symbol.name) ?? [])
      .filter((test) => test.path !== filePath && speaksOf(test, filePath))
      // `close()` of what? Only a test that names the type can mean its method.
      .filter(({ text }) => symbol.owner === undefined || text.includes(symbol.owner))
      .flatMap((test) => placesIn(test, symbol)),
  }));
}

/** A function is tested where it is called, a type where it is named. */
function placesIn({ path, calls, words }: TestFile, { name, isCallable }: Symbol): TestMention['tests'] {
  const lines = isCallable ? (calls.get(name) ?? []) : (words.get(name) ?? []);
  return lines.map((line) => ({ path, line }));
}

/** A short name occurs everywhere: a test counts when it also names the file, lies beside it or is called after it. */
function speaksOf(test: TestFile, filePath: string): boolean {
  const stem = stemOf(filePath);
  if (test.path.includes(stem) || posix.dirname(test.path) === posix.dirname(filePath)) return true;
  const known = test.stems.get(stem) ?? test.text.includes(stem);
  test.stems.set(stem, known);
  return known;
}

const ENTRY_STEMS: ReadonlySet<string> = new Set(['index', 'main', 'mod', 'lib', '__init__']);

function stemOf(path: string): string {
  const segments = path.split('/');
  const stem = (segments.at(-1) ?? '').replace(/\..*/, '');
  return ENTRY_STEMS.has(stem) ? (segments.at(-2) ?? stem) : stem;
}
