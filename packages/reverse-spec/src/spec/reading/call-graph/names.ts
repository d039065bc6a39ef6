import type { Binding, Typing } from '../../../syntax/body-facts.ts';
import { elementType, heldType } from '../type-text.ts';
import { type DeclaredFile, type DeclaredFunction, type DeclaredType, simpleName } from './declared-file.ts';
import type { Extension } from './skeleton-types.ts';

/** Access to the declarations of other files. */
export interface Surroundings {
  file(path: string): DeclaredFile | undefined;
  /** Returns the files of the same package. Their declarations are visible without an import. */
  packageOf(path: string): readonly string[];
  /** Returns the files that an import refers to. */
  filesOf(binding: Pick<Binding, 'module' | 'name'>, from: DeclaredFile): readonly string[];
  /** Returns the methods of this name that are declared outside of their type. */
  extensionsOf(name: string): readonly Extension[];
}

/** A type with all its parts and the files that declare them. */
export interface TypeRef {
  name: string;
  parts: readonly DeclaredType[];
  files: readonly DeclaredFile[];
}

const MAX_HOPS = 4;
/** Languages in which several files of a package may each declare a part of a type. */
const OPEN_TYPES: ReadonlySet<string> = new Set(['go', 'rust', 'swift', 'csharp', 'cpp', 'ruby']);

/** Looks up types, functions and members by the rules of each language. An ambiguous name is not found. */
export class Names {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  fileOf(path: string): DeclaredFile | undefined {
    return this.#around.file(path);
  }

  typeNamed(name: string, from: DeclaredFile, hops = 0): TypeRef | undefined {
    const own = typesIn(from, name);
    const isOpen = OPEN_TYPES.has(from.language);
    if (own.length > 0 && !isOpen) return refOf(own, this.#around);
    // An imported name hides a declaration of the same package.
    const isImported = from.bindings.has(name);
    const others = isImported ? this.#importedTypes(name, from, hops) : this.#typesOfPackage(name, from);
    return refOf([...own, ...others], this.#around);
  }

  functionNamed(name: string, from: DeclaredFile, hops = 0): DeclaredFunction | undefined {
    const own = from.functions.get(name);
    const binding = from.bindings.get(name);
    const isVariable = binding !== undefined || Object.hasOwn(from.variables, name);
    if (own !== undefined && !(isVariable && from.members.has(name))) return own;
    if (binding !== undefined) return this.#importedFunction(binding, from, hops);
    const near = this.#around
      .packageOf(from.path)
      .flatMap((path) => this.#around.file(path)?.functions.get(name) ?? []);
    return near.length === 1 ? near[0] : undefined;
  }

  /** Returns the files of an imported module. */
  modulesOf(binding: Binding, from: DeclaredFile): DeclaredFile[] {
    return this.#around.filesOf(binding, from).flatMap((path) => this.#around.file(path) ?? []);
  }

  /** Returns the function or type that other files import from this file under a name, re-exports included. */
  offered(name: string, file: DeclaredFile, hops = 0): DeclaredFunction | TypeRef | undefined {
    if (hops > MAX_HOPS) return undefined;
    const local = file.aliases.get(name) ?? name;
    const own = file.functions.get(local) ?? refOf(typesIn(file, local), this.#around);
    if (own !== undefined) return own;
    const binding = file.bindings.get(name);
    const through = binding === undefined ? file.stars : [binding];
    const next = through.flatMap((each) =>
      this.modulesOf(each, file).flatMap((module) => namesIn(each, name).map((meant) => ({ module, meant }))),
    );
    for (const { module, meant } of next) {
      const found = module === file ? undefined : this.offered(meant, module, hops + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  method(ref: TypeRef, name: string, seen: ReadonlySet<string> = new Set()): DeclaredFunction | undefined {
    const own = ref.files.flatMap((file) => file.functions.get(`${ref.name}.${name}`) ?? []);
    if (own.length > 0)
      return own.length === 1 || own.every(({ path }) => path === own[0]?.path) ? own[0] : undefined;
    // In Ruby `attr_reader` declares a method.
    if (ref.files.some(({ attributes }) => attributes.has(`${ref.name}.${name}`))) return undefined;
    for (const base of this.#basesOf(ref, seen)) {
      const found = this.method(base, name, new Set([...seen, keyOf(ref)]));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns an extension method of C# or Kotlin; undefined if there are several of this name. */
  extension(ref: TypeRef, name: string): DeclaredFunction | undefined {
    if (!this.isExtension(name)) return undefined;
    const own = new Set([ref, ...this.basesOf(ref)].map((each) => simpleName(each.name)));
    return this.extensionOf(own, name, ref.files[0]?.language ?? '');
  }

  /** Whether there is any extension method of this name. Most names have none. */
  isExtension(name: string): boolean {
    return this.#around.extensionsOf(name).length > 0;
  }

  extensionOf(types: ReadonlySet<string>, name: string, language: string): DeclaredFunction | undefined {
    const found = this.#around
      .extensionsOf(name)
      .filter(({ type, path }) => types.has(simpleName(type)) && this.fileOf(path)?.language === language)
      .flatMap(({ path, declared }) => this.fileOf(path)?.functions.get(declared) ?? []);
    return found.every((each) => each === found[0]) ? found[0] : undefined;
  }

  /** Returns the typing of a field, with the type and file that declare the field. */
  field(
    ref: TypeRef,
    name: string,
    seen: ReadonlySet<string> = new Set(),
  ): { typing: string; file: DeclaredFile; ref: TypeRef } | undefined {
    for (const part of ref.parts) {
      const typing = Object.hasOwn(part.fields, name) ? part.fields[name] : undefined;
      const file = this.#around.file(part.path);
      if (typing !== undefined && file !== undefined) return { typing, file, ref };
    }
    for (const base of this.#basesOf(ref, seen)) {
      const found = this.field(base, name, new Set([...seen, keyOf(ref)]));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  basesOf(ref: TypeRef): TypeRef[] {
    return this.#basesOf(ref, new Set());
  }

  #basesOf(ref: TypeRef, seen: ReadonlySet<string>): TypeRef[] {
    return ref.parts.flatMap((part) => {
      const file = this.#around.file(part.path);
      if (file === undefined) return [];
      return part.bases.flatMap((base) => {
        const found = this.#baseNamed(base.replace(/::|\\/g, '.').replace(/^\./, ''), part, file);
        return found === undefined || seen.has(keyOf(found)) || keyOf(found) === keyOf(ref) ? [] : [found];
      });
    });
  }

  /** Returns a base type. A type that is declared in the same function or type has priority. */
  #baseNamed(base: string, { name }: DeclaredType, file: DeclaredFile): TypeRef | undefined {
    for (let owner = ownerOf(name); owner !== undefined; owner = ownerOf(owner)) {
      const near = file.types.has(`${owner}.${base}`) && this.typeNamed(`${owner}.${base}`, file);
      if (near) return near;
    }
    return this.typePath(base, file);
  }

  /** Returns the type that a path names: `pkg.Type`, `Outer.Inner` or `Type`. */
  typePath(path: string, from: DeclaredFile): TypeRef | undefined {
    const whole = this.typeNamed(path, from);
    if (whole !== undefined || !path.includes('.')) return whole;
    const [head = '', ...rest] = path.split('.');
    const last = simpleName(path);
    const binding = from.bindings.get(head);
    if (binding !== undefined) {
      const inside = this.modulesOf(binding, from).flatMap((file) => this.offered(last, file) ?? []);
      const types = inside.filter((each): each is TypeRef => 'parts' in each);
      return types.length === 1 ? types[0] : undefined;
    }
    if (from.language === 'cpp') return this.#inNamespace(path, from);
    if (rest.length === 0 || !QUALIFIED_BY_PACKAGE.has(from.language)) return undefined;
    const separator = SEPARATORS[from.language] ?? '.';
    const module = path.split('.').slice(0, -1).join(separator);
    const meant = { local: last, module, name: last };
    // A file may name its own type through its package.
    if (this.modulesOf(meant, from).includes(from)) return this.typeNamed(last, from);
    const found = this.#offeredBy(meant, from, 0);
    return found !== undefined && 'parts' in found ? found : undefined;
  }

  /** Returns a type in a C++ namespace: for `argparse::Argument` the type `Argument`, if its file exports something in `argparse`. */
  #inNamespace(path: string, from: DeclaredFile): TypeRef | undefined {
    const found = this.typeNamed(simpleName(path), from);
    const space = path.slice(0, path.lastIndexOf('.'));
    const isThere = found?.parts.every((part) => this.fileOf(part.path)?.namespaces.has(space));
    return isThere === true ? found : undefined;
  }

  #importedTypes(name: string, from: DeclaredFile, hops: number): DeclaredType[] {
    const binding = from.bindings.get(name);
    if (binding === undefined || hops > MAX_HOPS) return [];
    const found = this.#offeredBy(binding, from, hops);
    if (found === undefined || 'parts' in found) return [...(found?.parts ?? [])];
    // In JavaScript a constructor function is a type too.
    const made = this.#around.file(found.path)?.types.get(found.name);
    return made === undefined ? [] : [made];
  }

  #importedFunction(binding: Binding, from: DeclaredFile, hops: number): DeclaredFunction | undefined {
    const found = this.#offeredBy(binding, from, hops);
    return found !== undefined && 'variables' in found ? found : undefined;
  }

  #offeredBy(binding: Binding, from: DeclaredFile, hops: number): DeclaredFunction | TypeRef | undefined {
    const name = binding.name === '*' ? 'default' : binding.name;
    for (const file of this.modulesOf(binding, from)) {
      const found =
        file === from
          ? undefined
          : (this.offered(name, file, hops + 1) ??
            file.functions.get(`${simpleName(binding.module.replace(/::|\\/g, '.'))}.${binding.name}`));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #typesOfPackage(name: string, from: DeclaredFile): DeclaredType[] {
    return this.#around.packageOf(from.path).flatMap((path) => {
      const file = path === from.path ? undefined : this.#around.file(path);
      return file === undefined ? [] : typesIn(file, name);
    });
  }
}

const SEPARATORS: Readonly<Record<string, string>> = { rust: '::', php: '\\' };

/** Languages in which a type may be written with its package: `okhttp3.Response`. */
const QUALIFIED_BY_PACKAGE: ReadonlySet<string> = new Set(['rust', 'php', 'java', 'kotlin']);

/**
 * Returns the names to look up in a module. If the module is imported as a whole, the name may be its default
 * export or an export of that name.
 */
function namesIn(binding: Binding, name: string): string[] {
  if (binding.name !== '*') return [binding.name];
  return binding.local === '*' ? [name] : ['default', name];
}

function typesIn(file: DeclaredFile, name: string): readonly DeclaredType[] {
  const exact = file.types.get(name);
  if (exact !== undefined) return [exact];
  const simple = file.typesBySimpleName.get(name) ?? [];
  return simple.length === 1 ? simple : [];
}

/** Joins the parts of a type. Undefined if they have different names, or there are several in a language without such parts. */
function refOf(parts: readonly DeclaredType[], around: Surroundings): TypeRef | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const distinct =
    parts.length === 1
      ? parts
      : [...new Map(parts.map((each) => [`${each.path} ${each.name}`, each])).values()];
  const files = distinct.flatMap(({ path }) => around.file(path) ?? []);
  if (distinct.some(({ name }) => name !== first.name)) return undefined;
  const isOpen = files.every(({ language }) => OPEN_TYPES.has(language));
  if (distinct.length > 1 && !isOpen) return undefined;
  return { name: first.name, parts: distinct, files: withMethods(files, around) };
}

/** Adds the files that may contain methods of a type. In Go and C++ these are all files of the package. */
function withMethods(files: readonly DeclaredFile[], around: Surroundings): DeclaredFile[] {
  const more = files.flatMap((file) =>
    file.language === 'go' || file.language === 'cpp'
      ? around.packageOf(file.path).flatMap((path) => around.file(path) ?? [])
      : [],
  );
  return [...new Set([...files, ...more])];
}

function keyOf({ name, parts }: TypeRef): string {
  return `${parts[0]?.path} ${name}`;
}

/** This part of the file defines the values of a path's steps, and methods that return their own object, such as `clone()`. */

/** Value of a path or of its first steps. */
export type Value =
  | { kind: 'function'; declared: DeclaredFunction; self: TypeRef | undefined }
  /** A type, for access to its static members. */
  | { kind: 'type'; ref: TypeRef }
  | { kind: 'object'; ref: TypeRef }
  /** An object whose type is written in a file. */
  | TypedValue
  /** `super`: an object that has only the members of its base types. */
  | { kind: 'super'; ref: TypeRef }
  /** A module. `isCallable`: it was imported as a whole, so that a call may run its default export. */
  | { kind: 'module'; files: readonly DeclaredFile[]; isCallable: boolean }
  /** A method of a library that returns the object it is called on. */
  | { kind: 'passed'; value: TypedValue | { kind: 'type'; ref: TypeRef } };

export interface TypedValue {
  kind: 'typed';
  text: string;
  file: DeclaredFile;
  self: TypeRef | undefined;
}

/** Context in which a path is evaluated. */
export interface Context {
  file: DeclaredFile;
  /** Function that contains the path; undefined at the top level of a file. */
  function: DeclaredFunction | undefined;
  self?: TypeRef | undefined;
}

export function typed(text: string, { file, self }: Context): Value {
  return { kind: 'typed', text, file, self };
}

export function asObject(ref: TypeRef | undefined): Value | undefined {
  return ref && { kind: 'object', ref };
}

export function inside(value: Value, step: string): Value | undefined {
  // In Go the brackets after a function or type may contain type arguments.
  if (step === '[]' && (value.kind === 'function' || value.kind === 'type')) return value;
  if (value.kind !== 'typed') return undefined;
  const text = step === '[]' ? elementType(value.text) : heldType(value.text);
  return text === undefined ? undefined : { ...value, text };
}

const SAME = /^(?:clone|iter|iter_mut|into_iter|as_ref|as_mut|by_ref|to_owned|borrow|borrow_mut|also|apply)$/;
const HELD = /^(?:unwrap|expect|unwrap_or_default|unwrap_or_else)$/;

/**
 * For methods of Rust's standard library that return their object or its content, returns that value.
 * Undefined for other methods. The call itself is the next step.
 */
export function passedThrough(value: TypedValue, name: string): Value | undefined {
  if (value.file.language !== 'rust') return undefined;
  const held = HELD.test(name) ? heldType(value.text) : undefined;
  const text = SAME.test(name) ? value.text : held;
  return text === undefined ? undefined : { kind: 'passed', value: { ...value, text } };
}

/** Whether calling a name runs the function that the variable of this name holds. */
export function runsVariable(
  { path, name, typing }: { path: string; name: string; typing: string },
  language: string,
): boolean {
  // Kotlin's grammar reads default values as parameters, so only a function type is certain.
  if (language === 'kotlin') return typing.includes('->');
  if (language === 'ruby') return INVOKED.test(path);
  return language === 'php' ? name.startsWith('$') : language !== 'java';
}

/** Languages in which `a.b()` always calls a method, even if `a` has a field `b`. */
export const METHODS_ONLY: ReadonlySet<string> = new Set(['java', 'php', 'rust', 'ruby']);
/** Matches methods that call a function value: `block.call`, `handler.Invoke`. */
export const INVOKED = /\.(?:call|apply|invoke|Invoke)$/;

/** Returns the typing of a variable that is declared in the function or in one that encloses it. */
export function variableIn({ file, function: around }: Context, name: string): Typing | undefined {
  for (let owner = around?.name; owner !== undefined; owner = ownerOf(owner)) {
    const variables = file.functions.get(owner)?.variables;
    if (variables !== undefined && Object.hasOwn(variables, name)) return variables[name];
  }
  return undefined;
}

/** Returns the import of a name by the function, a function that encloses it, or the file. */
export function bindingIn({ file, function: around }: Context, name: string): Binding | undefined {
  for (let owner = around?.name; owner !== undefined; owner = ownerOf(owner)) {
    const found = file.bindings.get(`${owner}:${name}`);
    if (found !== undefined) return found;
  }
  return file.bindings.get(name);
}

/** Returns a dotted name without its last part: `a.b` for `a.b.c`. Undefined for `a`. */
export function ownerOf(name: string): string | undefined {
  return name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : undefined;
}

/**
 * Whether a bare name is not a call. This holds in Ruby for a local variable and for a capitalised name: `String(x)`
 * converts, objects are created by `new`.
 */
export function isNoCall(path: string, context: Context): boolean {
  if (context.file.language !== 'ruby') return false;
  if (/^[A-Z]\w*$/.test(path)) return true;
  return /^\w+$/.test(path) && variableIn(context, path) !== undefined;
}

/** Returns the module name of a file: its own name, or that of its folder for an entry file. */
export function stemOf(path: string): string {
  const parts = path.split('/');
  const stem = (parts.pop() ?? '').replace(/\..*/, '');
  return /^(?:__init__|mod|index)$/.test(stem) ? (parts.pop() ?? stem) : stem;
}

/** Returns the object that a CommonJS module exports, for code in its members. */
export function exportedObject({ file, function: around }: Context): Value | undefined {
  const [member = ''] = around?.name.split('.') ?? [];
  return file.members.has(member) ? { kind: 'module', files: [file], isCallable: false } : undefined;
}
