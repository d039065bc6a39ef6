import { isFields } from '../../text/json-value.ts';
import type { FieldError } from '../rpc-error.ts';
import { type Check, type CompileInner, fieldIn, type JsonSchema, report } from './check.ts';

interface ObjectRules {
  readonly properties: ReadonlyMap<string, Check>;
  readonly required: readonly string[];
  readonly patterns: ReadonlyArray<{ readonly pattern: RegExp; readonly check: Check }>;
  readonly open: boolean;
  readonly maxProperties: number;
  readonly unknownField: string;
}

export function compileObject(schema: JsonSchema, place: string, compile: CompileInner): Check {
  const rules = compileRules(schema, place, compile);
  return (value, field, errors) => {
    if (!isFields(value)) return report(errors, field, 'must be an object');
    return checkObject(rules, { value, field, errors });
  };
}

interface Place {
  readonly value: Readonly<Record<string, unknown>>;
  readonly field: string;
  readonly errors: FieldError[];
}

function compileRules(schema: JsonSchema, place: string, compile: CompileInner): ObjectRules {
  const names = Object.keys(schema.properties ?? {});
  const patterns = Object.entries(schema.patternProperties ?? {});
  return {
    properties: new Map(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [
        name,
        compile(property, `${place}/${name}`),
      ]),
    ),
    required: schema.required ?? [],
    patterns: patterns.map(([pattern, property]) => ({
      pattern: new RegExp(pattern, 'u'),
      check: compile(property, `${place}/${pattern}`),
    })),
    open: schema.additionalProperties !== false,
    maxProperties: schema.maxProperties ?? Number.POSITIVE_INFINITY,
    unknownField: unknownFieldMessage(names, patterns),
  };
}

function unknownFieldMessage(names: string[], patterns: Array<[string, JsonSchema]>): string {
  if (names.length > 0) return `unknown field; known fields: ${names.join(', ')}`;
  if (patterns.length > 0) return `name must match ${patterns.map(([pattern]) => pattern).join(' or ')}`;
  return 'unknown field';
}

function checkObject(rules: ObjectRules, place: Place): boolean {
  const { value, field, errors } = place;
  let fits = true;
  for (const name of rules.required) {
    if (!Object.hasOwn(value, name)) fits = report(errors, fieldIn(field, name), 'is required');
  }
  const names = Object.keys(value);
  if (names.length > rules.maxProperties) {
    return report(errors, field, `must have at most ${rules.maxProperties} entries`);
  }
  for (const name of names) {
    if (!checkProperty(rules, name, place)) fits = false;
  }
  return fits;
}

function checkProperty(rules: ObjectRules, name: string, { value, field, errors }: Place): boolean {
  const named = rules.properties.get(name);
  if (named !== undefined) return named(value[name], fieldIn(field, name), errors);
  const matching = rules.patterns.find(({ pattern }) => pattern.test(name));
  if (matching !== undefined) return matching.check(value[name], fieldIn(field, name), errors);
  return rules.open || report(errors, fieldIn(field, name), rules.unknownField);
}
