import { type Check, type JsonSchema, report } from './check.ts';

export function compileString(schema: JsonSchema): Check {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  return (value, field, errors) => {
    if (typeof value !== 'string') return report(errors, field, 'must be a string');
    if (!hasAtLeast(value, minLength)) return report(errors, field, tooShort(minLength));
    if (hasAtLeast(value, maxLength + 1))
      return report(errors, field, `must have at most ${characters(maxLength)}`);
    if (pattern !== undefined && !pattern.test(value)) return report(errors, field, mismatch(schema.pattern));
    return true;
  };
}

export function compileNumber(schema: JsonSchema): Check {
  const wanted = schema.type === 'integer' ? 'an integer' : 'a number';
  const fitsType = schema.type === 'integer' ? Number.isInteger : Number.isFinite;
  const within = rangeCheck(schema);
  const message = `must be ${wanted}${rangeText(schema)}`;
  return (value, field, errors) => {
    if (typeof value !== 'number' || !fitsType(value)) return report(errors, field, `must be ${wanted}`);
    return within(value) || report(errors, field, message);
  };
}

/** Counts characters (code points) only if the length in UTF-16 units leaves a doubt. */
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

function rangeCheck(schema: JsonSchema): (value: number) => boolean {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const {
    exclusiveMinimum: above = Number.NEGATIVE_INFINITY,
    exclusiveMaximum: below = Number.POSITIVE_INFINITY,
  } = schema;
  return (value) => value >= minimum && value <= maximum && value > above && value < below;
}

function rangeText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const bounds = [
    minimum === undefined ? undefined : `at least ${minimum}`,
    maximum === undefined ? undefined : `at most ${maximum}`,
    exclusiveMinimum === undefined ? undefined : `greater than ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? undefined : `less than ${exclusiveMaximum}`,
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? '' : ` (${bounds.join(', ')})`;
}
