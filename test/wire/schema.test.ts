import fc from 'fast-check';
import { Type as TypeBox } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { Type } from '../../src/wire/schema.ts';
import { compileArgumentCheck } from '../../src/wire/schema-check.ts';

type Builders = typeof Type;

/** One schema that uses every builder, written with ours and with TypeBox's own. */
function everything(T: Builders) {
  return T.Object(
    {
      text: T.String({ minLength: 1, maxLength: 5, description: 'Some text.' }),
      kind: T.Enum(['code', 'logs']),
      mode: T.Optional(T.Union([T.Literal('fast'), T.Literal('slow')])),
      either: T.Optional(T.Union([T.String(), T.Array(T.String())])),
      ratio: T.Optional(T.Number({ minimum: 0, maximum: 1 })),
      above: T.Optional(T.Number({ exclusiveMinimum: 0, exclusiveMaximum: 10 })),
      count: T.Optional(T.Integer({ minimum: 0, default: 3 })),
      flag: T.Optional(T.Boolean()),
      nothing: T.Optional(T.Null()),
      anything: T.Optional(T.Unknown()),
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
const check = compileArgumentCheck(schema);
const fieldErrors = (args: unknown) => check(args);
const valid = { text: 'abc', kind: 'code' };

describe('schemas', () => {
  test('[W2] our builders write the JSON Schema that TypeBox writes', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(
      JSON.parse(JSON.stringify(everything(TypeBox as unknown as Builders))),
    );
  });

  test('[W2] the check accepts exactly what TypeBox accepts', () => {
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
    const names = [
      'text',
      'kind',
      'mode',
      'either',
      'ratio',
      'above',
      'count',
      'flag',
      'nothing',
      'anything',
      'name',
      'question',
      'ranges',
    ];
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

  test('[W2] a keyword the check does not know stops the start instead of being ignored', () => {
    expect(() => compileArgumentCheck(Type.Object({ when: Type.String({ format: 'date' }) }))).toThrow(
      /format/,
    );
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
      'a value of no listed type',
      { ...valid, either: 3 },
      { field: 'either', message: 'must be string or array' },
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
  ])('[W3] %s gives exactly one entry', (_, args, expected) => {
    expect(fieldErrors(args)).toEqual([expected]);
  });

  test('[W3] an unknown field is named beside the known ones', () => {
    expect(fieldErrors({ ...valid, colour: 1 })).toEqual([
      { field: 'colour', message: expect.stringMatching(/^unknown field; known fields: text, kind, /) },
    ]);
  });

  test('[W3] every wrong field has its own entry', () => {
    const fields = fieldErrors({ kind: 'x', ratio: 2, colour: 1, ranges: [{ start: 'a', end: 2 }] }).map(
      ({ field }) => field,
    );
    expect(fields.sort()).toEqual(['colour', 'kind', 'ranges[0].end', 'ranges[0].start', 'ratio', 'text']);
  });

  test('[W3] `__proto__` is an unknown field like any other', () => {
    const args = JSON.parse('{"text":"a","kind":"code","__proto__":{"ratio":7}}');
    expect(fieldErrors(args)).toEqual([
      { field: '__proto__', message: expect.stringContaining('unknown field') },
    ]);
  });

  test('[W3] a character outside the basic plane counts as one', () => {
    expect(fieldErrors({ ...valid, text: '𝒳𝒳𝒳𝒳𝒳' })).toEqual([]);
    expect(fieldErrors({ ...valid, text: '𝒳𝒳𝒳𝒳𝒳𝒳' })).toHaveLength(1);
  });

  test('[W5] ten thousand unknown fields with long names do not make a long answer', () => {
    const hostile = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`${n}${'x'.repeat(1000)}`, 1]),
    );
    const errors = fieldErrors({ ...valid, ...hostile });
    expect(errors).toHaveLength(100);
    expect(JSON.stringify(errors).length).toBeLessThan(60_000);
  });

  test('[W5] ten megabytes of text are checked against a limit without being walked', () => {
    expect(fieldErrors({ ...valid, text: 'é'.repeat(5_000_000) })).toEqual([
      { field: 'text', message: 'must have at most 5 characters' },
    ]);
  });
});
