import { compileArray } from './array.ts';
import { type Check, type JsonSchema, report } from './check.ts';
import { compileObject } from './object.ts';
import { compileNumber, compileString } from './scalar.ts';

const KNOWN_KEYWORDS = new Set([
  ...[
    'type',
    'const',
    'enum',
    'anyOf',
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
  ],
  ...['maxProperties', 'items', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['title', 'description', 'default', 'examples', 'deprecated'],
]);

export function compileSchema(schema: JsonSchema, place: string): Check {
  const foreign = Object.keys(schema).find((keyword) => !KNOWN_KEYWORDS.has(keyword));
  if (foreign !== undefined)
    throw new Error(`${place}: the argument check does not know the keyword ${foreign}`);
  if (schema.anyOf !== undefined) return compileAnyOf(schema.anyOf, place);
  if (schema.enum !== undefined) return oneOf(schema.enum);
  if ('const' in schema) return oneOf([schema.const]);
  return compileTyped(schema, place);
}

function compileTyped(schema: JsonSchema, place: string): Check {
  switch (schema.type) {
    case 'object':
      return compileObject(schema, place, compileSchema);
    case 'array':
      return compileArray(schema, place, compileSchema);
    case 'string':
      return compileString(schema);
    case 'number':
    case 'integer':
      return compileNumber(schema);
    case 'boolean':
      return (value, field, errors) =>
        typeof value === 'boolean' || report(errors, field, 'must be true or false');
    case 'null':
      return (value, field, errors) => value === null || report(errors, field, 'must be null');
    case undefined:
      return () => true;
    default:
      throw new Error(`${place}: the argument check does not know the type ${schema.type}`);
  }
}

function oneOf(allowed: readonly unknown[]): Check {
  const listed = allowed.map((value) => JSON.stringify(value)).join(', ');
  const message = allowed.length === 1 ? `must be ${listed}` : `must be one of ${listed}`;
  return (value, field, errors) => allowed.includes(value) || report(errors, field, message);
}

function compileAnyOf(branches: readonly JsonSchema[], place: string): Check {
  const literals = branches.flatMap((branch) => branch.enum ?? ('const' in branch ? [branch.const] : []));
  if (branches.every((branch) => branch.enum !== undefined || 'const' in branch)) return oneOf(literals);
  const checks = branches.map((branch, index) => compileSchema(branch, `${place}/anyOf/${index}`));
  const message = `must be ${branches.map((branch) => branch.type ?? 'one of the listed values').join(' or ')}`;
  return (value, field, errors) =>
    checks.some((check) => check(value, field, [])) || report(errors, field, message);
}
