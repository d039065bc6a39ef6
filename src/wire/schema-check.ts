import type { TObject } from 'typebox';
import type { FieldError } from './rpc-error.ts';
import type { JsonSchema } from './schema-check/check.ts';
import { compileSchema } from './schema-check/compile.ts';

export type ArgumentCheck = (args: unknown) => FieldError[];

/**
 * Compiles a tool's input schema once. Every wrong field gives one entry, in words for the caller; the work grows
 * with the number of fields, not with the length of their strings.
 */
export function compileArgumentCheck(schema: TObject): ArgumentCheck {
  const check = compileSchema(schema as unknown as JsonSchema, '#');
  return (args) => {
    const errors: FieldError[] = [];
    check(args, '', errors);
    return errors;
  };
}
