import { posix } from 'node:path';
import { detectLanguage } from '@secateur/base/languages/languages.ts';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { BodyFact, BodyFacts } from '../../syntax/body-facts.ts';
import {
  constructorName,
  type Declared,
  type DeclaredFile,
  type DeclaredFunction,
  declaredByBodies,
  declaredBySkeleton,
} from './call-graph/declared-file.ts';
import { Evaluation } from './call-graph/evaluate.ts';
import { Names, type Surroundings, type TypeRef } from './call-graph/names.ts';
import { extensionsIn } from './call-graph/skeleton-types.ts';
import type { FileFacts } from './facts.ts';
import type { ImportResolver } from './import-resolver.ts';

export type { Declared };

/** A call or use whose target is known. */
export interface CallEdge {
  from: Declared;
  to: Declared;
  /** `use`: the function is passed as a value. `held`: a function is called that a method stored in a field. */
  kind: 'call' | 'use' | 'held';
  line: number;
  /** Index among the facts of the file. Facts are in execution order. */
  order: number;
  when: readonly string[];
  /** For a `use` or `held`: the field that holds the function. */
  into?: string | undefined;
  /** Whether the call creates an object: `new Box()`. `false` if a constructor calls the constructor of its base class. */
  creates?: boolean;
  /** Set if the calling function returns after this call. */
  ends?: true;
}

/** A call of a function that a variable or a field holds. */
export interface HeldCall extends Pick<CallEdge, 'from' | 'line' | 'order' | 'when' | 'ends'> {
  /** Path of the variable or field: `next`, `this.handler`. */
  path: string;
}

export interface CallGraph {
  /** Functions and methods of the module, including private ones. */
  functions: readonly Declared[];
  heldCalls: readonly HeldCall[];
  /** Edges in source order. Targets may be in other modules of the project. */
  edges: readonly CallEdge[];
}

export interface CallSources {
  files: readonly FileFacts[];
  bodies: ReadonlyMap<string, BodyFacts>;
  /** Returns the facts of another file of the project, whose exports can be called. */
  fileAt(path: string): FileFacts | undefined;
  /** Returns all sources of a package, as named by `packageOf`. */
  inPackage(name: string): readonly string[];
  extensionsOf: Surroundings['extensionsOf'];
  resolver: ImportResolver;
}

/** Indexes the sources of a project so that calls to other modules can be resolved. */
export function surroundingsOf(
  files: readonly FileFacts[],
  resolver: ImportResolver,
): Pick<CallSources, 'fileAt' | 'inPackage' | 'extensionsOf' | 'resolver'> {
  const byPath = new Map(files.map((file) => [file.skeleton.filePath, file]));
  const packages = grouped([...byPath.keys()].map((path) => [packageOf(path), path]));
  const extensions = grouped(
    files.flatMap(({ skeleton }) => extensionsIn(skeleton)).map((each) => [each.name, each]),
  );
  return {
    fileAt: (path) => byPath.get(path),
    inPackage: (name) => packages.get(name) ?? [],
    extensionsOf: (name) => extensions.get(name) ?? [],
    resolver,
  };
}

/**
 * Resolves the calls of a module from its source text: imports, `this`, constructors, and declared types of
 * variables, parameters, fields and results. Omits calls on an object whose type is uncertain.
 */
export function buildCallGraph(sources: CallSources): CallGraph {
  const declared = declaredFiles(sources);
  const own = sources.files.map(({ skeleton }) => skeleton.filePath);
  const names = new Names(declared);
  const functions = own.flatMap((path) => [...(declared.file(path)?.functions.values() ?? [])]);
  for (const each of functions) each.isExported ||= implementsExport(each, declared.file(each.path), names);
  const evaluation = new Evaluation(names);
  const edges = own.flatMap((path) => {
    const file = declared.file(path);
    const facts = sources.bodies.get(path)?.facts ?? [];
    return file === undefined ? [] : edgesOf(file, facts, { evaluation, withTop: false });
  });
  const stored = storedCalls(sources, edges);
  const known = new Set([...edges, ...stored].map(({ from, order }) => `${from.path} ${order}`));
  const held = own.flatMap((path) => {
    const file = declared.file(path);
    const facts = sources.bodies.get(path)?.facts ?? [];
    return file === undefined ? [] : heldCallsOf(file, facts, evaluation);
  });
  return {
    functions,
    edges: [...edges, ...stored],
    heldCalls: held.filter(({ from, order }) => !known.has(`${from.path} ${order}`)),
  };
}

/** Returns calls of functions that are held by parameters, other variables or fields. */
function heldCallsOf(file: DeclaredFile, facts: readonly BodyFact[], evaluation: Evaluation): HeldCall[] {
  return facts.flatMap(({ kind, name, text, owner, startLine: line, when = [], ends }, order) => {
    const from = kind === 'call' && text !== '' ? file.functions.get(owner) : undefined;
    if (from === undefined || !evaluation.isHeld(text, name, { file, function: from })) return [];
    return [{ from, path: text, line, order, when, ...(ends && { ends }) }];
  });
}

/** Whether a method of a hidden type implements a method of an exported type. Users can call it through that type. */
function implementsExport({ owner, name }: Declared, file: DeclaredFile | undefined, names: Names): boolean {
  const type = file?.types.get(owner);
  if (file === undefined || type === undefined || type.isExported || type.bases.length === 0) return false;
  const ref = names.typeNamed(owner, file);
  return (ref === undefined ? [] : names.basesOf(ref)).some(
    (base) =>
      base.parts.some((part) => part.isExported) &&
      names.method(base, name.slice(owner.length + 1))?.isExported === true,
  );
}

/**
 * Returns calls of functions in fields. `mx.handler.ServeHTTP()` calls the function that a method of the same
 * type assigns to `handler`. Fields with several possible functions are omitted.
 */
function storedCalls({ bodies }: CallSources, edges: readonly CallEdge[]): CallEdge[] {
  const stored = edges.filter(({ kind, into }) => kind === 'use' && into !== undefined);
  const holders = grouped(stored.map(({ from, to, into }) => [`${from.path} ${from.owner}.${into}`, to]));
  if (holders.size === 0) return [];
  const callers = new Map(edges.map(({ from }) => [`${from.path} ${from.name}`, from]));
  return [...bodies].flatMap(([path, { facts, functions }]) =>
    facts.flatMap((fact, order) => {
      const [, head, field] = fact.kind === 'call' ? (/^(\w+)\.(\w+)(?:\.\w+)?$/.exec(fact.text) ?? []) : [];
      const owner = fact.owner.slice(0, Math.max(fact.owner.lastIndexOf('.'), 0));
      const held = new Set(holders.get(`${path} ${owner}.${field}`));
      const around = functions.find(({ name }) => name === fact.owner);
      const isOwn = head === 'this' || around?.variables[head ?? ''] === '=this';
      const [to] = held;
      const from = callers.get(`${path} ${fact.owner}`);
      if (!isOwn || held.size !== 1 || to === undefined || from === undefined || to === from) return [];
      return [
        { from, to, kind: 'held' as const, line: fact.startLine, order, when: fact.when ?? [], into: field },
      ];
    }),
  );
}

/** A file that belongs to no module, such as a test. */
export interface OtherFile {
  path: string;
  language: string;
  bodies: BodyFacts;
  /** Calls and uses in the file. */
  facts: readonly BodyFact[];
}

export interface ResolvedFile {
  edges: CallEdge[];
  /** Imported names, with the project files that they come from. */
  imports: { name: string; path: string }[];
}

/** Returns a function that resolves the calls of a test or example to exports of the project. */
export function resolveCallsOf(sources: DeclaredSources): (file: OtherFile) => ResolvedFile {
  const declared = declaredFiles(sources);
  return ({ path, language, bodies, facts }) => {
    const skeleton = { filePath: path, language, exports: [] };
    const file = declaredByBodies(bodies, skeleton);
    // Tests inside a source file can use all declarations of that file.
    const around = { ...declared, file: (other: string) => (other === path ? file : declared.file(other)) };
    const imports = bodies.bindings.flatMap((binding) =>
      declared.filesOf(binding, file).map((other) => ({ name: binding.name, path: other })),
    );
    return {
      edges: edgesOf(file, facts, { evaluation: new Evaluation(new Names(around)), withTop: true }),
      imports,
    };
  };
}

interface Resolution {
  evaluation: Evaluation;
  /**
   * Whether a function counts as used if code at the top level of a file passes it as a value. Not for
   * sources, where such code only lists exports.
   */
  withTop: boolean;
}

function edgesOf(
  file: DeclaredFile,
  facts: readonly BodyFact[],
  { evaluation, withTop }: Resolution,
): CallEdge[] {
  return facts.flatMap((fact, order) => {
    const { kind, text, owner } = fact;
    if (!isCallOrUse(kind) || text === '') return [];
    const around = functionAround(file, owner);
    const found = evaluation.calledBy(text, { file, function: around }, kind === 'call');
    const isCounted = kind === 'call' || isUse(found, { isInside: around !== undefined, withTop });
    const to = isCounted ? targetOf(found) : undefined;
    const from = around ?? placeholder(file, 1);
    const isOverload = to === from && (kind === 'use' || OVERLOADED.has(file.language));
    return to === undefined || isOverload ? [] : [{ ...edgeOf(fact, kind), from, to, order }];
  });
}

function isCallOrUse(kind: BodyFact['kind']): kind is 'call' | 'use' {
  return kind === 'call' || kind === 'use';
}

/** Languages with overloads. There, a function that seems to call itself may call another of the same name. */
const OVERLOADED: ReadonlySet<string> = new Set(['java', 'kotlin', 'csharp', 'cpp', 'swift']);

function edgeOf(
  { text, startLine: line, when = [], into, ends }: BodyFact,
  kind: 'call' | 'use',
): Omit<CallEdge, 'from' | 'to' | 'order'> {
  const creates =
    (CREATION.test(text) && { creates: true as const }) ||
    (/^super\b/.test(text) && { creates: false as const });
  return { kind, line, when, into, ...creates, ...(ends && { ends }) };
}

const CREATION = /^<.*>$/s;

/**
 * Whether passing a value on is a use of a function. False for a type, of which no object is created, and for
 * a property, whose value is passed. In tests a property counts.
 */
function isUse(
  found: DeclaredFunction | TypeRef | undefined,
  { isInside, withTop }: { isInside: boolean; withTop: boolean },
): boolean {
  if (found === undefined || 'parts' in found) return false;
  return withTop || (isInside && found.isProperty !== true);
}

/** Returns the function that contains a fact. For code directly in a type, returns a placeholder. */
function functionAround(file: DeclaredFile, owner: string): DeclaredFunction | undefined {
  const exact = file.functions.get(owner);
  if (exact !== undefined || owner === '') return exact;
  // Initial values of fields, and computed properties, are evaluated in the scope of their type.
  const type = [owner, owner.slice(0, Math.max(owner.lastIndexOf('.'), 0))].find((each) =>
    file.types.has(each),
  );
  if (type === undefined) return undefined;
  return { ...placeholder(file, 0), name: `${type}.`, owner: type, returns: undefined, variables: {} };
}

/** Creates a placeholder for code at the top level of a file or directly in a type. */
function placeholder({ path }: DeclaredFile, line: number) {
  const lines = { startLine: line, endLine: line };
  return {
    name: '',
    owner: '',
    path,
    ...lines,
    isExported: false,
    kind: 'function' as const,
    doc: undefined,
  };
}

/** Returns the target of a call. For a type it is the constructor, or the type itself if it declares none. */
function targetOf(found: DeclaredFunction | TypeRef | undefined): Declared | undefined {
  if (found === undefined || !('parts' in found)) return found;
  const main = found.parts.find(({ isExtension }) => isExtension !== true);
  // An extension of a library type cannot declare a constructor for calls to refer to.
  if (main === undefined) return undefined;
  const files = [...found.files].sort(
    (one, other) => Number(other.path === main.path) - Number(one.path === main.path),
  );
  for (const file of files) {
    const made = file.functions.get(`${found.name}.${constructorName(found.name, file.language)}`);
    if (made !== undefined) return made;
  }
  // In JavaScript a constructor function is a function and a type.
  const [part] = found.parts;
  const own = found.files[0]?.functions.get(found.name);
  return own ?? (part === undefined || part.startLine === 0 ? undefined : part);
}

type DeclaredSources = Omit<CallSources, 'bodies'> & { bodies: Pick<CallSources['bodies'], 'get'> };

function declaredFiles(sources: DeclaredSources): Surroundings {
  const { files, bodies, fileAt, inPackage, extensionsOf, resolver } = sources;
  const known = new Map<string, DeclaredFile | undefined>();
  const own = new Map(files.map((file) => [file.skeleton.filePath, file]));
  const read = (path: string) => {
    const file = own.get(path) ?? fileAt(path);
    const body = bodies.get(path);
    if (file === undefined) return undefined;
    return body === undefined ? declaredBySkeleton(file.skeleton) : declaredByBodies(body, file.skeleton);
  };
  const languages = grouped(files.map(({ skeleton }) => [skeleton.language, skeleton.filePath]));
  return {
    extensionsOf,
    file: (path) => {
      if (!known.has(path)) known.set(path, read(path));
      return known.get(path);
    },
    packageOf: (path) => {
      const language = (own.get(path) ?? fileAt(path))?.skeleton.language ?? detectLanguage({ path }) ?? '';
      if (MODULE_SCOPE.has(language)) return languages.get(language) ?? [];
      return FOLDER_SCOPE.has(language) ? inPackage(packageOf(path)) : [];
    },
    filesOf: ({ module, name }, { path, language }) =>
      resolver.filesOf(
        { module, names: name === '*' || name === 'default' ? [] : [name] },
        { filePath: path, language },
      ),
  };
}

/**
 * Returns the key of a file's package, derived from its folder. In Java, Kotlin and PHP, tests of a package
 * are in other folders than its code.
 */
function packageOf(path: string): string {
  const folder = posix.dirname(path);
  if (/\.(?:java|kts?)$/.test(path))
    return folder.replace(/^.*\/src\/[^/]+\/(?:java|kotlin)\/|^src\/[^/]+\/(?:java|kotlin)\//, '');
  return path.endsWith('.php') ? folder.replace(/^(?:.*\/)?(?:src|lib|tests?|Tests)(?:\/|$)/, '') : folder;
}

/** Languages in which all files of a folder belong to one package. */
const FOLDER_SCOPE: ReadonlySet<string> = new Set(['go', 'java', 'kotlin', 'php']);
/** Languages in which a file can use the declarations of all other files of the module without an import. */
const MODULE_SCOPE: ReadonlySet<string> = new Set(['csharp', 'swift', 'ruby', 'c', 'cpp']);
