import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyObservationMasking, maskMarker } from '../../../packages/secateur/src/masking/mask.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;
const limits = { maxChars: 4000, headChars: 2000, tailChars: 2000 };
const tight = { maxChars: 40, headChars: 20, tailChars: 20 };

describe('applyObservationMasking', () => {
  it('[G10] applyObservationMasking keeps the first and the last 2,000 characters, with the marker between them', () => {
    const text = 'h'.repeat(5000) + 't'.repeat(5000);
    expect(applyObservationMasking(text)).toBe(
      `${'h'.repeat(2000)}\n... [KIMI_PROXY_OBSERVATION_MASKED original_chars=10000 head=2000 tail=2000] ...\n${'t'.repeat(2000)}`,
    );
  });

  it('[G10] applyObservationMasking masks strings inside lists and objects and does not change its input', () => {
    const payload = { list: ['short', { deep: 'x'.repeat(9000) }], other: { kept: true } };
    const before = structuredClone(payload);
    const masked = applyObservationMasking(payload);
    expect(masked.list[1]).toEqual({ deep: applyObservationMasking('x'.repeat(9000)) });
    expect(masked.other).toBe(payload.other);
    expect(payload).toEqual(before);
  });

  it('[G10] applyObservationMasking returns a string of exactly max_chars characters and unchanged values as the same objects', () => {
    const payload = { a: 'x'.repeat(4000), b: [1, null, 'y'] };
    expect(applyObservationMasking(payload, limits)).toBe(payload);
  });

  it('[G10] applyObservationMasking masks the value of a key named __proto__ and changes nothing else', () => {
    const payload = JSON.parse(`{"__proto__": "${'x'.repeat(9000)}", "a": 1}`) as Record<string, unknown>;
    const masked = applyObservationMasking(payload);
    expect(Object.keys(masked)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(masked)).toBe(Object.prototype);
  });

  it('[G10] applyObservationMasking masks a string nested in 100,000 lists and objects, and returns unchanged values there as the same objects', () => {
    const deep = (text: string): unknown => {
      let value: unknown = [text, { __proto__: null, other: 'kept' }];
      for (let depth = 0; depth < 100_000; depth += 1) value = depth % 2 === 0 ? [value] : { value };
      return value;
    };
    const bottom = (value: unknown): unknown => {
      let at = value;
      while (Array.isArray(at) ? at.length === 1 : true) at = Object.values(at as object)[0];
      return at;
    };
    const short = deep('short');
    expect(applyObservationMasking(short)).toBe(short);
    const long = deep('x'.repeat(9000));
    const masked = applyObservationMasking(long);
    expect(bottom(masked)).toEqual([applyObservationMasking('x'.repeat(9000)), { other: 'kept' }]);
    expect(bottom(long)).toEqual(['x'.repeat(9000), { other: 'kept' }]);
  });

  it('[G10] applyObservationMasking adds no inherited member to an object', () => {
    const payload = Object.create({ inherited: 'x'.repeat(9000) }) as Record<string, unknown>;
    payload.own = 'short';
    expect(applyObservationMasking(payload)).toBe(payload);
  });

  it('[G11] applyObservationMasking returns a string unchanged if masking would not shorten it', () => {
    const text = 'x'.repeat(4050);
    expect(applyObservationMasking(text, limits)).toBe(text);
  });

  it('[G11] applyObservationMasking never splits a surrogate pair', () => {
    const text = `x${'😀'.repeat(5000)}`;
    const masked = applyObservationMasking(text, limits);
    expect(masked).toContain('head=1999 tail=2000');
    expect(masked).not.toMatch(LONE_SURROGATE);
    const atEnd = applyObservationMasking(`${'😀'.repeat(5000)}x`, limits);
    expect(atEnd).toContain('head=2000 tail=1999');
    expect(atEnd).not.toMatch(LONE_SURROGATE);
  });

  it('[G10] [G11] applyObservationMasking masks strings longer than max_chars if that makes them shorter', () => {
    const long = { ...tight, maxChars: 150 };
    const [whole, cut] = ['x'.repeat(150), 'x'.repeat(151)];
    expect(applyObservationMasking([whole, cut], long)).toEqual([
      whole,
      `${'x'.repeat(20)}${maskMarker({ original: 151, head: 20, tail: 20 })}${'x'.repeat(20)}`,
    ]);
    const size = 40 + maskMarker({ original: 100, head: 20, tail: 20 }).length;
    expect(applyObservationMasking('x'.repeat(size), tight)).toBe('x'.repeat(size));
    expect(applyObservationMasking('x'.repeat(size + 1), tight)).toHaveLength(size);
  });

  it('[G11] applyObservationMasking does not mask a text again that it has already masked', () => {
    const once = applyObservationMasking('x'.repeat(1_000_000), tight);
    expect(applyObservationMasking(once, tight)).toBe(once);
  });

  it.each([
    ['is at another position', maskMarker({ original: 100_000, head: 19, tail: 20 })],
    ['ends elsewhere', maskMarker({ original: 100_000, head: 20, tail: 21 })],
    ['hides nothing', maskMarker({ original: 0, head: 20, tail: 20 }).replace('=0', '=000000122')],
  ])('[G11] applyObservationMasking masks a text that contains a marker which %s', (_, marker) => {
    const text = `${'x'.repeat(20)}${marker}${'y'.repeat(20)}`;
    expect(applyObservationMasking(text, tight)).not.toBe(text);
  });

  it('[G11] applyObservationMasking masks no string if max_chars is zero or negative', () => {
    const text = 'x'.repeat(100_000);
    expect(applyObservationMasking(text, { ...limits, maxChars: 0 })).toBe(text);
    expect(applyObservationMasking(text, { ...limits, maxChars: -1 })).toBe(text);
  });
});

describe('applyObservationMasking of any JSON value', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, text, fc.jsonValue(), tie('list'), tie('members')),
    list: fc.array(tie('value'), { maxLength: 5 }),
    members: fc.dictionary(fc.string({ maxLength: 8 }), tie('value'), { maxKeys: 5 }),
  })).value;
  const sizes = fc.record({
    maxChars: fc.integer({ min: -1, max: 60 }),
    headChars: fc.integer({ min: 0, max: 40 }),
    tailChars: fc.integer({ min: 0, max: 40 }),
  });

  it('[G10] applyObservationMasking keeps the structure of any JSON value and lengthens no string', () => {
    fc.assert(
      fc.property(json, sizes, (value, chosen) => {
        assertShape(value, applyObservationMasking(value, chosen));
      }),
    );
  });

  it('[G11] applyObservationMasking does not change its own result', () => {
    fc.assert(
      fc.property(json, sizes, (value, chosen) => {
        const once = applyObservationMasking(value, chosen);
        expect(applyObservationMasking(once, chosen)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it('[G11] applyObservationMasking keeps well-formed strings well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 100, maxLength: 300 }), sizes, (value, chosen) => {
        fc.pre(!LONE_SURROGATE.test(value));
        expect(applyObservationMasking(value, chosen)).not.toMatch(LONE_SURROGATE);
      }),
    );
  });

  it('[G10] applyObservationMasking returns a value that needs no masking as the same object', () => {
    fc.assert(
      fc.property(json, (value) => {
        const payload = { untouched: value, long: 'x'.repeat(400) };
        const masked = applyObservationMasking(payload, { ...tight, maxChars: 350 });
        expect(masked.untouched).toBe(payload.untouched);
        expect(masked.long).not.toBe(payload.long);
      }),
    );
  });
});

function assertShape(before: unknown, after: unknown): void {
  if (typeof before === 'string') {
    expect(typeof after).toBe('string');
    expect((after as string).length).toBeLessThanOrEqual(before.length);
    return;
  }
  if (typeof before !== 'object' || before === null) {
    expect(after).toBe(before);
    return;
  }
  expect(Array.isArray(after)).toBe(Array.isArray(before));
  expect(Object.keys(after as object)).toEqual(Object.keys(before));
  for (const key of Object.keys(before)) {
    assertShape((before as Record<string, unknown>)[key], (after as Record<string, unknown>)[key]);
  }
}
