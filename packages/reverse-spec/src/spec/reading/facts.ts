import type { BodyFacts } from '../../syntax/body-facts.ts';
import type { CallGraph, Declared } from './call-graph.ts';
import type { Skeleton, SkeletonExport } from './skeleton.ts';

/** All facts read about a target. Every table in a spec is rendered from them. They contain no text of a model. */
export interface SpecFacts {
  /** Path relative to the project. */
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
  bodies: ReadonlyMap<string, BodyFacts>;
  /** Calls from functions of the module to functions of the project. */
  calls: CallGraph;
  ranks: Ranks;
  /** Keys of the exports that users of the package can import. Undefined: all can be imported. */
  importable?: ReadonlySet<string> | undefined;
  /** The authors' description of the package, from its README or manifest. */
  about: PackageWords | undefined;
  links: Links;
}

/** Data for the links from a document to files and other documents. */
export interface Links {
  /** Relative path from the document's folder to the project's, with `/`. If undefined, no links are written. */
  toProject: string | undefined;
  /** Returns the document that describes a file. */
  specOf(path: string): string | undefined;
}

export interface PackageWords {
  /** File that contains the text. */
  path: string;
  words: string;
  /** Set if the text describes a larger package, of which the target is a part. */
  isOfWhole?: true;
  /** Set if the text is only the first sentence of a README, and does not define the package. */
  isGuess?: true;
}

/**
 * `file`: one file. `folder`: the files of one folder without its sub-folders. `tree`: all files below a
 * folder.
 */
export type TargetScope = 'file' | 'folder' | 'tree';

/** Facts kept about one source file. The text itself is not kept. */
export interface FileFacts {
  skeleton: Skeleton;
  /** Hash of the whole text before redaction. Empty if the thread that read the file did not respond: the next run then reads it again. */
  contentHash: string;
  /** Comment at the start of the file. */
  headComment: string | null;
  /** Set if the first lines of the file say that a program generated it. */
  isGenerated?: true;
  callouts: Callout[];
  internals: InternalDeclaration[];
  /** Part of the skeleton, as text for a model. Undefined unless a file is divided among several prompts. */
  outlineText?: string;
  /** Facts of the function bodies, compressed by `packBodies`. Undefined unless they were requested. */
  packedBodies?: string;
}

/** Whether a file has only syntax errors: the parser found no import and no declaration. */
export function hasOnlySyntaxErrors({ skeleton, internals }: FileFacts): boolean {
  const { parseErrors, exports, imports } = skeleton;
  return parseErrors !== undefined && exports.length + imports.length + internals.length === 0;
}

/** A comment with a tag such as TODO or FIXME. */
export interface Callout {
  tag: string;
  text: string;
  line: number;
}

/**
 * A top-level declaration that only its own file can use. In JavaScript it keeps its members, because a
 * function may return an object of it.
 */
export type InternalDeclaration = Pick<
  SkeletonExport,
  'name' | 'kind' | 'signature' | 'startLine' | 'endLine' | 'members'
>;

export interface Dependencies {
  /** Imports between files of the target. */
  internal: DependencyEdge[];
  /** Imports of project files outside the target. */
  project: DependencyEdge[];
  /** Imports of packages and system modules. */
  external: { module: string; usedBy: string[] }[];
}

export interface DependencyEdge {
  from: string;
  to: string;
}

/** An export or method, with the places in tests that call or name it. */
export interface TestMention {
  symbolName: string;
  filePath: string;
  tests: { path: string; line: number }[];
  /** Set if the match is uncertain: a test uses this name, but possibly for something else. */
  isNamed?: true;
  /** Code of a test or example that uses the export. */
  example?: UsageExample;
}

/** Code of a test or example. Secrets are redacted. */
export interface UsageExample {
  path: string;
  startLine: number;
  endLine: number;
  code: string;
}

/** Importance of functions to a reader. A function ranks high if public functions reach it, or many functions or tests call it. */
export interface Ranks {
  /** Returns the rank of a function: 0 to 1, and 0 for an unknown name. */
  of(path: string, name: string): number;
}

const ROUNDS = 20;
const DAMPING = 0.85;

/** Ranks functions by PageRank over the call graph. Exported and tested functions begin with the highest weights. */
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

/** Reason why a listed file has no facts. */
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
