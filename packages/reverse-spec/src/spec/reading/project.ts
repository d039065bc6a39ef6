import { join, posix } from 'node:path';
import { detectLanguage } from '@secateur/base/languages/languages.ts';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import { listFiles } from '@secateur/serving/workspace/list-files.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import type { BodyFacts } from '../../syntax/body-facts.ts';
import type { ReadingParts } from '../parts.ts';
import { mayBeTest, roleOf } from '../prepare/scope.ts';
import { isConstructor } from './call-graph/declared-file.ts';
import {
  buildCallGraph,
  type CallEdge,
  type CallGraph,
  resolveCallsOf,
  surroundingsOf,
} from './call-graph.ts';
import type { FileFacts, TestMention, UsageExample } from './facts.ts';
import { createImportResolver, type ImportResolver } from './import-resolver.ts';
import {
  type BodiesAt,
  importKey,
  isBalanced,
  readTestFiles,
  type TestFile,
  usageExample,
} from './project/test-calls.ts';
import { unpackBodies } from './read-bodies.ts';
import { readFacts } from './read-facts.ts';
import { displayName, type SkeletonExport } from './skeleton.ts';

/** Project around a target: the files that the target imports, and the tests of its exports. */
export interface Project {
  resolver: ImportResolver;
  testsFor(files: readonly FileFacts[]): TestMention[];
  /** Returns the calls inside a module and from it to exports of other modules. */
  callsOf(files: readonly FileFacts[], bodies: ReadonlyMap<string, BodyFacts>): CallGraph;
}

/** Opens a project. Tests are searched for exports of `files`; other files get no tests. */
export async function openProject(
  base: string,
  files: readonly FileFacts[],
  parts: ReadingParts,
): Promise<Project> {
  const { signal } = parts;
  const { paths } = await listFiles(await openRoot(base), { ...(signal && { signal }) });
  const resolver = createImportResolver(base, paths);
  const around = surroundingsOf(files, resolver);
  const testPaths = paths.filter(isTestOrExample);
  const bodiesAt = await readTests(base, testPaths, { files, parts });
  // In JavaScript a signature does not state the type of the result.
  const bodies = {
    get: (path: string) => (detectLanguage({ path }) === 'javascript' ? bodiesAt(path) : undefined),
  };
  const mentions = await findMentions(base, testPaths, {
    files,
    bodiesAt,
    resolve: resolveCallsOf({ files, bodies, ...around }),
  });
  return {
    resolver,
    testsFor: (wanted) => wanted.flatMap((file) => mentions.get(file) ?? []),
    callsOf: (wanted, bodies) => buildCallGraph({ files: wanted, bodies, ...around }),
  };
}

function isTestOrExample(path: string): boolean {
  const role = roleOf(path);
  const isWanted = mayBeTest(path) || role === 'test' || role === 'example';
  return isWanted && detectLanguage({ path }) !== undefined;
}

/** Reads the tests as sources are read: in worker threads, with the cache. Sources that contain tests are read too. */
async function readTests(
  base: string,
  paths: readonly string[],
  { files, parts }: { files: readonly FileFacts[]; parts: ReadingParts },
): Promise<BodiesAt> {
  const target = { absolute: join(base, '#tests'), base, path: '.', label: 'tests', scope: 'tree' as const };
  const tests =
    paths.length === 0 ? [] : (await readFacts(target, paths, { ...parts, withBodies: true })).files;
  const packed = new Map(
    [...files, ...tests].map(({ skeleton, packedBodies }) => [skeleton.filePath, packedBodies]),
  );
  return (path) => {
    const own = packed.get(path);
    return own === undefined ? undefined : unpackBodies(own);
  };
}

/**
 * Finds the tests that call exports and members of each file, with usage examples. Returns data and no
 * function, because a closure would keep the texts and calls of all tests in memory.
 */
async function findMentions(
  base: string,
  testPaths: readonly string[],
  {
    files,
    bodiesAt,
    resolve,
  }: { files: readonly FileFacts[]; bodiesAt: BodiesAt; resolve: ReturnType<typeof resolveCallsOf> },
): Promise<Map<FileFacts, TestMention[]>> {
  const symbols = files.flatMap(symbolsOf);
  const names = new Map(symbols.map(({ name }) => [name, name]));
  const declared = [...grouped(files.flatMap(namedPlaces))];
  const unique = new Set(
    declared.flatMap(([name, places]) =>
      name.length >= MIN_NAME && new Set(places).size === 1 ? [name] : [],
    ),
  );
  const paths = { tests: testPaths, sources: files.map(({ skeleton }) => skeleton.filePath) };
  const tests = await readTestFiles(base, paths, { names, bodiesAt, resolve });
  const byTarget = grouped(tests.flatMap(({ edges }) => edges.map((edge) => [edge.to.path, edge] as const)));
  const index: TestIndex = {
    tests: new Map(tests.map((test) => [test.path, test])),
    byTarget,
    targets: new Map([...byTarget].map(([path, edges]) => [path, new Set(edges.map(({ to }) => to))])),
    byWord: grouped(tests.flatMap((test) => [...test.words.keys()].map((name) => [name, test] as const))),
    definitions: grouped(
      [...byTarget.values()]
        .flat()
        .flatMap((edge) => (C_SOURCE.test(edge.to.path) ? [[lastOf(edge.to.name), edge]] : [])),
    ),
    isUnique: (name) => unique.has(name),
  };
  const mentionsOf = (file: FileFacts) =>
    symbolsOf(file).map((symbol) => mentionOf(symbol, file.skeleton.filePath, index));
  return new Map(files.map((file) => [file, mentionsOf(file)]));
}

/** Returns the names that a file declares, with their places. A function in C has one place, whether its header or its source is read. */
function namedPlaces(file: FileFacts): [name: string, place: string][] {
  const { filePath } = file.skeleton;
  const folder = C_SOURCE.test(filePath) ? '' : filePath;
  return symbolsOf(file).map(({ name, qualified }) => [
    name,
    `${folder} ${folder === '' ? lastOf(qualified) : qualified}`,
  ]);
}

const C_SOURCE = /\.(?:c|cc|cpp|cxx|ipp|inl|h|hh|hpp)$/;
const HEADER = /\.h(?:h|pp|xx)?$/;

/** Returns a name without namespaces: `Box.open` for `crate::Box.open`. */
function lastOf(name: string): string {
  return name.split(/[.:]+/).slice(-2).join('.');
}

/** Minimum length of a name for a match by the name alone. */
const MIN_NAME = 4;

interface TestIndex {
  tests: ReadonlyMap<string, TestFile>;
  /** Calls in tests, by the file that declares the called function. */
  byTarget: ReadonlyMap<string, readonly CallEdge[]>;
  /** Functions and types that tests call, by the file that declares them. There are far fewer of them than calls. */
  targets: ReadonlyMap<string, ReadonlySet<CallEdge['to']>>;
  byWord: ReadonlyMap<string, readonly TestFile[]>;
  /** Calls of functions that source files of C and C++ define, by name. Headers only declare these functions. */
  definitions: ReadonlyMap<string, readonly CallEdge[]>;
  /** Whether the project declares the name exactly once. */
  isUnique(name: string): boolean;
}

interface Symbol {
  /** Name of the export as tests write it. */
  name: string;
  /** Name of the export in the document. */
  qualified: string;
  owner: string | undefined;
  isCallable: boolean;
  startLine: number;
  endLine: number;
}

const CALLABLE: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'macro', 'default']);

function symbolsOf({ skeleton, internals }: FileFacts): Symbol[] {
  // A re-export is listed with the tests of its declaration.
  const top = skeleton.exports.filter(({ name, kind }) => name !== '*' && kind !== 're-export');
  const symbols = [
    ...top.flatMap((each) => [symbolOf(each, undefined), ...methodsOf(each)]),
    // Exported functions may return objects of types that are not exported.
    ...internals.flatMap((each) => methodsOf({ ...each, jsDoc: null })),
  ];
  return [...new Map(symbols.map((symbol) => [symbol.qualified, symbol])).values()];
}

function methodsOf(each: SkeletonExport): Symbol[] {
  const methods = (each.members ?? []).filter(({ kind }) => kind === 'method');
  return methods.map((member) => symbolOf(member, displayName(each)));
}

/** Returns the names of an export. Tests write only the last part: `Execute` for `Command.Execute`, `HTTP` for `Net::HTTP`. */
function symbolOf(each: SkeletonExport, owner: string | undefined): Symbol {
  const { kind, startLine, endLine } = each;
  const name = displayName(each);
  const words = name.split(/[.:#\\]+/).filter((word) => word !== '');
  const [last = name, before] = words.reverse();
  const holder = owner?.split(/[.:#\\]+/).at(-1);
  return {
    // In Ruby the final `!`, `?` or `=` of a method name is not part of the name in a call.
    name: last.replace(/[!?=]$/, ''),
    qualified: owner === undefined ? name : `${owner}.${name}`,
    owner: holder ?? (kind === 'method' || kind === 'function' ? before : undefined),
    isCallable: CALLABLE.has(kind),
    startLine,
    endLine,
  };
}

function mentionOf(symbol: Symbol, filePath: string, index: TestIndex): TestMention {
  const meant = new Set([...(index.targets.get(filePath) ?? [])].filter((to) => isMeant(to, symbol)));
  const certain =
    meant.size === 0 ? [] : (index.byTarget.get(filePath) ?? []).filter(({ to }) => meant.has(to));
  const defined =
    HEADER.test(filePath) && symbol.isCallable ? (index.definitions.get(lastOf(symbol.qualified)) ?? []) : [];
  const isTest = ({ path }: { path: string }) => index.tests.get(path)?.isExample === false;
  const places = [
    ...[...certain, ...defined].map(({ from, line }) => ({ path: from.path, line })),
    ...likelyPlaces(symbol, filePath, index),
  ].filter(isTest);
  const tests = [...new Map(places.map((place) => [`${place.path} ${place.line}`, place])).values()];
  const example = bestExample([...certain, ...defined], symbol.name, index);
  return {
    symbolName: symbol.qualified,
    filePath,
    tests,
    ...(isNamedIn(index, symbol) && { isNamed: true as const }),
    // V8 keeps the whole test in memory as long as a slice of it is used. `structuredClone` copies the slice.
    ...(example !== undefined && { example: structuredClone(example) }),
  };
}

function isNamedIn({ byWord }: TestIndex, { name, isCallable }: Symbol): boolean {
  const tests = byWord.get(name) ?? [];
  return tests.some(({ isExample, called }) => !isExample && (!isCallable || called.has(name)));
}

/** Whether the target of a call is a symbol. A call of a type's constructor counts for the type. */
function isMeant(to: CallEdge['to'], { startLine, endLine, isCallable, name }: Symbol): boolean {
  // In Ruby a line may define several methods: `attr_reader :size, :color`.
  if (to.startLine === startLine)
    return !to.path.endsWith('.rb') || to.kind === 'type' || to.name.replace(/^.*\.|[!?=]$/g, '') === name;
  const isInside = to.startLine > startLine && to.startLine <= endLine;
  if (!isInside && isCallable) return false;
  const [last = '', owner] = to.name.split('.').reverse();
  if (isInside && last === name) return true;
  return !isCallable && owner === name && (isConstructor(to) || last === 'new');
}

/**
 * Returns places in tests that probably use a symbol. For a type or constant, the test must import it.
 * Otherwise the project must declare the name only once, and the test must also mention its file and its
 * type.
 */
function likelyPlaces(
  symbol: Symbol,
  filePath: string,
  { byWord, isUnique }: TestIndex,
): TestMention['tests'] {
  const { name, owner, isCallable } = symbol;
  if (isCallable && !isUnique(name)) return [];
  return (byWord.get(name) ?? []).flatMap((test) => {
    const isImported = !isCallable && test.imports.has(importKey(filePath, name));
    const isLikely =
      isUnique(name) &&
      test.path !== filePath &&
      speaksOf(test, filePath) &&
      (owner === undefined || test.text.includes(owner));
    if (!isImported && !isLikely) return [];
    const first = isCallable ? (test.unresolved.get(name) ?? []) : [test.words.get(name) ?? 0];
    return first.map((line) => ({ path: test.path, line }));
  });
}

/** Whether a test is about a file: it names the file, is in the same folder or has its name. */
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

const MAX_CANDIDATES = 20;

/** Returns the best usage example: if possible from an example file, with balanced brackets, without failures and about five lines long. */
function bestExample(
  edges: readonly CallEdge[],
  name: string,
  { tests }: TestIndex,
): UsageExample | undefined {
  const calls = edges.filter(({ kind }) => kind === 'call');
  const inExamples = calls.filter(({ from }) => tests.get(from.path)?.isExample === true);
  const candidates = [...inExamples, ...calls].slice(0, MAX_CANDIDATES).flatMap((edge) => {
    const test = tests.get(edge.from.path);
    const example = test && usageExample(test.line, edge);
    return test === undefined ||
      example === undefined ||
      EXPECTS_FAILURE.test(example.code) ||
      !example.code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)?.includes(name)
      ? []
      : [{ example, isExample: test.isExample }];
  });
  const cost = ({ example, isExample }: (typeof candidates)[number]) =>
    (isExample ? 0 : 100) +
    (isBalanced(example.code) && /^\S/.test(example.code) ? 0 : 200) +
    (SHOWS_FAILURE.test(example.code) ? 50 : 0) +
    Math.abs(example.endLine - example.startLine - 5);
  return candidates.sort((one, other) => cost(one) - cost(other))[0]?.example;
}

/** Marks of tests that expect failures or measure time. They are not usage examples. */
const EXPECTS_FAILURE =
  /\b(?:raises|toThrow|rejects|assertThrows|expectException\w*|assert_raises?|raise_error|should_panic|unwrap_err|Throws(?:Async|Any)?|Benchmark\w*)\b|[Pp]anic|\bfail\(/;

/** Words of error cases. Tests with them are the last to be used as examples. */
const SHOWS_FAILURE = /\b(?:invalid|malformed|bad|fails?|errors?|rejects?|throws?|should (?:4|5)\d\d)\b/i;
