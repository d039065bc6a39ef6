import fc from 'fast-check';
import { type TSchema, Type as TypeBox } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { compileArgumentCheck } from '../../../packages/base/src/tools/schema-check.ts';

type Builders = typeof Type;

/** Returns a schema that uses every builder, with our builders or those of TypeBox. */
function everything(T: Builders) {
  return T.Object(
    {
      text: T.String({ minLength: 1, maxLength: 5, description: 'Some text.' }),
      kind: T.Enum(['code', 'logs']),
      mode: T.Optional(T.Union([T.Literal('fast'), T.Literal('slow')])),
      ratio: T.Optional(T.Number({ minimum: 0, maximum: 1 })),
      count: T.Optional(T.Integer({ minimum: 0, default: 3 })),
      flag: T.Optional(T.Boolean()),
      name: T.Optional(T.String({ pattern: '^[a-z]+$' })),
      question: T.Optional(T.String({ pattern: '\\S' })),
      ranges: T.Optional(
        T.Array(T.Object({ start: T.Integer({ minimum: 1 }) }, { additionalProperties: false }), {
          minItems: 1,
          maxItems: 2,
        }),
      ),
      env: T.Optional(
        T.Record(T.String({ pattern: '^[A-Z_]+$' }), T.String({ maxLength: 3 }), {
          maxProperties: 2,
          additionalProperties: false,
        }),
      ),
    },
    { additionalProperties: false },
  );
}

const schema = everything(Type);
const fieldErrors = (args: unknown) => compileArgumentCheck(schema)(args);
const valid = { text: 'abc', kind: 'code' };

describe('schemas', () => {
  test('[W2] Type builds the JSON Schema that TypeBox builds', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(
      JSON.parse(JSON.stringify(everything(TypeBox as unknown as Builders))),
    );
  });

  test('[W2] compileArgumentCheck accepts exactly what TypeBox accepts', () => {
    const oracle = Compile(everything(TypeBox as unknown as Builders));
    const scalar = fc.oneof(
      fc.constantFrom('code', 'logs', 'fast', 'slow', '', 'abcde', 'abcdef', '𝒳𝒳𝒳𝒳𝒳', 'A'),
      fc.constantFrom(0, 1, 0.5, -1, 2, 10, 1e300, null, true, false, 3),
      fc.string({ maxLength: 8 }),
    );
    const item = fc.oneof(
      scalar,
      fc.record({ start: scalar }),
      fc.record({ start: scalar, end: scalar }),
      fc.array(scalar, { maxLength: 3 }),
    );
    const names = ['text', 'kind', 'mode', 'ratio', 'count', 'flag', 'name', 'question', 'ranges'];
    const args = fc
      .tuple(
        fc.dictionary(
          fc.constantFrom(...names, 'other', '__proto__'),
          fc.oneof(item, fc.array(item, { maxLength: 3 })),
          { maxKeys: 6 },
        ),
        fc.option(fc.dictionary(fc.constantFrom('A', 'PATH', 'low', 'B'), scalar), { nil: undefined }),
        fc.boolean(),
      )
      .map(([given, env, base]) => ({
        ...(base ? valid : {}),
        ...given,
        ...(env === undefined ? {} : { env }),
      }));
    fc.assert(
      fc.property(args, (value) => {
        expect(fieldErrors(value).length === 0).toBe(oracle.Check(value));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [{ text: 'abcde', kind: 'logs', mode: 'slow', ratio: 1, count: 0 }],
    [{ ...valid, ratio: 0, flag: true, name: 'abc' }],
    [{ ...valid, flag: false, ranges: [{ start: 1 }, { start: 2 }], env: { A: 'abc', B: '' } }],
  ])('[W2] compileArgumentCheck accepts a value within its limits: %j', (args) => {
    expect(fieldErrors(args)).toEqual([]);
  });

  test('[W2] compileArgumentCheck throws for a schema keyword that it does not support', () => {
    const stops = (inner: TSchema, message: string) =>
      expect(() => compileArgumentCheck(Type.Object({ when: inner }))).toThrow(message);
    const dated = Type.String({ format: 'date' });
    stops(dated, '#/when: the argument check does not know the keyword format');
    stops(Type.Array(dated), '#/when/items: the argument check does not know the keyword format');
    stops(
      Type.Union([Type.String(), Type.Literal('all')]),
      '#/when: the argument check knows a choice of literals only',
    );
    stops({ type: 'date' } as unknown as TSchema, '#/when: the argument check does not know the type date');
  });
});

describe('field errors', () => {
  test.each([
    ['a missing field', { kind: 'code' }, { field: 'text', message: 'is required' }],
    ['a wrong type', { ...valid, text: 3 }, { field: 'text', message: 'must be a string' }],
    [
      'a value outside its list',
      { ...valid, kind: 'prose' },
      { field: 'kind', message: 'must be one of "code", "logs"' },
    ],
    [
      'a value of no literal',
      { ...valid, mode: 'x' },
      { field: 'mode', message: 'must be one of "fast", "slow"' },
    ],
    [
      'a number out of range',
      { ...valid, ratio: 1.5 },
      { field: 'ratio', message: 'must be a number from 0 to 1' },
    ],
    [
      'a number below its minimum',
      { ...valid, count: -1 },
      { field: 'count', message: 'must be an integer (at least 0)' },
    ],
    ['a fraction', { ...valid, count: 1.5 }, { field: 'count', message: 'must be an integer' }],
    ['an empty text', { ...valid, text: '' }, { field: 'text', message: 'must not be empty' }],
    [
      'a text too long',
      { ...valid, text: 'abcdef' },
      { field: 'text', message: 'must have at most 5 characters' },
    ],
    [
      'a nested field',
      { ...valid, ranges: [{ start: 1 }, { start: 0 }] },
      { field: 'ranges[1].start', message: 'must be an integer (at least 1)' },
    ],
    ['an empty list', { ...valid, ranges: [] }, { field: 'ranges', message: 'must have at least 1 item' }],
    [
      'a bad name',
      { ...valid, env: { low: 'x' } },
      { field: 'env.low', message: 'name must match ^[A-Z_]+$' },
    ],
    ['a blank text', { ...valid, question: ' ' }, { field: 'question', message: 'must not be blank' }],
    ['no object', 'text', { field: '', message: 'must be an object' }],
    ['no list', { ...valid, ranges: {} }, { field: 'ranges', message: 'must be an array' }],
    [
      'a list too long',
      { ...valid, ranges: [{ start: 1 }, { start: 1 }, { start: 1 }] },
      { field: 'ranges', message: 'must have at most 2 items' },
    ],
    ['no truth', { ...valid, flag: 'true' }, { field: 'flag', message: 'must be true or false' }],
    ['a text of another form', { ...valid, name: 'A' }, { field: 'name', message: 'must match ^[a-z]+$' }],
    ['no number', { ...valid, ratio: '1' }, { field: 'ratio', message: 'must be a number' }],
    [
      'too many entries',
      { ...valid, env: { A: '', B: '', C: '' } },
      { field: 'env', message: 'must have at most 2 entries' },
    ],
  ])('[W3] %s causes exactly one field error', (_, args, expected) => {
    expect(fieldErrors(args)).toEqual([expected]);
  });

  test.each<[what: string, inner: TSchema, told: [value: unknown, message: string]]>([
    ['one literal', Type.Literal('on'), ['off', 'must be "on"']],
    [
      'literals and lists of them',
      Type.Union([Type.Enum(['a', 'b']), Type.Literal('c')]),
      ['d', 'must be one of "a", "b", "c"'],
    ],
    ['a least length', Type.String({ minLength: 2 }), ['a', 'must have at least 2 characters']],
    ['a length of one', Type.String({ maxLength: 1 }), ['ab', 'must have at most 1 character']],
    [
      'a least number of items',
      Type.Array(Type.String(), { minItems: 2 }),
      [[], 'must have at least 2 items'],
    ],
    ['a list of one', Type.Array(Type.String(), { maxItems: 1 }), [['', ''], 'must have at most 1 item']],
    ['a largest number', Type.Number({ maximum: 1 }), [2, 'must be a number (at most 1)']],
    ['a least number', Type.Number({ minimum: 1 }), [0, 'must be a number (at least 1)']],
  ])('[W3] the field error for %s is a readable message', (_, inner, [value, message]) => {
    const check = compileArgumentCheck(Type.Object({ field: inner }));
    expect(check({ field: value })).toEqual([{ field: 'field', message }]);
  });

  test('[W3] the error for an unknown field suggests no field if the schema has none', () => {
    const check = compileArgumentCheck(Type.Object({}, { additionalProperties: false }));
    expect(check({ any: 1 })).toEqual([{ field: 'any', message: 'unknown field' }]);
  });

  test('[W3] compileArgumentCheck accepts unknown fields unless the schema forbids them', () => {
    expect(compileArgumentCheck(Type.Object({ a: Type.String() }))({ a: '', b: 1 })).toEqual([]);
  });

  test('[W3] a field error shortens the name of a field only if it is longer than 200 characters', () => {
    const named = (length: number) => fieldErrors({ ...valid, ['x'.repeat(length)]: 1 })[0]?.field;
    expect([named(200), named(201)]).toEqual(['x'.repeat(200), `${'x'.repeat(200)}…`]);
  });

  test('[W3] the field error for an unknown field lists the known fields', () => {
    expect(fieldErrors({ ...valid, colour: 1 })).toEqual([
      { field: 'colour', message: expect.stringMatching(/^unknown field; known fields: text, kind, /) },
    ]);
  });

  test('[W3] compileArgumentCheck returns one field error per wrong field', () => {
    const fields = fieldErrors({ kind: 'x', ratio: 2, colour: 1, ranges: [{ start: 'a', end: 2 }] }).map(
      ({ field }) => field,
    );
    expect(fields.sort()).toEqual(['colour', 'kind', 'ranges[0].end', 'ranges[0].start', 'ratio', 'text']);
  });

  test('[W3] compileArgumentCheck treats `__proto__` as an unknown field', () => {
    const args = JSON.parse('{"text":"a","kind":"code","__proto__":{"ratio":7}}');
    expect(fieldErrors(args)).toEqual([
      { field: '__proto__', message: expect.stringContaining('unknown field') },
    ]);
  });

  test('[W3] compileArgumentCheck counts a character outside the basic plane as one character', () => {
    expect(fieldErrors({ ...valid, text: '𝒳𝒳𝒳𝒳𝒳' })).toEqual([]);
    expect(fieldErrors({ ...valid, text: '𝒳𝒳𝒳𝒳𝒳𝒳' })).toHaveLength(1);
  });

  test('[W5] compileArgumentCheck returns at most 100 short errors for 10,000 unknown fields with long names', () => {
    const hostile = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`${n}${'x'.repeat(1000)}`, 1]),
    );
    const errors = fieldErrors({ ...valid, ...hostile });
    expect(errors).toHaveLength(100);
    expect(JSON.stringify(errors).length).toBeLessThan(60_000);
  });

  test('[W5] compileArgumentCheck refuses ten megabytes of text without reading them to the end', () => {
    expect(fieldErrors({ ...valid, text: 'é'.repeat(5_000_000) })).toEqual([
      { field: 'text', message: 'must have at most 5 characters' },
    ]);
  });
});
