import { afterAll, expect, it } from 'vitest';
import type { LanguageId } from '../../../packages/base/src/languages/languages.ts';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';
import { outlineText } from './outline-text.ts';

const outliner = createOutliner();
afterAll(() => outliner.close());

async function read(language: LanguageId, ...lines: string[]) {
  const outline = await outliner.outline(lines.join('\n'), { language });
  return {
    text: outlineText(outline),
    problems: outline.problems,
    imports: outline.imports.map(({ module }) => module),
  };
}

it('[SY1] an outliner parses C and C++ in which macros replace keywords', async () => {
  const lines = [
    '#ifdef __cplusplus',
    'extern "C" {',
    '#endif',
    'LIB_API int f(void) LIB_CHECKED;',
    'class LIB_API Window final : public Base {',
    '  Q_OBJECT',
    ' public:',
    '  void show() LIB_CHECKED(1);',
    '};',
    'enum { FIRST_NAME,',
    '  LAST_NAME',
    '};',
    '#ifdef __cplusplus',
    '}',
    '#endif',
  ];
  expect(await read('cpp', ...lines)).toMatchObject({
    problems: [],
    text: [
      '+ function f 4-4: LIB_API int f(void) LIB_CHECKED',
      '+ class Window 5-9: class LIB_API Window final : public Base',
      '  + method show 8-8: void show() LIB_CHECKED(1)',
      '+ enum <anonymous> 10-12: enum { FIRST_NAME, ⏎ LAST_NAME ⏎ }',
      '  + case FIRST_NAME 10-10: FIRST_NAME',
      '  + case LAST_NAME 11-11: LAST_NAME',
    ],
  });
});

it('[SY1] an outliner parses Swift with keywords that its grammar does not know yet', async () => {
  const lines = [
    'struct Cell {',
    '  private nonisolated(unsafe) var value: Int',
    '  func send(_ event: sending @escaping () -> Void) { #expect(event != nil) }',
    '}',
  ];
  expect(await read('swift', ...lines)).toMatchObject({
    problems: [],
    text: [
      '+ struct Cell 1-4: struct Cell',
      '  - property value 2-2: private nonisolated(unsafe) var value: Int',
      '  + method send 3-3: func send(_ event: sending @escaping () -> Void)',
    ],
  });
});

it('[SY1] an outliner reads a Kotlin constructor on a line of its own', async () => {
  const lines = [
    'actual class A',
    'internal actual constructor(',
    '  val x: Int,',
    ') {',
    '  fun f() {}',
    '}',
  ];
  const { text, problems } = await read('kotlin', ...lines);
  expect(problems).toEqual([]);
  expect(text.map((line) => line.trim().split(' ').slice(0, 3).join(' '))).toEqual([
    '+ class A',
    '+ property x',
    '+ method f',
  ]);
});

it('[SY1] an outliner finds Ruby declarations inside begin and if', async () => {
  const lines = [
    'begin',
    "  require 'fast'",
    '  class Quick; end',
    'rescue LoadError',
    '  class Slow; end',
    'end',
  ];
  expect(await read('ruby', ...lines)).toMatchObject({
    imports: ['fast'],
    text: ['+ class Quick 3-3: class Quick', '+ class Slow 5-5: class Slow'],
  });
});

it('[SY1] an outliner reads PHP with and without its opening tag', async () => {
  const code = ['if (!function_exists("f")) {', '    function f(int $x): int { return $x; }', '}'];
  expect((await read('php', ...code)).text).toEqual(['+ function f 2-2: function f(int $x): int']);
  expect((await read('php', '<?php', ...code)).text).toEqual(['+ function f 3-3: function f(int $x): int']);
});

it('[SY1] an outliner attaches Go methods to their type, and names the type if it is declared elsewhere', async () => {
  const lines = ['type T struct{}', 'func (t *T) Run() {}', 'func (o *Other) Run() {}'];
  expect((await read('go', ...lines)).text).toEqual([
    '+ struct T 1-1: type T struct',
    '  + method Run 2-2: func (t *T) Run()',
    '+ method Other.Run 3-3: func (o *Other) Run()',
  ]);
});

it('[SY1] an outliner reads the names of a C# file-scoped namespace at the top', async () => {
  expect((await read('csharp', 'namespace A.B;', 'public class C { }')).text).toEqual([
    '- namespace A.B 1-1: namespace A.B',
    '+ class C 2-2: public class C',
  ]);
});
