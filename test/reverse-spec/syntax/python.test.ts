import { afterAll, expect, it } from 'vitest';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';
import { outlineText } from './outline-text.ts';

const outliner = createOutliner();
afterAll(() => outliner.close());

it('an outliner returns Python overloads as one function, with one signature per line', async () => {
  const source =
    '@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str, b=2) -> str: ...\ndef f(a, b=2):\n    return a\n';
  const outline = await outliner.outline(source, { language: 'python' });
  expect(outlineText(outline)).toEqual([
    '+ function f 1-6: @overload ⏎ def f(a: int) -> int ⏎ @overload ⏎ def f(a: str, b=2) -> str ⏎ def f(a, b=2)',
  ]);
});

it('an outliner returns the names in `__all__` as exports, including re-exports', async () => {
  const source = "from .a import b, c\n__all__ = ['b', 'f']\ndef f(): ...\ndef g(): ...\n";
  const outline = await outliner.outline(source, { language: 'python' });
  expect(outlineText(outline)).toEqual([
    '+ re-export b from .a 1-1: from .a import b',
    "- variable __all__ 2-2: __all__ = ['b', 'f']",
    '+ function f 3-3: def f()',
    '- function g 4-4: def g()',
  ]);
});
