import { afterAll, expect, it } from 'vitest';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';
import { outlineText } from './outline-text.ts';

const outliner = createOutliner();
afterAll(() => outliner.close());

it('an outliner marks declarations that an export list names, with the exported names', async () => {
  const source =
    'const a: number = 1;\nfunction f<T>(x: T, y = 2): T { return x; }\nexport { a as b, f };\nexport default f;\n';
  const outline = await outliner.outline(source, { language: 'typescript' });
  expect(outlineText(outline)).toEqual([
    '+ constant a as b 1-1: const a: number = 1',
    '+ function f as f, default 2-2: function f<T>(x: T, y = 2): T',
  ]);
});

it('an outliner finds the exports of CommonJS', async () => {
  const source =
    "const x = require('x');\nfunction f(a) {}\nmodule.exports = { f, g: x.g, h(b) { return b; } };\nexports.k = (c) => c;\n";
  const outline = await outliner.outline(source, { path: 'a.cjs' });
  expect(outlineText(outline)).toEqual([
    '+ function f 2-2: function f(a)',
    '+ property g 3-3: g: x.g',
    '+ method h 3-3: h(b)',
    '+ function k 4-4: exports.k = (c) =>',
  ]);
  expect(outline.imports.map(({ module, names }) => ({ module, names }))).toEqual([
    { module: 'x', names: ['x'] },
  ]);
});

it('an outliner returns the readable part of source with syntax errors, with the lines of the errors', async () => {
  const outline = await outliner.outline(
    'export function f(a: string {\n  return a;\n}\nexport class B { m(): void {} }\n',
    {
      path: 'a.ts',
    },
  );
  expect(outline.declarations.map(({ name }) => name)).toEqual(expect.arrayContaining(['f', 'B']));
  expect(outline.problems[0]).toMatchObject({ line: 1 });
});
