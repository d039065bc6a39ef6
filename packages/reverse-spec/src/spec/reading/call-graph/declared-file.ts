import { detectLanguage } from '@secateur/base/languages/languages.ts';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { Binding, BodyFacts, FunctionFact, TypeFact, Variables } from '../../../syntax/body-facts.ts';
import { displayName, isOfObject, type Skeleton, type SkeletonExport } from '../skeleton.ts';
import { baseName, topLevelParts } from '../type-text.ts';
import { bindingsOf, exportedBindings, returnsIn, valuesIn } from './skeleton-types.ts';

/** A declared function, method or type, with its position. */
export interface Declared {
  /** Name with the enclosing types and functions: `Mux.ServeHTTP`. */
  name: string;
  /** Name of the enclosing type or function; empty at the top level of a file. */
  owner: string;
  path: string;
  startLine: number;
  endLine: number;
  isExported: boolean;
  kind: 'function' | 'type';
  /** First sentence of the declaration's comment. */
  doc: string | undefined;
  /** Set if it is a class method in Ruby. */
  isOfClass?: true;
}

export interface DeclaredFunction extends Declared {
  returns: string | undefined;
  variables: Variables;
  isProperty?: true;
}

export interface DeclaredType extends Declared {
  /** Set if the file only adds members to the type, which may be declared by a library. */
  isExtension?: true;
  bases: readonly string[];
  fields: Variables;
}

/** Declarations and imports of one file, as needed to resolve calls. */
export interface DeclaredFile {
  path: string;
  language: string;
  /** Functions by full name. Overloads are merged into one function. */
  functions: ReadonlyMap<string, DeclaredFunction>;
  /** Names of functions that are members of the object which a CommonJS module exports. */
  members: ReadonlySet<string>;
  /** Names of the methods that `attr_reader` and similar words of Ruby declare. */
  attributes: ReadonlySet<string>;
  types: ReadonlyMap<string, DeclaredType>;
  typesBySimpleName: ReadonlyMap<string, readonly DeclaredType[]>;
  bindings: ReadonlyMap<string, Binding>;
  /** Modules of which all names are re-exported (`export * from`). */
  stars: readonly Binding[];
  variables: Variables;
  /** Namespaces of the exports. Only for C++: `argparse`, `argparse.details`. */
  namespaces: ReadonlySet<string>;
  /** Declared names by exported name, if the two differ. */
  aliases: ReadonlyMap<string, string>;
}

type Exporting = Pick<Skeleton, 'filePath' | 'language' | 'exports'>;

/**
 * Returns the declarations of a file from the facts of its function bodies. They include private
 * declarations, fields and local variables.
 */
export function declaredByBodies(bodies: BodyFacts, skeleton: Exporting): DeclaredFile {
  const { filePath: path, language } = skeleton;
  const exported = grouped(
    skeleton.exports.flatMap(withMembers).map((each) => [each.name.split(/[.:\\#]/).at(-1) ?? '', each]),
  );
  // The lines of an export may begin earlier than those of its function, with annotations.
  const isExported = ({ name, startLine }: FunctionFact | TypeFact) => {
    const own = simpleName(name);
    return [own, 'export=', 'default'].some((each) =>
      exported
        .get(each)
        ?.some(
          (range) =>
            range.startLine <= startLine &&
            startLine <= range.endLine &&
            (each === own || range.startLine === startLine),
        ),
    );
  };
  const place = (range: FunctionFact | TypeFact) => ({
    name: range.name,
    owner: ownerName(range.name),
    path,
    startLine: range.startLine,
    endLine: range.endLine,
    isExported: isExported(range),
    doc: 'doc' in range ? range.doc : undefined,
  });
  const functions = new Map<string, DeclaredFunction>();
  for (const each of bodies.functions) {
    const { variables, returns, isProperty, isOfClass } = each;
    const known = functions.get(each.name);
    const added = {
      kind: 'function' as const,
      returns,
      variables,
      ...place(each),
      ...(isProperty && { isProperty }),
      ...(isOfClass && { isOfClass }),
    };
    functions.set(each.name, known === undefined ? added : longer(known, added));
  }
  if (SCRIPT.test(language)) openReturned(functions, language);
  // Like constructors, setters of an exported object assign to `this`.
  const members = membersOf(skeleton);
  const types = bodies.types
    .filter(({ name }) => !members.has(name))
    .map((each) => ({
      kind: 'type' as const,
      bases: each.bases,
      fields: each.fields,
      ...place(each),
      ...(each.isExtension && { isExtension: true as const }),
    }));
  const passedOn = SCRIPT.test(language) ? exportedBindings(skeleton.exports) : [];
  const bindings = [...passedOn, ...bodies.bindings];
  return fileOf({ path, language, functions, types, bodies: { ...bodies, bindings }, skeleton });
}

/** Returns the modules that enclose a class of Ruby: `Net` for `Net.HTTP`. */
function modulesAround(name: string, each: SkeletonExport, skeleton: Skeleton): DeclaredType[] {
  const around = ownerName(name);
  if (skeleton.language !== 'ruby' || around === '') return [];
  const module = { ...exportedAt(around, each, skeleton.filePath), kind: 'type' as const };
  const type = { ...module, bases: [], fields: {}, isExtension: true as const };
  return [...modulesAround(around, each, skeleton), type];
}

function withMembers(each: SkeletonExport): SkeletonExport[] {
  return [each, ...(each.members ?? []).flatMap(withMembers)];
}

const SCRIPT = /script$|^tsx$/;

/** Marks methods as exported if an exported function returns an object of their type. */
function openReturned(functions: Map<string, DeclaredFunction>, language: string): void {
  const returned = [...functions.values()].flatMap(({ isExported, owner, returns }) =>
    isExported && owner === '' && returns !== undefined ? (baseName(returns, language) ?? []) : [],
  );
  const open = new Set(returned);
  for (const [name, each] of functions)
    if (open.has(each.owner) && !simpleName(name).startsWith('_'))
      functions.set(name, { ...each, isExported: true });
}

function longer(one: DeclaredFunction, other: DeclaredFunction): DeclaredFunction {
  const [long, short] =
    one.endLine - one.startLine >= other.endLine - other.startLine ? [one, other] : [other, one];
  const isSame = one.returns === other.returns;
  return {
    ...long,
    isExported: long.isExported || short.isExported,
    returns: isSame ? long.returns : undefined,
    variables: mixed(long.variables, short.variables),
  };
}

/** Merges the variables of overloads. A variable whose typing differs gets the empty typing. */
function mixed(one: Variables, other: Variables): Variables {
  const all = { ...other, ...one };
  return Object.fromEntries(
    Object.entries(all).map(([name, typing]) => {
      const differs = Object.hasOwn(one, name) && Object.hasOwn(other, name) && other[name] !== typing;
      return [name, differs ? '' : typing];
    }),
  );
}

interface Parts {
  path: string;
  language: string;
  functions: ReadonlyMap<string, DeclaredFunction>;
  types: readonly DeclaredType[];
  bodies: Pick<BodyFacts, 'bindings' | 'variables'>;
  skeleton: Exporting;
}

function fileOf({ path, language, functions, types, bodies, skeleton }: Parts): DeclaredFile {
  return {
    path,
    language,
    functions,
    types: new Map(types.map((each) => [each.name, each])),
    typesBySimpleName: grouped(types.map((each) => [simpleName(each.name), each])),
    bindings: new Map(bodies.bindings.map((each) => [each.local, each])),
    stars: bodies.bindings.filter(({ local }) => local === '*'),
    variables: bodies.variables,
    namespaces: new Set(skeleton.language === 'cpp' ? skeleton.exports.map(namespaceOf) : []),
    aliases: aliasesOf(skeleton, [...functions.values(), ...types]),
    members: membersOf(skeleton),
    attributes: new Set(
      language === 'ruby' ? skeleton.exports.flatMap((each) => attributesOf(each, '')) : [],
    ),
  };
}

function attributesOf(each: SkeletonExport, owner: string): string[] {
  const name = `${owner}${each.name.replaceAll('::', '.')}`;
  return [
    ...(each.kind === 'property' ? [name] : []),
    ...(each.members ?? []).flatMap((member) => attributesOf(member, `${name}.`)),
  ];
}

/** Returns the members of the object that a CommonJS module exports. */
function membersOf({ language, exports }: Exporting): ReadonlySet<string> {
  return new Set(language === 'javascript' ? exports.filter(isOfObject).map(({ name }) => name) : []);
}

/** Returns the namespace of an export: `argparse` for `argparse::Argument<T>`. */
function namespaceOf({ name }: SkeletonExport): string {
  const parts = (name.split('<')[0] ?? name).split('::');
  return parts.slice(0, -1).join('.');
}

/**
 * Returns declared names by exported name. For `module.exports = …` and `export default …` the declaration is
 * the one that begins on the same line.
 */
function aliasesOf({ exports }: Exporting, declared: readonly Declared[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name, signature, startLine } of exports) {
    const renamed = /^([\w$]+):\s*([\w$]+)$/.exec(signature);
    if (renamed?.[1] !== undefined && renamed[2] !== undefined) names.set(renamed[1], renamed[2]);
    if (name !== 'export=' && name !== 'default') continue;
    const meant = declared.find((each) => each.startLine === startLine && each.owner === '');
    if (meant !== undefined) names.set('default', meant.name);
  }
  return names;
}

const TYPE_KINDS: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'trait', 'enum', 'impl']);
/** Whether an export is a type. A module of Ruby has methods like one. */
function isType({ kind }: SkeletonExport, language: string): boolean {
  return TYPE_KINDS.has(kind) || (kind === 'namespace' && language === 'ruby');
}

const FUNCTION_KINDS: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'macro']);

/** Returns the declarations of a file from its exports only. This is enough to resolve calls from other files. */
export function declaredBySkeleton(skeleton: Skeleton): DeclaredFile {
  const { filePath: path, language } = skeleton;
  const functions = new Map<string, DeclaredFunction>();
  const types: DeclaredType[] = [];
  const addFunction = (name: string, each: SkeletonExport) =>
    functions.set(name, {
      ...exportedAt(name, each, path),
      kind: 'function',
      returns: returnsIn(each, language),
      variables: {},
    });
  for (const each of skeleton.exports) {
    const name =
      each.kind === 'impl'
        ? (each.name.split(' for ').at(-1) ?? '').replace(/<.*$/s, '').trim()
        : localName(each, language);
    if (isType(each, language)) types.push(typeOf(name, each, skeleton));
    else if (FUNCTION_KINDS.has(each.kind)) addFunction(name, each);
    const methods = (each.members ?? []).filter(({ kind }) => FUNCTION_KINDS.has(kind));
    for (const member of methods) addFunction(`${name}.${member.name.replace(/^self\./, '')}`, member);
    types.push(...modulesAround(name, each, skeleton));
  }
  const bodies = { bindings: bindingsOf(skeleton), variables: valuesIn(skeleton.exports, language) };
  return fileOf({ path, language, functions, types, bodies, skeleton });
}

function exportedAt(
  name: string,
  { startLine, endLine, jsDoc }: SkeletonExport,
  path: string,
): Omit<Declared, 'kind'> {
  return { name, owner: ownerName(name), path, startLine, endLine, isExported: true, doc: firstLine(jsDoc) };
}

function typeOf(name: string, each: SkeletonExport, { filePath, language }: Skeleton): DeclaredType {
  const { signature, members = [] } = each;
  const at = signature.search(/\b(?:extends|implements)\b|\(|:/);
  const list = at === -1 ? '' : signature.slice(at).replace(/^(?:extends|implements|\(|:)/, '');
  const bases = topLevelParts(list.replace(/\bimplements\b/g, ',')).flatMap(
    (part) => /^[\w.\\]+/.exec(part)?.[0] ?? [],
  );
  const fields = valuesIn(members, language);
  const isPart = each.kind === 'namespace' || (each.kind === 'impl' && language === 'swift');
  const isExtension = isPart && { isExtension: true as const };
  return { ...exportedAt(name, each, filePath), kind: 'type', bases, fields, ...isExtension };
}

/**
 * Returns the name of an export inside its file, without namespaces. For `export=` and `default` it is the
 * name of the exported function.
 */
function localName({ name, signature }: SkeletonExport, language: string): string {
  if (name === 'export=' || name === 'default')
    return displayName({ name, signature }).replace(/^module\.exports$/, 'exports');
  if (language === 'ruby') return name.replaceAll('::', '.');
  const bare = NAMESPACED.has(language) ? (name.split(/::|\\/).at(-1) ?? name) : name;
  return bare.replace(/<.*$/s, '');
}

const NAMESPACED: ReadonlySet<string> = new Set(['php', 'cpp', 'csharp', 'kotlin']);

/** Names of constructors by language. In languages not listed, a constructor has the name of its type. */
const CONSTRUCTORS: Readonly<Record<string, string>> = {
  kotlin: 'constructor',
  python: '__init__',
  ruby: 'initialize',
  php: '__construct',
  swift: 'init',
};

export function constructorName(type: string, language: string): string {
  return SCRIPT.test(language) ? 'constructor' : (CONSTRUCTORS[language] ?? simpleName(type));
}

/** Whether a function is a constructor in its language. `init`, for example, is one in Swift but not in Java. */
export function isConstructor({ name, path }: Pick<Declared, 'name' | 'path'>): boolean {
  const [last, type] = name.split('.').reverse();
  return type !== undefined && last === constructorName(type, detectLanguage({ path }) ?? '');
}

export function simpleName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function ownerName(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}

const MAX_DOC = 160;

function firstLine(doc: string | null): string | undefined {
  const flat = doc
    ?.split(/\n[^\S\n]{0,200}[\n@]/)[0]
    ?.replace(/\s+/g, ' ')
    .trim();
  if (flat === undefined || flat === '' || flat.startsWith('@')) return undefined;
  const sentence = /^.*?(?:[。！？]|[.!?](?=\s|$))/.exec(flat)?.[0] ?? flat;
  return sentence.length > MAX_DOC ? `${sentence.slice(0, MAX_DOC - 1)}…` : sentence;
}
