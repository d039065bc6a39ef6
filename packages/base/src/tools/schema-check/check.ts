import type { FieldError } from '../rpc-error.ts';

/** The part of JSON Schema our tools use. A keyword outside it is refused when the server starts, never ignored. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** Adds what is wrong with `value`, found at `field`, to `errors`; says whether it fits. */
export type Check = (value: unknown, field: string, errors: FieldError[]) => boolean;

/** More entries than this do not help, and a hostile request must not choose the size of its response. */
const MAX_ERRORS = 100;
const MAX_FIELD_CHARS = 200;

export function report(errors: FieldError[], field: string, message: string): false {
  const isLong = field.length > MAX_FIELD_CHARS;
  if (errors.length < MAX_ERRORS)
    errors.push({ field: isLong ? `${field.slice(0, MAX_FIELD_CHARS)}…` : field, message });
  return false;
}
