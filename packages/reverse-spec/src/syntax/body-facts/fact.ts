/** A fact from a function body or comment: a call, an error, a limit and so on. Lines are 1-based and inclusive. */
export interface BodyFact {
  kind: BodyFactKind;
  /**
   * Dotted name of the function, method or type that contains the fact; empty at the top level of a file. For
   * `deprecated`: the name of the deprecated declaration.
   */
  owner: string;
  /** Name that is called, raised, read or marked. */
  name: string;
  /** Message, value or comment text; for a call or use, its path (`paths.ts`). May be empty. */
  text: string;
  /** For a `use`: the field in which the object stores the function. */
  into?: string;
  /** For an error that is passed to a callback instead of raised: that callback. */
  passedTo?: string;
  /** Whether the function returns right after this call. */
  ends?: true;
  /** Conditions under which the code of the fact runs, the outermost first. Undefined without conditions. */
  when?: Conditions;
  startLine: number;
  endLine: number;
}

export type BodyFactKind =
  | 'call'
  /** A function or method is passed or stored as a value. */
  | 'use'
  /** An error is thrown, raised or returned. */
  | 'raise'
  /** An error is raised because of the value of an argument. */
  | 'check'
  /** The function returns under a condition. `text` is the returned value; empty if it is long. */
  | 'exit'
  /** A call or statement checks an argument. `text` is the whole call or statement. */
  | 'assert'
  | 'limit'
  | 'environment'
  | 'file'
  | 'address'
  | 'deprecated'
  | 'todo'
  | 'suppressed';

export interface BodyFacts {
  /** The authors' comment about the file as a whole; undefined if the first comment is about a declaration. */
  fileDoc: string | undefined;
  facts: BodyFact[];
  /** Calls and uses in tests that are in the same file (`#[cfg(test)]` in Rust). */
  testCalls: BodyFact[];
  /** All functions and methods, private ones included, named as in `owner`. */
  functions: FunctionFact[];
  /** Classes, structs, interfaces and implementation blocks. One type may have several entries. */
  types: TypeFact[];
  /** Names that the file imports. */
  bindings: Binding[];
  /** Variables at the top level of the file. */
  variables: Variables;
}

/** Typings by variable name. */
export type Variables = Readonly<Record<string, Typing>>;

export interface FunctionFact {
  name: string;
  startLine: number;
  endLine: number;
  /** First sentence of the function's comment. */
  doc?: string;
  /** Declared return type. */
  returns?: string;
  /** Parameters and local variables of the function. */
  variables: Variables;
  isTest?: true;
  /** Whether callers use the function like a field: `@property` in Python, `get` in JavaScript. */
  isProperty?: true;
  /** Whether the function is a class method in Ruby. */
  isOfClass?: true;
}

export interface TypeFact {
  name: string;
  startLine: number;
  endLine: number;
  /** Whether the file only adds members to the type, which another file declares. */
  isExtension?: true;
  /** Types that the type extends, implements, includes or embeds, as written in the source. */
  bases: readonly string[];
  fields: Variables;
}

/** A name that a file imports. */
export interface Binding {
  local: string;
  /** Module as written in the import. */
  module: string;
  /** Name in the module; `*` for the module itself, `default` for its default export. */
  name: string;
}

/**
 * Conditions under which code runs, in the source's own words, from the outermost to the innermost. `!(x)` means that `x` does not hold.
 */
export type Conditions = readonly string[];

/**
 * Type of a variable or field. `:Foo`: the source declares the type. `=a.b()`: the path of the assigned
 * value. Empty: unknown; the variable still shadows other declarations of its name.
 */
export type Typing = string;

/** Removes names that are imported from more than one module, because they are ambiguous. */
export function certain(bindings: readonly Binding[]): Binding[] {
  const first = new Map([...bindings].reverse().map((each) => [each.local, each]));
  const isSame = (each: Binding) => {
    const other = first.get(each.local);
    return each.local === '*' || (other?.module === each.module && other.name === each.name);
  };
  const unclear = new Set(bindings.flatMap((each) => (isSame(each) ? [] : [each.local])));
  return bindings.filter(({ local }) => !unclear.has(local));
}
