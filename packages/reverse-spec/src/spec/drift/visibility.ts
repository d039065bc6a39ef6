import { posix } from 'node:path';
import { codeTokens, type Skeleton, type SkeletonExport } from '../reading/skeleton.ts';
import { topLevelParts } from '../reading/type-text.ts';
import type { Baseline, BaselineFile } from '../writing/document/baseline.ts';

/** Removes exports that users of the package cannot reach. */
export function publicOnly(baseline: Baseline, types: ReadonlySet<string>): Baseline {
  const reachable = reachableNames(baseline.files);
  const files = baseline.files
    .filter(({ path, language }) => !(WITH_INTERNAL_FOLDERS.has(language) && INTERNAL_FOLDER.test(path)))
    .map((file) => ({ ...file, exports: publicExports(file, types).filter(reachable(file)) }));
  return { ...baseline, files };
}

/** Returns the names of Rust's public types. Users do not see implementations for other types. */
export function publicTypes(baselines: readonly Baseline[]): ReadonlySet<string> {
  const files = baselines.flatMap(({ files }) => files).filter(({ language }) => language === 'rust');
  const reachable = reachableNames(files);
  const types = files
    .flatMap((file) => file.exports.filter(reachable(file)))
    .filter((symbol) => TYPES.has(symbol.kind) && isPublic(symbol, 'rust', undefined));
  return new Set(types.map(({ name }) => name.split('::').at(-1) ?? name));
}

const TYPES: ReadonlySet<string> = new Set(['struct', 'enum', 'trait', 'type', 're-export']);

const INTERNAL_FOLDER = /(?:^|\/)internal\//;
const WITH_INTERNAL_FOLDERS: ReadonlySet<string> = new Set(['go', 'java', 'kotlin', 'csharp']);

function publicExports({ exports, language }: BaselineFile, types: ReadonlySet<string>): SkeletonExport[] {
  const isRust = language === 'rust';
  return exports
    .filter((symbol) => isPublic(symbol, language, undefined))
    .filter((symbol) => symbol.kind !== 'impl' || language !== 'rust' || isImplOfPublic(symbol, types))
    .map((symbol) => publicMembers(symbol, language))
    .filter(({ kind, name, members }) => !isRust || kind !== 'impl' || name.includes(' for ') || members);
}

/** Returns a type without the members that users cannot reach. */
export function publicMembers(symbol: SkeletonExport, language: string): SkeletonExport {
  const { members, ...rest } = symbol;
  const isRustStruct = language === 'rust' && symbol.kind === 'struct';
  const own = isRustStruct ? { ...rest, signature: withoutPrivateFields(rest.signature) } : rest;
  if (members === undefined) return own;
  const seen = members
    .filter((member) => isPublic(member, language, symbol))
    .map((member) => publicMembers(member, language));
  return seen.length > 0 ? Object.assign(own, { members: seen }) : own;
}

/** Replaces private fields of a tuple struct by `_`. Users see only their number. */
function withoutPrivateFields(signature: string): string {
  const tuple = /^(.{0,500}?\bstruct\s{1,40}\w{1,200}[^({]{0,500})\((.*)\)([^()]*)$/s.exec(signature);
  if (tuple === null) return signature;
  const [, head = '', fields = '', tail = ''] = tuple;
  const seen = topLevelParts(fields).map((field) =>
    /^(?:#\[[^\]]*\]\s*)*pub(?!\s*\()\b/.test(field) ? field : '_',
  );
  return `${head}(${seen.join(', ')})${tail}`;
}

type Rule = (words: readonly string[], symbol: SkeletonExport, owner: SkeletonExport | undefined) => boolean;

/** Matches tags in a comment that hide a declaration, in all languages. */
const HIDING_TAG = /(?:^|\s)@(?:internal|private|(?:api|access)\s+private)\b/;

/** Whether users of the package can reach a symbol. */
function isPublic(symbol: SkeletonExport, language: string, owner: SkeletonExport | undefined): boolean {
  if (symbol.jsDoc !== null && HIDING_TAG.test(symbol.jsDoc)) return false;
  if (/#\[(?:doc\(hidden\)|cfg\((?:doctest|test)\))\]/.test(symbol.signature)) return false;
  const rule = RULES[language];
  return rule === undefined || rule(headWords(symbol, language), symbol, owner);
}

/** Returns the tokens before the name: modifiers and the type. */
function headWords({ signature, name }: SkeletonExport, language: string): string[] {
  const words = codeTokens(signature, language);
  const at = words.indexOf(name.split(/::|\./).at(-1) ?? name);
  return at === -1 ? words : words.slice(0, at);
}

const isOpenInJava: Rule = (words, { kind }, owner) =>
  kind === 'case' || owner?.kind === 'interface' || words.some((word) => /^(?:public|protected)$/.test(word));

/** In C#, namespaces and the properties of a record's header have no access modifiers. */
const isOpenInCSharp: Rule = (words, symbol, owner) =>
  symbol.kind === 'namespace' ||
  (owner !== undefined && /\brecord\b/.test(owner.signature)) ||
  isOpenInJava(words, symbol, owner) ||
  /\bprotected internal\b/.test(symbol.signature);

/**
 * Whether a declaration of Swift is public. Without an access modifier it is visible only inside its target.
 * An extension is public if one of its members is, or if it has no members and adds a conformance.
 */
const isOpenInSwift: Rule = (words, { kind, signature, members = [] }, owner) => {
  const isOpen = words.some((word) => word === 'public' || word === 'open');
  if (kind === 'case' || owner?.kind === 'interface' || isOpen) return true;
  if (kind === 'impl')
    return members.length === 0
      ? signature.includes(':')
      : members.some(({ signature: own }) => OPEN.test(own));
  const isHidden = words.some((word) => /^(?:internal|package|fileprivate|private)$/.test(word));
  return owner?.kind === 'impl' && OPEN.test(owner.signature) && !isHidden;
};

const OPEN = /^(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:\w+\s+)*?(?:public|open)\b/;

const RULES: Readonly<Record<string, Rule>> = {
  rust: (words) => {
    const at = words.indexOf('pub');
    return at === -1 || words[at + 1] !== '(';
  },
  java: isOpenInJava,
  kotlin: (words) => !words.includes('internal'),
  csharp: isOpenInCSharp,
  cpp: (_words, { name }) => !/(?:^|::)(?:\w*_)?(?:internal|details?|impl)::/.test(name),
  swift: isOpenInSwift,
};

/** Whether users can name the type or the trait of an implementation: `impl Read for File`. */
function isImplOfPublic({ name }: SkeletonExport, types: ReadonlySet<string>): boolean {
  const [trait = '', type] = name.split(' for ');
  const named = (text: string) => (text.split('<')[0] ?? '').trim().split(/\W/).at(-1) ?? '';
  if (type === undefined) return types.has(named(trait));
  return types.has(named(type)) || (types.has(named(trait)) && !/^\w+$/.test(type.trim()));
}

type IsReachable = (symbol: SkeletonExport) => boolean;

/** Returns the exports that users can import: those of public modules, and those that public modules re-export. */
function reachableNames(files: readonly BaselineFile[]): (file: BaselineFile) => IsReachable {
  const modules = new RustModules(files);
  const isPrivate = (file: BaselineFile) =>
    file.language === 'python' ? /(?:^|\/)_(?!_)/.test(file.path) : modules.isPrivate(file.path);
  const open = files.filter((file) => !isPrivate(file));
  const names = new Set(open.flatMap(passedOn));
  const wholeModules = new Set(open.flatMap(starModules).map((module) => module.split(/\.|::/).at(-1)));
  return (file) => {
    if (!isPrivate(file) || wholeModules.has(moduleName(file.path))) return () => true;
    return ({ name, kind }) => names.has(name) || kind === 'impl' || kind === 'macro';
  };
}

/** Returns names that a module re-exports. */
function passedOn({ exports, imports, language }: BaselineFile): string[] {
  const named = imports.flatMap((line) => (line.split('#')[1] ?? '').split(','));
  // A Python module re-exports everything that it imports; a Rust crate only the names in `pub use`.
  const imported = language === 'python' ? named : [];
  return [
    ...imported.map((name) => name.split(' as ')[0] ?? name),
    ...exports
      .filter(({ kind }) => kind === 're-export')
      .map(({ name, signature }) => declaredName(name, signature)),
  ];
}

/** Returns the declared name of a re-export: `Inner` for `pub use imp::Inner as Outer`. */
function declaredName(name: string, signature: string): string {
  const words = signature.split(/\W/).filter((word) => word !== '');
  const at = words.lastIndexOf('as');
  return (at > 0 ? words[at - 1] : undefined) ?? name;
}

/** Returns the modules of which all names are re-exported: `from ._x import *`, `pub use imp::*`. */
export function starModules({ exports, imports, language }: BaselineFile): string[] {
  const imported = imports.filter((line) => line.endsWith('#*')).map((line) => line.slice(0, -2));
  const passedOn = exports
    .filter(({ name, kind }) => name === '*' && kind === 're-export')
    .flatMap(({ signature }) => STAR_EXPORT.exec(signature)?.slice(1).find(Boolean) ?? []);
  return language === 'python' ? [...passedOn, ...imported] : passedOn;
}

const STAR_EXPORT = /\bfrom\s*['"]([^'"]+)['"]|\buse\s+([\w:]+)::\*/;

/** Returns the module name of a file: `imp` for `src/imp.rs` and `src/imp/mod.rs`. */
function moduleName(path: string): string {
  const stem = posix.basename(path).replace(/\.\w+$/, '');
  return stem === 'mod' || stem === '__init__' ? posix.basename(posix.dirname(path)) : stem;
}

/** Decides which files of a Rust crate are public: those that `pub mod` declares, in modules that are public too. */
class RustModules {
  readonly #files: ReadonlyMap<string, BaselineFile>;

  constructor(files: readonly BaselineFile[]) {
    this.#files = new Map(
      files.filter(({ language }) => language === 'rust').map((file) => [file.path, file]),
    );
  }

  isPrivate(path: string): boolean {
    const parent = this.#parentOf(path);
    if (parent === undefined) return false;
    const declared = parent.exports.some(
      ({ name, kind, signature }) =>
        kind === 'namespace' && name === moduleName(path) && /\bpub\s+mod\b/.test(signature),
    );
    return !declared || this.isPrivate(parent.path);
  }

  /** Returns the file that declares a module: `mod.rs`, `lib.rs`, `main.rs`, or the file named after its folder. */
  #parentOf(path: string): BaselineFile | undefined {
    const name = posix.basename(path);
    if (!path.endsWith('.rs') || /^(?:lib|main|build)\.rs$/.test(name)) return undefined;
    const folder = name === 'mod.rs' ? posix.dirname(posix.dirname(path)) : posix.dirname(path);
    const candidates = ['mod.rs', 'lib.rs', 'main.rs'].map((each) => posix.join(folder, each));
    return [...candidates, `${folder}.rs`]
      .filter((each) => each !== path)
      .map((each) => this.#files.get(each))
      .find((file) => file !== undefined);
  }
}

type Sources = readonly Pick<Skeleton, 'filePath' | 'language' | 'exports'>[];

/** Returns the names of functions that headers declare, and of types with members (without namespaces). */
export function declaredParts(files: Sources): ReadonlySet<string> {
  return new Set(
    files.flatMap(({ filePath, exports }) =>
      exports.flatMap(({ name, kind, members = [] }) => [
        ...(members.length > 0 ? [lastName(name)] : []),
        ...(kind === 'function' && !IMPLEMENTATION.test(filePath) ? [`${name}()`] : []),
      ]),
    ),
  );
}

function lastName(name: string): string {
  return (name.split('::').at(-1) ?? name).replace(/<.*/s, '');
}

/** Matches files that contain definitions for the declarations in headers. */
const IMPLEMENTATION = /\.(?:c|cc|cpp|cxx|ipp|inl|tcc)$|[_-](?:inl|impl)\.h\w*$|\/impl\/[^/]+$/;

const PARTIAL = /\bpartial\s+(?:class|struct|interface|record)\b/;

/**
 * Returns a function that removes two kinds of declarations in C: functions that no header declares, and
 * repeated declarations, such as a macro in another branch of `#if` or a definition after its prototype.
 */
export function withoutOthers(
  files: Sources,
  parts: ReadonlySet<string>,
): (file: Sources[number], open: SkeletonExport[]) => SkeletonExport[] {
  const isFunction = ({ kind }: SkeletonExport) => kind === 'function';
  const hasHeader = files.some(
    ({ filePath, exports }) => filePath.endsWith('.h') && exports.some(isFunction),
  );
  const said = ({ name, kind, signature }: SkeletonExport) =>
    kind === 'macro' ? name : `${kind} ${signature}`;
  return ({ filePath, language }, open) => {
    if (language !== 'c' && language !== 'cpp') return open;
    const isSource = hasHeader && filePath.endsWith('.c');
    const declared = open.filter((each) => !isSource || !isFunction(each) || parts.has(`${each.name}()`));
    const first = new Map([...declared].reverse().map((each) => [said(each), each]));
    return declared.filter((each) => first.get(said(each)) === each);
  };
}

/** Matches a class or module of Ruby without a base class. Several files may open it. */
const OPENED = /^(?:class|module) [\w:]+$/;

/**
 * Whether another declaration already shows this one. True for an empty part of a C# `partial` class or of a
 * Ruby class, a C++ method defined outside of its class, and a function that a header declares.
 */
export function isKnownPart(
  { name, kind, signature, members, jsDoc }: SkeletonExport,
  { filePath, language }: Sources[number],
  parts: ReadonlySet<string>,
): boolean {
  if (language === 'csharp')
    return members === undefined && PARTIAL.test(signature) && !signature.includes(':') && parts.has(name);
  if (language === 'ruby')
    return members === undefined && jsDoc === null && OPENED.test(signature) && parts.has(lastName(name));
  if (language !== 'cpp' && language !== 'c') return false;
  if (/\.c$/.test(filePath) && kind === 'function' && parts.has(`${name}()`)) return true;
  const owner = kind === 'method' ? name.slice(0, Math.max(name.lastIndexOf('::'), 0)) : '';
  return parts.has(lastName(owner)) || (IMPLEMENTATION.test(filePath) && parts.has(`${name}()`));
}
