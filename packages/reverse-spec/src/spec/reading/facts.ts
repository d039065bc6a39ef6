import type { BodyFacts } from '../../syntax/body-facts.ts';
import type { CallGraph, Declared } from './call-graph.ts';
import type { Skeleton, SkeletonExport } from './skeleton.ts';

/** Everything that was read about a target: the source of every table in a spec. No text of a model is in it. */
export interface SpecFacts {
  /** Relative to the project. */
  target: string;
  /** Name of the target for users: its path in the working directory, or its absolute path. */
  label: string;
  /** Title of the document: the path, or the name of the project. */
  title: string;
  scope: TargetScope;
  /** Folders below the target that have documents of their own. */
  without?: readonly string[];
  files: FileFacts[];
  /** Files that were listed but not read, each with the reason. */
  notes: FileNotes;
  dependencies: Dependencies;
  tests: TestMention[];
  /** Facts of the bodies of each file, by path. */
  bodies: ReadonlyMap<string, BodyFacts>;
  /** Calls from functions of the module to those of the project. */
  calls: CallGraph;
  ranks: Ranks;
  /** Exports that users of the package can import, as keys. Undefined: all. */
  importable?: ReadonlySet<string> | undefined;
  /** The authors' description of the package, from its README or manifest. */
  about: PackageWords | undefined;
  links: Links;
}

/** Links from a document to the files and documents it refers to. */
export interface Links {
  /** Relative path from the document's folder to the project's, with `/`. If undefined, no links are written. */
  toProject: string | undefined;
  /** Returns the document that describes a file. */
  specOf(path: string): string | undefined;
}

export interface PackageWords {
  /** The file they come from. */
  path: string;
  words: string;
  /** The words describe a package of which the target is only a part. */
  isOfWhole?: true;
}

/**
 * `file`: one file. `folder`: the files of one folder without its sub-folders. `tree`: all files below a
 * folder.
 */
export type TargetScope = 'file' | 'folder' | 'tree';

/** Facts kept about one source file. The text itself is not kept. */
export interface FileFacts {
  skeleton: Skeleton;
  /**
   * Hash of the whole text, before redaction; empty if the reading thread did not answer, so that the next run
   * reads the file again.
   */
  contentHash: string;
  /** Comment at the top of the file. */
  headComment: string | null;
  /** The first lines of the file say that a program wrote it. */
  isGenerated?: true;
  callouts: Callout[];
  internals: InternalDeclaration[];
  /** Part of the skeleton as text for a model; undefined unless the file is split among several prompts. */
  outlineText?: string;
  /** Facts of the function bodies, compressed by `packBodies`; undefined unless `withBodies` was set. */
  packedBodies?: string;
}

/** Whether the parser found only errors: no import and no declaration. */
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

/** A top-level declaration that is visible only in its file. JavaScript ones keep their members, because a function may return them. */
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
  /** The match is by name only: a test calls something with this name or names the type, but it may be another one. */
  isNamed?: true;
  /** Code of a test or an example that uses it. */
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
 * Importance of each function to a reader. Functions rank high if public functions reach them, many functions
 * call them, or many tests use them.
 */
export interface Ranks {
  /** Returns the rank of a function of the module, from 0 to 1; 0 for any other name. */
  of(path: string, name: string): number;
}

const ROUNDS = 20;
const DAMPING = 0.85;

/** Ranks functions by PageRank over the call graph. Exported and tested functions have the highest start weights. */
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
  const shares = start.map((each) => each / sum);
  let ranks = shares;
  for (let round = 0; round < ROUNDS; round += 1) ranks = spread(ranks, targets, shares);
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

/** Reasons by file path. */
export type FileNotes = Readonly<Record<string, FileNote>>;
