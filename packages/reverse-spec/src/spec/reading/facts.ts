import type { BodyFacts } from '../../syntax/body-facts.ts';
import type { CallGraph, Declared } from './call-graph.ts';
import type { Skeleton, SkeletonExport } from './skeleton.ts';

/** Everything about a target that was read and not written by anyone: the source of every table in a spec. */
export interface SpecFacts {
  /** Relative to the project. */
  target: string;
  /** Name of the target outside. */
  label: string;
  /** Name that readers of the document know: the path, or the name of a project. */
  title: string;
  scope: TargetScope;
  /** Folders below the target that have documents of their own. */
  without?: readonly string[];
  files: FileFacts[];
  /** Files that were listed but not read, and why. */
  notes: FileNotes;
  dependencies: Dependencies;
  tests: TestMention[];
  /** Facts of the bodies of each file, by path. */
  bodies: ReadonlyMap<string, BodyFacts>;
  /** Calls from functions of the module to those of the project. */
  calls: CallGraph;
  ranks: Ranks;
  /** Authors' words about the package: its README or its manifest. */
  about: PackageWords | undefined;
  links: Links;
}

/** Paths from a document to what it describes. */
export interface Links {
  /** From the folder of the document to the project's, with `/`; no links if undefined. */
  toProject: string | undefined;
  /** The document a file is described in. */
  specOf(path: string): string | undefined;
}

export interface PackageWords {
  /** The file they come from. */
  path: string;
  words: string;
  /** They are about a package of which the target is a part. */
  isOfWhole?: true;
}

/** One file; the files of one folder without its sub-folders; a whole tree. */
export type TargetScope = 'file' | 'folder' | 'tree';

/** Facts kept from one source file; its text is not. */
export interface FileFacts {
  skeleton: Skeleton;
  /** Hash of the whole text, before redaction. */
  contentHash: string;
  /** The comment at the top of the file. */
  headComment: string | null;
  /** Its first lines say that a program wrote it. */
  isGenerated?: true;
  callouts: Callout[];
  internals: InternalDeclaration[];
  /** The skeleton as a model reads it, and its size: rendered once, where the file was read. */
  outlineText: string;
  outlineTokens: number;
  /** Facts of the bodies, packed, if they were asked for. */
  packedBodies?: string;
}

/** Whether the parser found errors and nothing else: no import and no declaration. */
export function hasOnlySyntaxErrors({ skeleton, internals }: FileFacts): boolean {
  const { parseErrors, exports, imports } = skeleton;
  return parseErrors !== undefined && exports.length + imports.length + internals.length === 0;
}

/** A comment that asks for attention: TODO, FIXME, … */
export interface Callout {
  tag: string;
  text: string;
  line: number;
}

/** A top-level declaration visible only in its file; with its members in JavaScript, where a function may return one. */
export type InternalDeclaration = Pick<
  SkeletonExport,
  'name' | 'kind' | 'signature' | 'startLine' | 'endLine' | 'members'
>;

export interface Dependencies {
  /** Between files of the target. */
  internal: DependencyEdge[];
  /** Files of the project outside the target. */
  project: DependencyEdge[];
  /** Packages and system modules. */
  external: { module: string; usedBy: string[] }[];
}

export interface DependencyEdge {
  from: string;
  to: string;
}

/** An export or a method, and the places in tests that call or name it. */
export interface TestMention {
  symbolName: string;
  filePath: string;
  tests: { path: string; line: number }[];
  /** A test calls something of this name, or names the type: whether it is this one is not known. */
  isNamed?: true;
  /** Its use in a test or an example. */
  example?: UsageExample;
}

/** Code of a test or an example; redacted. */
export interface UsageExample {
  path: string;
  startLine: number;
  endLine: number;
  code: string;
}

/**
 * Importance of each function to a reader: what public functions lead to, what many call, what many tests
 * call.
 */
export interface Ranks {
  /** From 0 to 1 for the functions of the module; 0 for anything else. */
  of(path: string, name: string): number;
}

const ROUNDS = 20;
const DAMPING = 0.85;

/** PageRank over the call graph, started from exported functions and tested ones. */
export function rankFunctions({ functions, edges }: CallGraph, tests: readonly TestMention[]): Ranks {
  const keys = functions.map(keyOf);
  const tested = new Map(
    tests.map(({ filePath, symbolName, tests: places }) => [`${filePath}\0${symbolName}`, places.length]),
  );
  const start = functions.map(
    (each) => (each.isExported ? 1 : 0.1) + Math.log2(1 + (tested.get(keyOf(each)) ?? 0)),
  );
  const sum = start.reduce((all, each) => all + each, 0) || 1;
  const index = new Map(keys.map((key, at) => [key, at]));
  const targets = functions.map(() => new Set<number>());
  for (const { from, to } of edges) {
    const [one, other] = [index.get(keyOf(from)), index.get(keyOf(to))];
    if (one !== undefined && other !== undefined && one !== other) targets[one]?.add(other);
  }
  let ranks = start.map((each) => each / sum);
  for (let round = 0; round < ROUNDS; round += 1)
    ranks = spread(
      ranks,
      targets,
      start.map((each) => each / sum),
    );
  const most = ranks.reduce((top, each) => Math.max(top, each), 0) || 1;
  const known = new Map(keys.map((key, at) => [key, (ranks[at] ?? 0) / most]));
  return { of: (path, name) => known.get(`${path}\0${name}`) ?? 0 };
}

function spread(
  ranks: readonly number[],
  targets: readonly ReadonlySet<number>[],
  start: readonly number[],
): number[] {
  const next = start.map((each) => each * (1 - DAMPING));
  for (const [at, to] of targets.entries())
    for (const target of to) next[target] = (next[target] ?? 0) + (DAMPING * (ranks[at] ?? 0)) / to.size;
  return next;
}

export function keyOf({ path, name }: Pick<Declared, 'path' | 'name'>): string {
  return `${path}\0${name}`;
}

/** Why a file that was listed gave no facts. */
export type FileNote =
  | {
      code:
        | 'binary'
        | 'unknown-language'
        | 'unreadable'
        | 'failed'
        | 'unreadable-folder'
        | 'name-not-utf8'
        | 'secret-in-name';
    }
  | { code: 'too-large'; bytes: number; maxBytes: number };

/** By path. */
export type FileNotes = Readonly<Record<string, FileNote>>;
