import type { TObject } from 'typebox';
import { isFields } from '../text/json.ts';
import type { FieldError } from './tool.ts';

export type ArgumentCheck = (args: unknown) => FieldError[];

/**
 * Compiles the input schema of a tool into a check. It returns one readable entry per wrong field. Its cost
 * depends on the number of fields, not on the length of their strings.
 */
export function compileArgumentCheck(schema: TObject): ArgumentCheck {
  const check = compileSchema(schema as unknown as JsonSchema, '#');
  return (args) => {
    const errors: FieldError[] = [];
    check(args, '', errors);
    return errors;
  };
}

/** Keywords of `JsonSchema`, and keywords that only describe the input. */
const KEYWORDS =
  'type const enum anyOf properties required additionalProperties patternProperties maxProperties items minItems ' +
  'maxItems minLength maxLength pattern minimum maximum title description default';
const KNOWN_KEYWORDS = new Set(KEYWORDS.split(' '));

function compileSchema(schema: JsonSchema, place: string): Check {
  const foreign = Object.keys(schema).find((keyword) => !KNOWN_KEYWORDS.has(keyword));
  if (foreign !== undefined)
    throw new Error(`${place}: the argument check does not know the keyword ${foreign}`);
  const literals = literalsOf(schema);
  if (literals !== undefined) return oneOf(literals);
  if (schema.anyOf !== undefined)
    throw new Error(`${place}: the argument check knows a choice of literals only`);
  const compile = COMPILERS[schema.type ?? ''];
  if (compile !== undefined) return compile(schema, place);
  throw new Error(`${place}: the argument check does not know the type ${schema.type}`);
}

const COMPILERS: Readonly<Record<string, (schema: JsonSchema, place: string) => Check>> = {
  object: compileObject,
  array: compileArray,
  string: compileString,
  number: compileNumber,
  integer: compileNumber,
  boolean: () => checkBoolean,
};

/** Returns the values that a schema allows, if it lists them. */
function literalsOf({ anyOf, enum: listed, ...schema }: JsonSchema): readonly unknown[] | undefined {
  if (listed !== undefined) return listed;
  if ('const' in schema) return [schema.const];
  const literals = anyOf?.map(literalsOf);
  return literals?.every((each) => each !== undefined) ? literals.flat() : undefined;
}

function checkBoolean(value: unknown, field: string, errors: FieldError[]): void {
  if (typeof value !== 'boolean') report(errors, field, 'must be true or false');
}

function oneOf(allowed: readonly unknown[]): Check {
  const listed = allowed.map((value) => JSON.stringify(value)).join(', ');
  const message = allowed.length === 1 ? `must be ${listed}` : `must be one of ${listed}`;
  return (value, field, errors) => allowed.includes(value) || report(errors, field, message);
}

function compileArray(schema: JsonSchema, place: string): Check {
  const checkItem = compileSchema(schema.items ?? {}, `${place}/items`);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const count = (items: number) => (items === 1 ? '1 item' : `${items} items`);
  return (value, field, errors) => {
    if (!Array.isArray(value)) return report(errors, field, 'must be an array');
    if (value.length < minItems) return report(errors, field, `must have at least ${count(minItems)}`);
    if (value.length > maxItems) return report(errors, field, `must have at most ${count(maxItems)}`);
    for (const [index, item] of value.entries()) checkItem(item, `${field}[${index}]`, errors);
  };
}

function compileObject(schema: JsonSchema, place: string): Check {
  const { required = [], maxProperties = Number.POSITIVE_INFINITY } = schema;
  const checkOf = compileProperties(schema, place);
  return (value, field, errors) => {
    if (!isFields(value)) return report(errors, field, 'must be an object');
    const missing = required.filter((name) => !Object.hasOwn(value, name));
    for (const name of missing) report(errors, fieldIn(field, name), 'is required');
    const names = Object.keys(value);
    if (names.length > maxProperties)
      return report(errors, field, `must have at most ${maxProperties} entries`);
    for (const name of names) checkOf(name)(value[name], fieldIn(field, name), errors);
  };
}

/** Returns the check for each member: by its name, by a pattern of names, or for unknown names. */
function compileProperties(schema: JsonSchema, place: string): (name: string) => Check {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const compiled = (schemas: Readonly<Record<string, JsonSchema>>) =>
    Object.entries(schemas).map(([name, inner]) => [name, compileSchema(inner, `${place}/${name}`)] as const);
  const named = new Map(compiled(properties));
  const matching = compiled(patternProperties).map(
    ([pattern, check]) => [new RegExp(pattern, 'u'), check] as const,
  );
  const message = unknownField(Object.keys(properties), Object.keys(patternProperties));
  const unknown: Check = (_, field, errors) =>
    additionalProperties !== false || report(errors, field, message);
  return (name) => named.get(name) ?? matching.find(([pattern]) => pattern.test(name))?.[1] ?? unknown;
}

function unknownField(names: readonly string[], patterns: readonly string[]): string {
  if (names.length > 0) return `unknown field; known fields: ${names.join(', ')}`;
  if (patterns.length > 0) return `name must match ${patterns.join(' or ')}`;
  return 'unknown field';
}

/** Returns the path of a member, such as `options.max_prune_ratio` or `ranges[0].start_line`. */
function fieldIn(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/** The keywords of JSON Schema that tools may use. A server with any other keyword does not start. */
interface JsonSchema {
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
}

type Check = (value: unknown, field: string, errors: FieldError[]) => void;

/** Maximum number of entries. Without it, a malicious request could cause a huge response. */
const MAX_ERRORS = 100;
const MAX_FIELD_CHARS = 200;

function report(errors: FieldError[], field: string, message: string): void {
  const isLong = field.length > MAX_FIELD_CHARS;
  if (errors.length < MAX_ERRORS)
    errors.push({ field: isLong ? `${field.slice(0, MAX_FIELD_CHARS)}…` : field, message });
}

function compileString(schema: JsonSchema): Check {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  return (value, field, errors) => {
    if (typeof value !== 'string') return report(errors, field, 'must be a string');
    if (!hasAtLeast(value, minLength)) return report(errors, field, tooShort(minLength));
    if (hasAtLeast(value, maxLength + 1))
      return report(errors, field, `must have at most ${characters(maxLength)}`);
    if (pattern?.test(value) === false) report(errors, field, mismatch(schema.pattern));
  };
}

function compileNumber(schema: JsonSchema): Check {
  const wanted = schema.type === 'integer' ? 'an integer' : 'a number';
  const fitsType = schema.type === 'integer' ? Number.isInteger : Number.isFinite;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const message = `must be ${wanted}${rangeText(schema)}`;
  return (value, field, errors) => {
    if (typeof value !== 'number' || !fitsType(value)) return report(errors, field, `must be ${wanted}`);
    if (value < minimum || value > maximum) report(errors, field, message);
  };
}

/** Counts code points only if the number of UTF-16 units is not sufficient to decide. */
function hasAtLeast(text: string, characterCount: number): boolean {
  if (text.length < characterCount) return false;
  if (text.length >= characterCount * 2) return true;
  let seen = 0;
  for (const _ of text) {
    seen += 1;
    if (seen >= characterCount) return true;
  }
  return seen >= characterCount;
}

function tooShort(minLength: number): string {
  return minLength === 1 ? 'must not be empty' : `must have at least ${characters(minLength)}`;
}

function mismatch(pattern: string | undefined): string {
  return pattern === NOT_BLANK ? 'must not be blank' : `must match ${pattern}`;
}

const NOT_BLANK = '\\S';

function characters(amount: number): string {
  return amount === 1 ? '1 character' : `${amount} characters`;
}

function rangeText({ minimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` (at least ${minimum})`;
  return maximum === undefined ? '' : ` (at most ${maximum})`;
}
