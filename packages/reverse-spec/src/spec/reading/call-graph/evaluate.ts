import type { Binding, Typing } from '../../../syntax/body-facts.ts';
import { baseName, stepsOf } from '../type-text.ts';
import { type DeclaredFile, type DeclaredFunction, isConstructor, simpleName } from './declared-file.ts';
import {
  asObject,
  bindingIn,
  type Context,
  exportedObject,
  INVOKED,
  inside,
  isNoCall,
  METHODS_ONLY,
  type Names,
  ownerOf,
  passedThrough,
  runsVariable,
  stemOf,
  type TypedValue,
  type TypeRef,
  typed,
  type Value,
  variableIn,
} from './names.ts';

const MAX_DEPTH = 8;

/** Evaluates paths to the functions they name. The result is undefined if the value of a step is uncertain. */
export class Evaluation {
  readonly #names: Names;
  /** Cache of the steps of each path. Most paths occur many times. */
  readonly #steps = new Map<string, readonly string[]>();
  /** Cache of the types that type texts refer to, by file and text. */
  readonly #refs = new Map<DeclaredFile, Map<string, TypeRef | undefined>>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** Returns the function or type that a call runs, or that is passed as a value. */
  calledBy(path: string, context: Context, isCall: boolean): DeclaredFunction | TypeRef | undefined {
    return isNoCall(path, context) ? undefined : this.#meant(path, context, isCall);
  }

  /**
   * Whether a call runs a function from a variable or field, such as a parameter `next`, `this.handler` or
   * `command.run`. `name` is the callee as written.
   */
  isHeld(path: string, name: string, context: Context): boolean {
    if (path === 'yield') return true;
    const [head = '', field, ...rest] = path.replace(INVOKED, '').split('.');
    if (rest.length > 0 || !/^[\w$.]+$/.test(path)) return false;
    const typing = field === undefined ? variableIn(context, head) : undefined;
    if (field === undefined)
      return (
        typing !== undefined &&
        runsVariable({ path, name, typing }, context.file.language) &&
        // A variable of the same name may be declared only after the call; the function is then meant.
        this.#names.functionNamed(head, context.file) === undefined
      );
    const value = METHODS_ONLY.has(context.file.language) ? undefined : this.#named(head, context, 0);
    if (value?.kind !== 'typed' && value?.kind !== 'object') return false;
    const ref = value.kind === 'typed' ? this.#refOf(value) : value.ref;
    return ref !== undefined && this.#names.field(ref, field) !== undefined;
  }

  #meant(path: string, context: Context, isCall: boolean): DeclaredFunction | TypeRef | undefined {
    const value = this.#valueOf(path, context, 0);
    if (value?.kind === 'function') return value.declared;
    // `Foo(…)` and `new Foo(…)` create an object.
    if (value?.kind === 'type') return value.ref;
    if (value !== undefined && /^<.*>$/s.test(path)) return this.#created(value);
    if (value?.kind === 'super' && SUPER_CALL.has(context.file.language))
      return this.#constructorOfBase(value.ref);
    if (value?.kind === 'module') return value.isCallable ? this.#default(value.files) : undefined;
    return value && isCall ? this.#invoked(value, context.file.language) : undefined;
  }

  #created(value: Value): DeclaredFunction | TypeRef | undefined {
    if (value.kind === 'object') return value.ref;
    return value.kind === 'typed' ? (this.#refOf(value) ?? this.#constructorFunction(value)) : undefined;
  }

  /** Returns the method that runs when an object is called like a function. */
  #invoked(value: Value, language: string): DeclaredFunction | undefined {
    const name = INVOKED_AS[language];
    const ref = value.kind === 'typed' ? this.#refOf(value) : value.kind === 'object' && value.ref;
    return name && ref ? this.#names.method(ref, name) : undefined;
  }

  #default(files: readonly DeclaredFile[]): DeclaredFunction | TypeRef | undefined {
    const offered = files.flatMap((file) => this.#names.offered('default', file) ?? []);
    return offered.length === 1 ? offered[0] : undefined;
  }

  /** Returns the function that `new Reply()` calls if `Reply` is a constructor function in JavaScript. */
  #constructorFunction({ text, file }: TypedValue): DeclaredFunction | undefined {
    return /^\w+$/.test(text) ? this.#names.functionNamed(text, file) : undefined;
  }

  /** Returns the base class of a type: the first of its base types, since interfaces come later. */
  #constructorOfBase(ref: TypeRef): TypeRef | undefined {
    const [extended = ''] = ref.parts.flatMap(({ bases }) => bases);
    const simple = extended.split('<')[0]?.split('.').at(-1)?.trim();
    return this.#names.basesOf(ref).find(({ name }) => name === simple || name.endsWith(`.${simple}`));
  }

  #valueOf(path: string, context: Context, depth: number): Value | undefined {
    if (path === '' || depth > MAX_DEPTH) return undefined;
    const [head = '', ...steps] = this.#stepsOf(path);
    const start = head.startsWith('<')
      ? typed(head.slice(1, -1), context)
      : this.#named(head, context, depth);
    if (start === undefined && context.file.language === 'rust')
      return this.#rustPath([head, ...steps], context, depth);
    return this.#follow(start, steps, depth);
  }

  #stepsOf(path: string): readonly string[] {
    const steps = this.#steps.get(path) ?? stepsOf(path);
    this.#steps.set(path, steps);
    return steps;
  }

  #follow(start: Value | undefined, steps: readonly string[], depth: number): Value | undefined {
    let value = start;
    for (const step of steps) {
      if (value === undefined) return undefined;
      value = step === '()' ? this.#called(value) : this.#member(value, step, depth);
    }
    return value;
  }

  /** Evaluates a Rust path such as `crate::a::f` or `super::f`, from its longest prefix that is a module with a file. */
  #rustPath(parts: readonly string[], { file }: Context, depth: number): Value | undefined {
    for (let end = parts.length - 1; end > 0; end -= 1) {
      const name = parts[end] ?? '';
      if (name === '()') continue;
      const module = parts
        .slice(0, end)
        .join('::')
        .replace(/^this(?=::|$)/, 'self');
      const files = this.#names.modulesOf({ local: name, module, name }, file);
      const found = files.length === 0 ? undefined : this.#offered(files, name, depth);
      if (found !== undefined) return this.#follow(found, parts.slice(end + 1), depth);
    }
    return undefined;
  }

  #named(name: string, context: Context, depth: number): Value | undefined {
    if (name === 'this') return asObject(context.self ?? this.#ownType(context)) ?? exportedObject(context);
    if (name === 'super') {
      const own = context.self ?? this.#ownType(context);
      return own && { kind: 'super', ref: own };
    }
    const variable = variableIn(context, name);
    if (variable !== undefined) return this.#typing(variable, context, depth + 1);
    return (
      this.#local(name, context) ??
      this.#ownMember(name, context, depth) ??
      this.#global(name, context, depth)
    );
  }

  /** Returns a function or type that is declared in the current function or in one that encloses it. */
  #local(name: string, { file, function: around }: Context): Value | undefined {
    for (let owner = around?.name; owner !== undefined; owner = ownerOf(owner)) {
      // If `req` is not a function, `req.accepts` is a method of an object and not a nested function.
      if (!file.functions.has(owner) || file.types.has(owner)) continue;
      const found = file.functions.get(`${owner}.${name}`);
      if (found !== undefined) return { kind: 'function', declared: found, self: undefined };
      const ref = file.types.has(`${owner}.${name}`) && this.#names.typeNamed(`${owner}.${name}`, file);
      if (ref) return { kind: 'type', ref };
    }
    return undefined;
  }

  /** Returns a member of the current type, in languages with an implicit `this`. */
  #ownMember(name: string, context: Context, depth: number): Value | undefined {
    if (!IMPLICIT_THIS.has(context.file.language)) return undefined;
    const own = context.self ?? this.#ownType(context);
    return own && this.#memberOf(own, name, depth);
  }

  #global(name: string, context: Context, depth: number): Value | undefined {
    const { file } = context;
    const binding = bindingIn(context, name);
    if (binding !== undefined) return this.#imported(binding, file, depth);
    const declared = this.#names.functionNamed(name, file);
    const ref = this.#names.typeNamed(name, file);
    // In Kotlin, `Box()` may call a function of that name or the constructor of the class `Box`, so it is
    // uncertain.
    if (declared !== undefined && ref !== undefined && file.language === 'kotlin') return undefined;
    if (declared !== undefined) return { kind: 'function', declared, self: undefined };
    if (ref !== undefined) return { kind: 'type', ref };
    const typing = Object.hasOwn(file.variables, name) ? file.variables[name] : undefined;
    return typing === undefined ? undefined : this.#typing(typing, { file, function: undefined }, depth + 1);
  }

  /** Evaluates an imported name. Undefined if the project does not declare it. */
  #imported(binding: Binding, file: DeclaredFile, depth: number): Value | undefined {
    const { local, name } = binding;
    const files = this.#names.modulesOf(binding, file);
    if (name === '*') return files.length === 0 ? undefined : { kind: 'module', files, isCallable: true };
    const declared = this.#names.functionNamed(local, file);
    if (declared !== undefined) return { kind: 'function', declared, self: undefined };
    const ref = this.#names.typeNamed(local, file);
    if (ref !== undefined) return { kind: 'type', ref };
    const modules = files.filter(({ path }) => stemOf(path) === name);
    if (modules.length > 0) return { kind: 'module', files: modules, isCallable: false };
    return this.#moduleVariable(files, name, depth);
  }

  #typing(typing: Typing, context: Context, depth: number): Value | undefined {
    if (typing.startsWith(':')) return typed(typing.slice(1), context);
    return typing.startsWith('=') ? this.#valueOf(typing.slice(1), context, depth) : undefined;
  }

  #member(value: Value, name: string, depth: number): Value | undefined {
    // In Ruby a method name without brackets is a call.
    if (value.kind === 'function' && value.declared.path.endsWith('.rb')) {
      const result = this.#called(value);
      return result && this.#member(result, name, depth);
    }
    if (name === '[]' || name === '?') return inside(value, name);
    switch (value.kind) {
      case 'module':
        return this.#offered(value.files, name, depth) ?? this.#ofDefault(value, name, depth);
      case 'super':
        return this.#ofBase(value.ref, name);
      case 'typed':
        return this.#ofTyped(value, name, depth);
      case 'object':
      case 'type':
        return (
          this.#ofClass(value, name, depth) ??
          this.#memberOf(value.ref, name, depth) ??
          this.#nested(value, name)
        );
      default:
        return undefined;
    }
  }

  /** Evaluates Ruby's `self.class`, and variables of a class itself: `@x` in its body. */
  #ofClass({ kind, ref }: { kind: string; ref: TypeRef }, name: string, depth: number): Value | undefined {
    if (ref.files[0]?.language !== 'ruby') return undefined;
    if (kind === 'object')
      return name === 'class' ? { kind: 'passed', value: { kind: 'type', ref } } : undefined;
    const isMethod = this.#names.method(ref, name) !== undefined;
    return isMethod ? undefined : this.#memberOf(ref, `this.${name}`, depth);
  }

  #ofTyped(value: TypedValue, name: string, depth: number): Value | undefined {
    const ref = this.#refOf(value);
    if (ref === undefined) return passedThrough(value, name) ?? this.#ofLibrary(value, name);
    return this.#memberOf(ref, name, depth) ?? passedThrough(value, name);
  }

  #ofBase(ref: TypeRef, name: string): Value | undefined {
    const [declared] = this.#names.basesOf(ref).flatMap((base) => this.#names.method(base, name) ?? []);
    return declared && { kind: 'function', declared, self: ref };
  }

  #memberOf(ref: TypeRef, written: string, depth: number): Value | undefined {
    // In Ruby `@size` is always a variable, even if there is a method `size`.
    const name = written.replace('@', '');
    const declared = name === written ? this.#names.method(ref, name) : undefined;
    if (declared !== undefined) return { kind: 'function', declared, self: ref };
    const field = this.#names.field(ref, name);
    if (field === undefined) return this.#extension(ref, name);
    return this.#typing(field.typing, { file: field.file, function: undefined, self: field.ref }, depth + 1);
  }

  /** Returns a method that the project adds to a library type. */
  #ofLibrary({ text, file }: TypedValue, name: string): Value | undefined {
    const type = this.#names.isExtension(name) && baseName(text, file.language);
    const declared = type && this.#names.extensionOf(new Set([simpleName(type)]), name, file.language);
    return declared ? { kind: 'function', declared, self: undefined } : undefined;
  }

  #extension(ref: TypeRef, name: string): Value | undefined {
    const declared = this.#names.extension(ref, name);
    return declared && { kind: 'function', declared, self: ref };
  }

  /** Returns a nested type, as in `Outer.Inner`. Ruby's `Foo.new` is evaluated to the type `Foo`. */
  #nested(value: Value, name: string): Value | undefined {
    if (value.kind !== 'type') return undefined;
    if (name === 'new' && value.ref.files[0]?.language === 'ruby') return value;
    const [file] = value.ref.files;
    const inner = file && this.#names.typeNamed(`${value.ref.name}.${name}`, file);
    return inner && { kind: 'type', ref: inner };
  }

  #offered(files: readonly DeclaredFile[], name: string, depth: number): Value | undefined {
    const found = files.flatMap((file) => this.#names.offered(name, file) ?? []);
    const [first] = found;
    if (first === undefined) return this.#moduleVariable(files, name, depth);
    if ('parts' in first) return { kind: 'type', ref: first };
    return new Set(found).size === 1 ? { kind: 'function', declared: first, self: undefined } : undefined;
  }

  /**
   * Returns a member of a module's default export. After `const Reply = require('./reply')`, for example,
   * `Reply` may be the exported class.
   */
  #ofDefault(value: Extract<Value, { kind: 'module' }>, name: string, depth: number): Value | undefined {
    const found = value.isCallable ? this.#default(value.files) : undefined;
    return found !== undefined && 'parts' in found ? this.#memberOf(found, name, depth) : undefined;
  }

  #moduleVariable(files: readonly DeclaredFile[], name: string, depth: number): Value | undefined {
    const [file, ...others] = files.filter(({ variables }) => Object.hasOwn(variables, name));
    if (file === undefined || others.length > 0) return undefined;
    return this.#typing(file.variables[name] ?? '', { file, function: undefined }, depth + 1);
  }

  #called(value: Value): Value | undefined {
    if (value.kind === 'type') return { kind: 'object', ref: value.ref };
    if (value.kind === 'passed') return value.value;
    const isRead =
      value.kind === 'typed' ? value.file.language : value.kind === 'object' && value.ref.files[0]?.language;
    if (isRead === 'ruby') return value;
    const whole = value.kind === 'module' && value.isCallable ? this.#default(value.files) : undefined;
    if (whole !== undefined && 'parts' in whole) return { kind: 'object', ref: whole };
    if (whole !== undefined) return this.#returned(whole, undefined);
    return value.kind === 'function' ? this.#returned(value.declared, value.self) : undefined;
  }

  #returned(declared: DeclaredFunction, self: TypeRef | undefined): Value | undefined {
    const file = this.#names.fileOf(declared.path);
    const owner =
      declared.owner === '' || file === undefined ? undefined : this.#names.typeNamed(declared.owner, file);
    // In Ruby a class may declare a method `new`.
    const isNew = declared.path.endsWith('.rb') && simpleName(declared.name) === 'new';
    if (isNew) return asObject(self ?? owner);
    if (declared.returns === undefined) return isConstructor(declared) ? asObject(owner) : undefined;
    if (OWN_TYPE.test(declared.returns)) return asObject(self ?? owner);
    return file && { kind: 'typed', text: declared.returns, file, self: self ?? owner };
  }

  #refOf({ text, file, self }: TypedValue): TypeRef | undefined {
    const refs = this.#refs.get(file) ?? new Map<string, TypeRef | undefined>();
    this.#refs.set(file, refs);
    if (refs.has(text)) return refs.get(text);
    const name = baseName(text, file.language);
    if (name !== undefined && OWN_TYPE.test(name)) return self;
    const ref = name === undefined ? undefined : this.#names.typePath(name, file);
    refs.set(text, ref);
    return ref;
  }

  #ownType({ file, function: around }: Context): TypeRef | undefined {
    for (let owner = ownerOf(around?.name ?? ''); owner !== undefined; owner = ownerOf(owner)) {
      const ref = this.#names.typeNamed(owner, file);
      if (ref !== undefined) return ref;
    }
    // In JavaScript the function may be a constructor function, which is a type.
    const own = around === undefined ? undefined : file.types.get(around.name);
    return own && this.#names.typeNamed(own.name, file);
  }
}

/** Methods that run if an object is called like a function. */
const INVOKED_AS: Readonly<Record<string, string>> = { python: '__call__', php: '__invoke' };

const IMPLICIT_THIS: ReadonlySet<string> = new Set(['java', 'kotlin', 'csharp', 'cpp', 'swift', 'ruby']);
/** Languages in which `super(…)` calls the constructor of the base class. */
const SUPER_CALL: ReadonlySet<string> = new Set(['javascript', 'typescript', 'tsx']);
const OWN_TYPE = /^(?:&(?:mut )?)?(?:Self|self|static|this|\$this|typing\.Self|te\.Self|t\.Self)$/;
