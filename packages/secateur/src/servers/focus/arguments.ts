import type { FieldError } from '@secateur/base/tools/rpc-error.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { placePath, type WorkspaceRoot } from '@secateur/serving/workspace/root.ts';

/** The largest output a call may ask for, and what it gets unless it asks for less. */
export const MAX_OUTPUT_BYTES = 10_485_760;
export const DEFAULT_TIMEOUT_MS = 30_000;

export const questionSchema = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: '\\S',
    description:
      'What you want to know, as a full sentence. Lines that do not help to answer it are left out and marked; leave it out to get everything.',
  }),
);

export const maxOutputBytesSchema = Type.Optional(
  Type.Integer({
    minimum: 1024,
    maximum: MAX_OUTPUT_BYTES,
    description: 'Cut the output to this size first.',
  }),
);

export const timeoutSchema = Type.Optional(
  Type.Integer({ minimum: 100, maximum: 300_000, default: DEFAULT_TIMEOUT_MS }),
);

/** Checks a path by its spelling; what only the file system knows comes later, as a tool error. */
export function pathErrors(root: WorkspaceRoot, field: string, path: string | undefined): FieldError[] {
  if (path === undefined) return [];
  const placed = placePath(root, path);
  return placed.kind === 'inside' ? [] : [{ field, message: placed.reason }];
}

/** No system call takes a text with a NUL in it. */
export function nulErrors(field: string, text: string): FieldError[] {
  return text.includes('\0') ? [{ field, message: 'must not contain a NUL character' }] : [];
}
