/** Something a file's syntax tree says beyond its declarations. Lines are 1-based and inclusive. */
export interface BodyFact {
  kind: BodyFactKind;
  /** The function, method or type that contains it, dotted; empty at the top of a file. For a deprecation: what is deprecated. */
  owner: string;
  /** Name called, raised, read or marked. */
  name: string;
  /** The message, the value, the words of the comment; of a call or use its path (`paths.ts`). May be empty. */
  text: string;
  /** For a use: the field of the same object it is stored in. */
  into?: string;
  /** For an error: the callback it is passed to, if it is not raised. */
  passedTo?: string;
  /** All conditions around it, the outermost first; none if it is not in a branch. */
  when?: Conditions;
  startLine: number;
  endLine: number;
}

export type BodyFactKind =
  | 'call'
  /** A function or method that is passed on as a value. */
  | 'use'
  /** An error that is thrown, raised or returned. */
  | 'raise'
  /** An error that is raised because of an argument. */
  | 'check'
  /** A call or statement that checks an argument; its text is all of it. */
  | 'assert'
  | 'limit'
  | 'environment'
  | 'file'
  | 'address'
  | 'deprecated'
  | 'todo'
  | 'suppressed';

export interface BodyFacts {
  /** Authors' words about the file as a whole; undefined if the first comment is about a declaration. */
  fileDoc: string | undefined;
  facts: BodyFact[];
  /** Calls and uses in tests that the file itself contains (`#[cfg(test)]`). */
  testCalls: BodyFact[];
  /** Every function and method, private ones too, named as the `owner` of its facts. */
  functions: FunctionFact[];
  /** Classes, structs, interfaces, implementations; one type may have several. */
  types: TypeFact[];
  /** Names the file has from its imports. */
  bindings: Binding[];
  /** Variables at the top of the file. */
  variables: Variables;
}

/** Typings by name. */
export type Variables = Readonly<Record<string, Typing>>;

export interface FunctionFact {
  name: string;
  startLine: number;
  endLine: number;
  /** The first sentence of its comment. */
  doc?: string;
  /** The type it says it returns. */
  returns?: string;
  /** Its parameters and local variables. */
  variables: Variables;
  isTest?: true;
}

export interface TypeFact {
  name: string;
  startLine: number;
  endLine: number;
  /** The file only adds members to it. */
  isExtension?: true;
  /** Types it extends, implements, includes or embeds, as written. */
  bases: readonly string[];
  fields: Variables;
}

/** A name that a file has from an import. */
export interface Binding {
  local: string;
  /** The module as written. */
  module: string;
  /** The name in the module; `*` for the module itself, `default` for what it exports as such. */
  name: string;
}

/**
 * Conditions under which code runs, in the source's own words, from the outermost to the innermost. `!(x)` means that `x` does not hold.
 */
export type Conditions = readonly string[];

/**
 * Known type of a variable or field: `:Foo` if the source writes it, `=a.b()` (a path) if it is assigned,
 * empty if neither can be said. A variable without a typing still hides what it is called after.
 */
export type Typing = string;
