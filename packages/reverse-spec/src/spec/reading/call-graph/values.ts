/** Meanings of a path's steps, and what follows from one by itself: `clone()` returns the same value. */

import type { DeclaredFile, DeclaredFunction } from './declared-file.ts';
import type { TypeRef } from './names.ts';
import { elementType, heldType } from './type-text.ts';

/** Meaning of a path, as far as the sources write it. */
export type Value =
  | { kind: 'function'; declared: DeclaredFunction; self: TypeRef | undefined }
  /** The type itself: its static members count. */
  | { kind: 'type'; ref: TypeRef }
  | { kind: 'object'; ref: TypeRef }
  /** A value of a type as it is written in a file. */
  | TypedValue
  /** Members of the base types alone. */
  | { kind: 'super'; ref: TypeRef }
  /** `isCallable`: it is imported as a whole, and may be what it exports by default. */
  | { kind: 'module'; files: readonly DeclaredFile[]; isCallable: boolean }
  /** A method of a library whose call gives back the value it was called on. */
  | { kind: 'passed'; value: TypedValue };

export interface TypedValue {
  kind: 'typed';
  text: string;
  file: DeclaredFile;
  self: TypeRef | undefined;
}

/** Place of a written path. */
export interface Context {
  file: DeclaredFile;
  /** The function around it, and those around that one. */
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
  if (value.kind !== 'typed') return undefined;
  const text = step === '[]' ? elementType(value.text) : heldType(value.text);
  return text === undefined ? undefined : { ...value, text };
}

const SAME = /^(?:clone|iter|iter_mut|into_iter|as_ref|as_mut|by_ref|to_owned|borrow|borrow_mut|also|apply)$/;
const HELD = /^(?:unwrap|expect|unwrap_or_default|unwrap_or_else)$/;

/** Rust: methods of the standard library that return the value itself, or what it holds. Their call follows. */
export function passedThrough(value: TypedValue, name: string): Value | undefined {
  if (value.file.language !== 'rust') return undefined;
  const held = HELD.test(name) ? heldType(value.text) : undefined;
  const text = SAME.test(name) ? value.text : held;
  return text === undefined ? undefined : { kind: 'passed', value: { ...value, text } };
}
