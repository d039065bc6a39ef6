import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWasm, wasmModules } from '../../scripts/build-wasm.ts';
import { JsonScanner } from '../../src/text/json-scan.ts';
import { skipValue } from '../../src/text/json-spans.ts';

const scanner = new JsonScanner();

it('runs the module that its source compiles to', async () => {
  const { jsonScan } = wasmModules;
  expect(Buffer.compare(readFileSync(jsonScan.compiled), await compileWasm(jsonScan))).toBe(0);
});

describe('what a scan proves', () => {
  it.each([
    ['{}', {}],
    [' \t\r\n{ "result" : null }\n', { hasResult: true }],
    ['{"error":{"result":1,"method":2,"id":3}}', { hasError: true }],
    ['{"method":"x","id":"a"}', { hasMethod: true, idStart: 19, idEnd: 22 }],
    ['{"results":1,"resul":1,"errors":1,"Method":1,"di":1}', {}],
    ['{"a":"é"}', { isAscii: false }],
    ['{"id":1,"id": [2] ,"b":0}', { idStart: 14, idEnd: 17 }],
  ])('%s', (text, expected) => {
    expect(scanner.scan(Buffer.from(text))).toEqual({
      ...{ hasResult: false, hasError: false, hasMethod: false, hasLongString: false },
      ...{ isAscii: true, idStart: 0, idEnd: 0, longValueEnds: new Map() },
      ...expected,
    });
  });

  it.each([
    ...[
      '',
      ' ',
      '[]',
      '1',
      '"a"',
      'null',
      '<html>',
      '{',
      '{}}',
      '{} {}',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{,}',
    ],
    ...[
      '{"a":01}',
      '{"a":1.}',
      '{"a":.5}',
      '{"a":+1}',
      '{"a":1e}',
      '{"a":-}',
      '{"a":tru}',
      '{"a":nul',
      "{'a':1}",
    ],
    ...[
      '{"a":"\n"}',
      '{"a":"\\x"}',
      '{"a":"\\u12g4"}',
      '{"a":"\\u12"}',
      '{"a":"',
      '{"a":"\\"}',
      '{"a":[1,]}',
      '{"a":[1}',
    ],
    ...['\uFEFF{}', '{}\0', '{"a":\u00a01}', '{"a":1}x', '{"a":NaN}', '{"a":1/**/}', '{a:1}'],
  ])('nothing of %j', (text) => {
    expect(scanner.scan(Buffer.from(text))).toBeUndefined();
  });

  it('nothing of bytes that are no UTF-8', () => {
    expect(scanner.scan(Buffer.from('{"a":"\xe9"}', 'latin1'))).toBeUndefined();
    expect(
      scanner.scan(Buffer.from([...Buffer.from('{"a":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d])),
    ).toBeUndefined();
  });

  it('nothing of an object with an escape in a name that matters', () => {
    expect(scanner.scan(Buffer.from('{"m\\u0065thod":1,"result":1}'))).toBeUndefined();
    expect(scanner.scan(Buffer.from('{"result":{"m\\u0065thod":1}}'))).toMatchObject({ hasMethod: false });
  });

  it('a hundred thousand levels, and no claim about a million', () => {
    const nested = (depth: number) => Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(scanner.scan(nested(100_000))).toBeDefined();
    expect(scanner.scan(nested(1_000_000))).toBeUndefined();
  });

  it('the same of texts that need more memory, and of small ones after them', () => {
    for (const size of [10, 300_000, 5_000_000, 10]) {
      const text = Buffer.from(JSON.stringify({ id: 12, result: 'x'.repeat(size) }));
      expect(scanner.scan(text, size)).toMatchObject({
        hasResult: true,
        hasLongString: false,
        idStart: 6,
        idEnd: 8,
      });
      expect(scanner.scan(text, size - 1)).toMatchObject({ hasLongString: true });
      expect(scanner.scan(text.subarray(0, -1))).toBeUndefined();
    }
  });

  it('nothing, where WebAssembly is missing', () => {
    const without = new JsonScanner(() => undefined);
    expect(without.scan(Buffer.from('{}'))).toBeUndefined();
  });
});

describe('beside JSON.parse', () => {
  const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 });
  const object = fc.dictionary(
    fc.oneof(fc.constantFrom('id', 'result', 'error', 'method', '__proto__'), fc.string({ unit: 'binary' })),
    json,
  );
  const text = fc
    .tuple(object, fc.constantFrom('', ' ', '\t', '\n  '))
    .map(([value, blank]) => `${blank}${JSON.stringify(value, null, blank)}${blank}`);

  it('proves every object, and finds in it what is there', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (written, limit) => {
        fc.pre(!hasEscapedName(written));
        const bytes = Buffer.from(written);
        const message = JSON.parse(written) as Record<string, unknown>;
        const facts = scanner.scan(bytes, limit);
        expect(facts).toMatchObject({
          hasResult: Object.hasOwn(message, 'result'),
          hasError: Object.hasOwn(message, 'error'),
          hasMethod: Object.hasOwn(message, 'method'),
          isAscii: bytes.length === written.length,
        });
        const id = bytes.toString('utf8', facts?.idStart, facts?.idEnd);
        if (Object.hasOwn(message, 'id')) expect(JSON.parse(id)).toEqual(message.id);
        if (longestString(message) > limit) expect(facts?.hasLongString).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('proves nothing that JSON.parse refuses, whatever byte goes wrong', () => {
    const wrong = fc.record({
      at: fc.nat(),
      remove: fc.integer({ min: 0, max: 3 }),
      put: fc.oneof(
        fc.constantFrom(
          '',
          '"',
          '\\',
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '0',
          '-',
          '.',
          'e',
          't',
          ' ',
          '\0',
          '\x1f',
          'é',
        ),
        fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
      ),
    });
    fc.assert(
      fc.property(text, wrong, (written, { at, remove, put }) => {
        const bytes = Buffer.from(written);
        const start = at % (bytes.length + 1);
        const changed = Buffer.concat([
          bytes.subarray(0, start),
          Buffer.from(put),
          bytes.subarray(start + remove),
        ]);
        expectAgreement(changed);
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees about escapes, quotes and control characters wherever they fall', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'abcdefghijklmnop',
        '\\\\',
        '\\"',
        '\\n',
        '\\u00e9',
        '\\/',
        '\\t',
        'é',
        '😀',
        ' ',
        'x'.repeat(61),
      ],
    );
    const rare = fc.constantFrom('\\', '"', '\\u12G4', '\\x', '\n', '\x1f', '\\u123');
    const inside = fc
      .tuple(fc.array(piece, { maxLength: 60 }), fc.option(rare), fc.array(piece, { maxLength: 60 }))
      .map(([before, odd, after]) => [...before, odd ?? '', ...after].join(''));
    fc.assert(
      fc.property(inside, (raw) => expectAgreement(Buffer.from(`{"result":"${raw}","id":1}`))),
      { numRuns: 3000 },
    );
  });

  it('refuses every beginning of an answer', () => {
    const whole = Buffer.from(
      JSON.stringify({ id: 1, result: { text: 'a\n"é\\'.repeat(40), list: [1, -2.5e3, true] } }),
    );
    for (let length = 0; length < whole.length; length += 1) {
      expect(scanner.scan(whole.subarray(0, length))).toBeUndefined();
    }
    expect(scanner.scan(whole)).toBeDefined();
  });

  it('tells where long values end, as the plain reader does', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (written, limit) => {
        const bytes = Buffer.from(written);
        const latin1 = bytes.toString('latin1');
        const ends = scanner.scan(bytes, limit)?.longValueEnds ?? new Map<number, number>();
        for (const [start, end] of ends) {
          expect(end).toBe(skipValue(latin1, start));
          expect(end - start - 2).toBeGreaterThan(limit);
        }
      }),
    );
  });
});

describe('texts of several pieces', () => {
  const PIECE = 0x40000;
  const kinds = {
    string: ['\\u4e2d', '\\\\', '\\"', 'plain text, ', 'é', '\\n'],
    list: ['1,', '"a",', '{"k":"v","n":[-1.5e9,null]},', '[],\n'],
  };
  const filling = fc.record({
    unit: fc.constantFrom(...kinds.string, ...kinds.list),
    pieces: fc.integer({ min: 1, max: 3 }),
    odd: fc.nat(200),
  });

  it('are read like small ones, wherever they are cut', () => {
    fc.assert(
      fc.property(filling, (filled) => {
        expect(scanner.scan(textOf(filled), 50)).toMatchObject({ hasResult: true, idStart: 6, idEnd: 7 });
      }),
      { numRuns: 100 },
    );
  });

  it('are not proven when a byte of them is wrong', () => {
    fc.assert(
      fc.property(filling, fc.constantFrom(0x01, 0x22, 0x7d), (filled, byte) => {
        const bytes = textOf(filled);
        expect(scanner.scan(bytes.subarray(0, -1))).toBeUndefined();
        bytes[PIECE - filled.odd] = byte;
        expectAgreement(bytes);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['[', '{"a":', ' ', '123456789'])('are not proven, but not misread either, full of %j', (unit) => {
    for (const odd of [0, 1, 5]) expect(scanner.scan(textOf({ unit, pieces: 2, odd }))).toBeUndefined();
  });

  function textOf({ unit, pieces, odd }: { unit: string; pieces: number; odd: number }): Buffer {
    const middle = unit.repeat(Math.ceil((pieces * PIECE) / unit.length) + odd);
    const inside = kinds.string.includes(unit) ? `"${'x'.repeat(odd)}${middle}"` : `[${middle}0]`;
    return Buffer.from(`{"id":7,"a":${inside},"result":{}}`);
  }
});

function expectAgreement(bytes: Buffer): void {
  const proven = scanner.scan(bytes) !== undefined;
  const written = bytes.toString('utf8');
  const value = isUtf8(bytes) ? parsed(written) : undefined;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (proven) expect(isObject).toBe(true);
  else if (isObject) expect(hasEscapedName(written)).toBe(true);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** At any level: more than the scanner minds, which is close enough to leave such texts out. */
function hasEscapedName(text: string): boolean {
  return /"(?:[^"\\]|\\.)*\\.(?:[^"\\]|\\.)*"\s*:/s.test(text);
}

function longestString(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(longestString));
}
