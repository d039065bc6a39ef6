/** Something a file's syntax tree says beyond its declarations. Lines are 1-based and inclusive. */
export interface BodyFact {
  kind: BodyFactKind;
  /** The function, method or type it stands in, dotted; empty at the top of a file. */
  owner: string;
  /** What is called, raised, read or marked. */
  name: string;
  /** The message, the value, the words of the comment; may be empty. */
  text: string;
  /** The condition it depends on, in the source's own words. */
  when?: string;
  startLine: number;
  endLine: number;
}

export type BodyFactKind =
  | 'call'
  /** An error that is thrown, raised or returned. */
  | 'raise'
  /** The same, because of an argument. */
  | 'check'
  | 'limit'
  | 'environment'
  | 'file'
  | 'address'
  | 'deprecated'
  | 'todo'
  | 'suppressed';

export interface BodyFacts {
  /** What the authors wrote about the file as a whole; nothing when the first comment is about a declaration. */
  fileDoc: string | undefined;
  facts: BodyFact[];
  /** Every function and method with a body, private ones too, named as the `owner` of its facts. */
  functions: FunctionRange[];
}

export interface FunctionRange {
  name: string;
  startLine: number;
  endLine: number;
}
