import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { Parser } from 'web-tree-sitter';
import { detectLanguage } from '../../../packages/base/src/languages/languages.ts';
import { structuralLines } from '../../../packages/base/src/languages/structure.ts';
import { splitLines } from '../../../packages/base/src/text/lines.ts';
import type { Declaration, Outline } from '../../../packages/reverse-spec/src/syntax/outline.ts';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';
import { parseTree } from '../../../packages/reverse-spec/src/syntax/tree/parsers.ts';

const outliner = createOutliner();
afterAll(() => outliner.close());

const folder = new URL('../../fixtures/syntax/', import.meta.url);
const fixtures = readdirSync(folder).filter((file) => !file.endsWith('.outline'));

function load(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

function everything(declarations: readonly Declaration[]): Declaration[] {
  return declarations.flatMap((each) => [each, ...everything(each.members)]);
}

function expectSound(outline: Outline, source: string): void {
  const count = Math.max(splitLines(source).length, 1);
  const ranges = [...outline.imports, ...everything(outline.declarations)];
  for (const { startLine, endLine } of ranges) {
    expect(startLine).toBeGreaterThanOrEqual(1);
    expect(endLine).toBeGreaterThanOrEqual(startLine);
    expect(endLine).toBeLessThanOrEqual(count);
  }
  for (const { line } of outline.problems) expect(line).toBeLessThanOrEqual(count);
}

/** Removes some ranges of a text, as cuts and wrong edits do. */
function damaged(source: string): fc.Arbitrary<string> {
  const cut = fc.tuple(fc.nat(source.length), fc.nat(200));
  return fc
    .array(cut, { minLength: 1, maxLength: 4 })
    .map((cuts) => cuts.reduce((text, [at, length]) => text.slice(0, at) + text.slice(at + length), source));
}

it.each(fixtures)(
  '[SY4] an outliner reads %s with any damage, and returns line numbers inside the file',
  async (file) => {
    await fc.assert(
      fc.asyncProperty(damaged(load(file)), async (text) => {
        expectSound(await outliner.outline(text, { path: file }), text);
      }),
      { numRuns: 12 },
    );
  },
);

it.each(fixtures)('[SY4] an outliner reads any range of lines of %s without an error', async (file) => {
  const lines = splitLines(load(file));
  const bound = fc.nat(lines.length);
  await fc.assert(
    fc.asyncProperty(bound, bound, async (from, to) => {
      const text = lines.slice(Math.min(from, to), Math.max(from, to)).join('\n');
      expectSound(await outliner.outline(text, { path: file }), text);
    }),
    { numRuns: 12 },
  );
});

it('[SY4] an outliner reads any text as any language without an error', async () => {
  const language = fc.constantFrom(...fixtures.flatMap((file) => detectLanguage({ path: file }) ?? []));
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), language, async (text, id) => {
      expectSound(await outliner.outline(text, { language: id }), text);
      for (const { line } of structuralLines(splitLines(text), id)) expect(line).toBeGreaterThan(0);
    }),
    { numRuns: 40 },
  );
});

it('[SY4] an outliner adds entries by line patterns where the parser failed, and marks them as guesses', async () => {
  const source = 'class A {\n  run(): void {\n    if (x {\n  }\n  stop(code: number) {\n    return ((;\n';
  const outline = await outliner.outline(source, { language: 'java' });
  expect(outline.problems.length).toBeGreaterThan(0);
  expect(everything(outline.declarations).map(({ name }) => name)).toContain('A');
});

it('[SY4] an outliner assigns methods to their class even if the first line of the class is incomplete', async () => {
  const source =
    'class A(B:\n    def f(self):\n        return 1\n\n    def g(self, x):\n        return x\n\ndef h(): ...\n';
  const { declarations } = await outliner.outline(source, { language: 'python' });
  expect(declarations.map(({ name }) => name)).toEqual(['A', 'h']);
  expect(declarations[0]?.members.map(({ name }) => name)).toEqual(expect.arrayContaining(['f', 'g']));
});

it.each(['service.ts', 'catalog.py', 'matrix.hpp'])(
  '[SY5] an outliner uses line patterns if the worker thread that parsed %s did not respond',
  async (file) => {
    const outline = await outliner.outline(load(file), { path: file, byPatterns: 'late' });
    expect(outline.parser).toBe('patterns');
    expect(outline.declarations.length).toBeGreaterThan(3);
    expect(outline.problems).toEqual([{ line: 1, message: expect.stringContaining('no answer') }]);
  },
);

it('[SY5] an outliner stops parsing a text that takes too many steps, and parses the next file completely', async () => {
  const branches = Array.from({ length: 3_000 }, (_, at) => `if(x===${at}){throw new Error("e${at}")}`);
  const long = `export function g(x){ ${branches.join(' else ')} }\n`;
  expect(await outliner.outline(long, { language: 'python' })).toMatchObject({
    parser: 'patterns',
    problems: [{ line: 1, message: expect.stringContaining('too much for the parser') }],
  });
  const next = await outliner.outline('def g(): ...\n', { language: 'python' });
  expect(next).toMatchObject({ parser: 'tree-sitter', problems: [], declarations: [{ name: 'g' }] });
});

it('[SY5] `parseTree` stops a parser that never ends after a number of steps, without using a clock', () => {
  const endless = {
    parse: (_text: string, _old: null, { progressCallback }: { progressCallback(): boolean }) => {
      while (!progressCallback());
      return null;
    },
    reset: () => {},
  };
  expect(parseTree(endless as unknown as Parser, 'int f();\n')).toBeUndefined();
});

it('[SY6] an outliner reports an unknown language instead of guessing', async () => {
  expect(await outliner.outline('Dear all,\n\nsee you on Monday.\n', { path: 'letter.txt' })).toMatchObject({
    language: 'unknown',
    parser: 'none',
    declarations: [],
    problems: [{ line: 1 }],
  });
});

const DEPTH = 5_000;
const nested: Readonly<Record<string, string>> = {
  'a.ts': `export const n = ${'('.repeat(DEPTH)}1${')'.repeat(DEPTH)};\nexport function after(): void {}\n`,
  'a.tsx': `export const e = ${'<a>'.repeat(DEPTH)}${'</a>'.repeat(DEPTH)}\nexport function after(): void {}\n`,
  'a.rs': `${'pub mod a { '.repeat(DEPTH)}${'}'.repeat(DEPTH)}\npub fn after() {}\n`,
  'a.cpp': `${'namespace a { '.repeat(DEPTH)}${'}'.repeat(DEPTH)}\nint after();\n`,
  'A.java': `${'class A { '.repeat(DEPTH)}${'}'.repeat(DEPTH)}\nclass after {}\n`,
};

it.each(Object.keys(nested))(
  '[SY4] an outliner finds facts by line patterns if %s is nested more deeply than the stack allows',
  async (file) => {
    const outline = await outliner.outline(nested[file] ?? '', { path: file });
    expect(outline).toMatchObject({ parser: 'patterns', problems: [{ line: 1 }] });
    expect(outline.declarations.map(({ name }) => name)).toContain('after');
  },
);

it('[SY4] an outliner parses the next file normally after a stack overflow', async () => {
  const tooDeep = `${'('.repeat(DEPTH)}1${')'.repeat(DEPTH)}`;
  await outliner.outline(`export const f = (a) + ${tooDeep};\n`, { path: 'a.ts' });
  const next = await outliner.outline('export const f = (a) => a;\n', { path: 'b.ts' });
  expect(next.declarations[0]?.signature).toBe('export const f = (a) =>');
});

it('[SY4] an outliner reports a file that broke the WebAssembly parser, and reads it by line patterns', async () => {
  const mine = createOutliner();
  const good = 'def f():\n    return 1\n';
  expect(await mine.outline(good, { path: 'a.py' })).toMatchObject({ parser: 'tree-sitter' });
  expect(mine.isBroken()).toBe(false);
  const unreadable = await mine.outline(`def g(): pass\n${'/* \n'.repeat(4000)}`, { path: 'b.py' });
  expect(unreadable).toMatchObject({
    parser: 'patterns',
    declarations: [{ name: 'g' }],
    problems: [{ message: 'too much for the parser: read by line patterns' }],
  });
  expect(mine.isBroken()).toBe(true);
  expect(await mine.outline(good, { path: 'c.py' })).toMatchObject({
    parser: 'patterns',
    declarations: [{ name: 'f' }],
  });
  expect(await mine.outline('export const a = 1;\n', { path: 'a.ts' })).toMatchObject({
    parser: 'typescript',
  });
  await mine.close();
}, 30_000);

/** Sources with a missing end, as while a user types. */
const unfinished: Readonly<Record<string, [source: string, seen: string[]]>> = {
  'a.cs': [
    'namespace Shop\n{\n    public class Book\n    {\n        public int Count { get; set; }\n        private int _x;\n',
    ['Shop', 'Book', 'Count'],
  ],
  'a.rb': [
    'module Bank\n  class Ledger < Base\n    def add(entry)\n      @a << entry\n    end\n\n    def sum\n',
    ['Bank', 'Ledger', 'add', 'sum'],
  ],
  'a.kt': [
    'class Cache private constructor(\n  val size: Int,\n) {\n  fun get(key: String): String? {\n    return null\n  }\n  private fun drop() {\n',
    ['Cache', 'get'],
  ],
  'a.hpp': [
    'namespace math {\nclass Matrix final : public Base, private Storage {\n public:\n  void clear();\n',
    ['math', 'Matrix'],
  ],
};

it.each(Object.keys(unfinished))(
  '[SY4] [R11] an outliner finds declarations in unfinished %s',
  async (file) => {
    const [source, seen] = unfinished[file] ?? ['', []];
    const { declarations } = await outliner.outline(source, { path: file });
    const exported = (list: readonly Declaration[]): string[] =>
      list.filter((each) => each.exported).flatMap((each) => [each.name, ...exported(each.members)]);
    expect(exported(declarations)).toEqual(expect.arrayContaining(seen));
    expect(exported(declarations)).not.toContain('drop');
    expect(exported(declarations)).not.toContain('_x');
  },
);
