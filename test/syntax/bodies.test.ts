import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWasm, wasmModules } from '../../scripts/build-wasm.ts';
import { BodyFinder } from '../../src/syntax/languages/typescript/bodies/body-finder.ts';
import { hollowOut } from '../../src/syntax/languages/typescript/bodies.ts';
import { loadParser, loadWhole } from '../../src/syntax/languages/typescript/compiler.ts';
import { createTsReader, type TsDialect } from '../../src/syntax/languages/typescript/read.ts';

const parser = loadParser();
const finder = BodyFinder.open();
const readShort = createTsReader(parser ?? loadWhole());
const readWhole = createTsReader(loadWhole(), { wholeTrees: true });

/** Long enough that skipping bodies is tried. */
const PADDING = `\n// ${'-'.repeat(600)}\n`;
/** Code that has every reason to be misread: braces in strings, templates, regular expressions and comments. */
const BODY = [
  'const open = "{"; // } and {',
  'const text = `}${[1, 2].map((n) => `{${n}}`).join("}")}{`;',
  'const pattern = /[/}{\'"`]+\\/}/g, half = open.length / 2 / 1;',
  'if (half > 1) /}/.test(text); else { ({ text, half })?.text!.trim(); }',
  'for (const [key, value = {}] of Object.entries({ a: { b: 1 } })) switch (key) { case "}": { break; } default: void value; }',
  'do { var late = <unknown>(new Map<string, Array<number>>()) as never; } while (late);',
  'label: for (;;) { if (pattern.test(open)) continue label; else break; }',
  'return async <T,>(x: T): Promise<{ x: T }> => { await null; return { x }; };',
].join('\n  ');

function bothWays(source: string, dialect: TsDialect = 'ts') {
  const request = { text: source + PADDING, dialect, isDeclarationFile: false };
  return { short: readShort(request), whole: readWhole(request) };
}

function bodiesOf(text: string, dialect: TsDialect = 'ts') {
  return (finder && hollowOut(text, finder, { mayHoldJsx: dialect !== 'ts' })?.bodies) ?? [];
}

function hollowed(source: string, dialect: TsDialect = 'ts'): number {
  return bodiesOf(source + PADDING, dialect).length;
}

const declarations: readonly [what: string, source: string, bodies: number][] = [
  ['a function', 'export function f(a = { b: "}" }): void { BODY }', 1],
  ['a return type of an object type', 'export function f(): { a: string; b: () => { c: 1 } } { BODY }', 1],
  ['a return type with commas', 'export function f(): Map<string, Array<[a: 1, b: 2]>> { BODY }', 1],
  ['a type predicate', 'export function f(x: unknown): x is { a: string } { BODY }', 1],
  ['an assertion', 'export function f(x: unknown): asserts x is string { BODY }', 1],
  ['a returned function type', 'export function f(): () => { a: string } { BODY }', 1],
  ['an arrow function', 'export const f = async (a: () => { b: 1 }): Promise<void> => { BODY };', 1],
  ['an arrow in a default', 'export function f(a = () => { BODY }): void { BODY }', 2],
  [
    'methods and accessors',
    'export class A { get x(): number { BODY } set x(v) { BODY } static async *g() { BODY } }',
    3,
  ],
  [
    'a mixin',
    'export class A extends mixin(B, { c: 1 }) { constructor() { super(); BODY } m = () => { BODY } }',
    2,
  ],
  [
    'a class with type arguments',
    'export class A<T extends { a: 1 }> extends B<{ c: T }> implements C { m() { BODY } }',
    1,
  ],
  // The block is no function and is parsed; the arrow function inside it is skipped.
  ['a static block', 'export class A { static { BODY } m() { BODY } }', 2],
  ['a decorated class', '@d({ a: () => { BODY } }) export class A { @e() m(@f() x: 1) { BODY } }', 2],
  ['a function type', 'export type F = () => { a: string; b(): void };\nexport function g() { BODY }', 1],
  // Taken for a body at first; the parser says that it is none.
  [
    'a method type first',
    'export type F = () => { b(): void; a: string; c: number; d: boolean };\nexport function g() { BODY }',
    2,
  ],
  [
    'an object of functions',
    'export const o = { a() { BODY }, b: function () { BODY }, c: () => { BODY }, ["d"]() { BODY } };',
    4,
  ],
  [
    'statements',
    'if (a) { b(); } else { c(() => { BODY }); }\nfor (const x of y) { z(); }\nexport const q = 1;',
    1,
  ],
  ['a namespace', 'export namespace N { export function f() { BODY } export class A { m() { BODY } } }', 2],
  ['an ended ternary', 'const a = b ? f(c) : d\n\nclass A { m() { BODY } }\nexport { A }', 1],
  [
    'overloads',
    'export function f(a: 1): 1;\nexport function f(a: 2): 2;\nexport function f(a: any) { BODY }',
    1,
  ],
  [
    'methods named like statements',
    'export class A { if() { BODY } catch(e: 1) { BODY } delete() { BODY } get() { BODY } }',
    4,
  ],
  ['a short value', 'export const a = b(() => { return "a body of forty characters or more" }), c = 2;', 1],
  ['a function called at once', '(function () { BODY })(); export default (() => { BODY })();', 2],
];

it('runs the scanner that its source compiles to', async () => {
  const { bodies } = wasmModules;
  expect(Buffer.compare(readFileSync(bodies.compiled), await compileWasm(bodies))).toBe(0);
});

it('[S9] the parser of the installed compiler runs without the rest of it', () => {
  expect(parser).toBeDefined();
});

describe('function bodies are not parsed, and nobody can tell', () => {
  it.each(declarations)('[S9] %s', (_what, pattern, bodies) => {
    const source = pattern.replaceAll('BODY', () => BODY);
    const { short, whole } = bothWays(source);
    expect(whole.problems).toEqual([]);
    expect(short).toEqual(whole);
    expect(hollowed(source)).toBe(bodies);
  });

  it('[S9] is all the same for anything made of these', () => {
    const piece = fc.constantFrom(...declarations.map(([, pattern]) => pattern));
    const body = fc.constantFrom(
      BODY,
      '',
      ...BODY.split('\n').slice(0, 3),
      `return { a: 1, b() { ${BODY} } };`,
    );
    const pieces = fc.array(fc.tuple(piece, body), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pieces, fc.constantFrom('\n', ';\n'), (chosen, between) => {
        const source = chosen.map(([text, inside]) => text.replaceAll('BODY', () => inside)).join(between);
        const { short, whole } = bothWays(source);
        expect(short.declarations).toEqual(whole.declarations);
        expect(short.imports).toEqual(whole.imports);
        expect(short.problems).toEqual(whole.problems);
      }),
      { numRuns: 300 },
    );
  });

  it('[S9] of our own sources, and most of their text is skipped', () => {
    const folder = new URL('../../src', import.meta.url);
    let all = 0;
    let skipped = 0;
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts')) continue;
      const text = readFileSync(new URL(path, folder), 'utf8');
      const request = { text, dialect: 'ts' as const, isDeclarationFile: false };
      expect(readShort(request), path).toEqual(readWhole(request));
      all += text.length;
      for (const { start, end } of bodiesOf(text)) skipped += end - start;
    }
    expect(skipped / all).toBeGreaterThan(0.4);
  });

  it('[S9] of texts of every size and of letters of every script, one after the other', () => {
    const one = `export function f(größe = "日本 }") { ${BODY} }\n`;
    for (const times of [1, 3_000, 2]) {
      const text = one.repeat(times) + PADDING;
      const found = bodiesOf(text).map(({ start, end }) => text.slice(start, end + 1));
      expect(found).toEqual(Array(times).fill(`{ ${BODY} }`));
    }
  });

  it('[S9] brackets without end are parsed whole, and so are line ends nobody writes', () => {
    expect(bodiesOf(`const a = ${'['.repeat(70_000)}${']'.repeat(70_000)};`)).toEqual([]);
    expect(hollowed(`export function f() { ${BODY} }`)).toBe(1);
    for (const rare of ['\r', '\u2028', '\u2029'])
      expect(hollowed(`export function f() { ${BODY} }${rare} `)).toBe(0);
    expect(hollowed(`export function f() { ${BODY} }\r\n`)).toBe(1);
  });

  it('[S9] JSX, whose text is no code, is parsed whole', () => {
    const source = `export function A() { return <b title="}">don't {x => { y }} do}</b>; }\nexport const c = 1;`;
    expect(hollowed(source, 'tsx')).toBe(0);
    const { short, whole } = bothWays(source, 'tsx');
    expect(short).toEqual(whole);
  });

  it('[S9] import.meta inside a function makes a module of a file', () => {
    const { short, whole } = bothWays(`function f() { ${BODY}; return import.meta.url; }\nconst a = 1;`);
    expect(short).toEqual(whole);
    expect(short.declarations.every(({ exported }) => !exported)).toBe(true);
  });
});

const broken = [
  'const a = ;',
  'if (a { b(); }',
  'foo bar;',
  'a.;',
  'call(1, , 2);',
  'const = 1;',
  '<<<<<<< HEAD',
  'return return 1;',
  "const s = 'open;",
  'const t = `open;',
  'const r = /(;',
  'const n = 01;',
  "const e = '\\u12';",
  'const o = { a: 1 b: 2 };',
  'const o = { a: 1\n b: 2 };',
  'x = (1; 2);',
  'y = [1 2];',
  'z = a ?? ;',
  'z = a && || b;',
  'text.(1);',
  'for (const a of b',
  '}',
  '{',
  '(]',
];

describe('code that is broken inside a body says so', () => {
  it.each(broken)('[S9] %s', (code) => {
    const { short, whole } = bothWays(
      `export function f() {\n  ${BODY}\n  ${code}\n}\nexport const after = 1;\n`,
    );
    expect(whole.problems.length).toBeGreaterThan(0);
    expect(short).toEqual(whole);
  });
});
