import type { Type as TypeBox } from 'typebox';

const OPTIONAL = Symbol('optional');

/**
 * Builders with the types of TypeBox that create plain JSON Schema. The TypeBox library itself is not
 * imported, because that takes more start-up time than everything else in a server.
 */
const builders = {
  Object: objectSchema,
  String: (options?: object) => ({ type: 'string', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Literal: (value: unknown, options?: object) => ({ type: typeof value, const: value, ...options }),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: [...values], ...options }),
  Union: (schemas: readonly object[], options?: object) => ({ anyOf: [...schemas], ...options }),
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Record: recordSchema,
  Optional: (schema: object) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
};

export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>;

function objectSchema(properties: Record<string, object>, options?: object): object {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] ?? {})));
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
}

/** Returns the schema of an object with arbitrary keys. If the key schema has a `pattern`, keys must match it. */
function recordSchema(key: { pattern?: string }, value: object, options?: object): object {
  return { type: 'object', patternProperties: { [key.pattern ?? '^.*$']: value }, ...options };
}
