import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectDrift } from '../../../packages/reverse-spec/src/spec/drift.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import {
  openNamespaces,
  plainName,
  type SkeletonExport,
  skeletonOf,
} from '../../../packages/reverse-spec/src/spec/reading/skeleton.ts';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';
import { parts, project, write } from '../../support/spec-project.ts';

async function exportsOf(path: string, source: string): Promise<string[]> {
  const outliner = createOutliner();
  const outline = await outliner.outline(source, { path });
  await outliner.close();
  return skeletonOf(outline, { path, loc: 1 }).exports.map(({ kind, name }) => `${kind} ${name}`);
}

describe('[R51] exports of a namespace, by their full names', () => {
  it.each([
    [
      'a.cs',
      'namespace A.B { public class C { public int X; } public enum D { E } }',
      ['class A.B.C', 'enum A.B.D'],
    ],
    [
      'a.h',
      'namespace a { namespace b { class C { public: int f(); }; } int g(); }',
      ['class a::b::C', 'function a::g'],
    ],
    ['a.hpp', 'namespace a { namespace { int hidden(); } int g(); }', ['function a::g']],
    ['a.rs', 'pub mod m { pub fn f() {} fn g() {} }\npub mod n;\n', ['function m::f', 'namespace n']],
    [
      'a.rb',
      'module A\n  class B\n    def f; end\n  end\n  def self.g; end\n  X = 1\nend\n',
      ['namespace A', 'class A::B', 'constant A::X'],
    ],
    [
      'b.rb',
      'module A\n  class B\n    class C < D\n      def f; end\n    end\n    X = 1\n  end\n  class E\n    class F; end\n    def g; end\n  end\nend\n',
      ['class A::B::C', 'constant A::B::X', 'class A::E'],
    ],
    [
      'a.ts',
      'export namespace N { export const x = 1; export namespace M { export class C {} } }',
      ['constant N.x', 'class N.M.C'],
    ],
    ['a.php', '<?php\nnamespace A\\B { class C {} function f() {} }', ['class A\\B\\C', 'function A\\B\\f']],
  ])(
    'the parser returns the exports of namespaces in %s with their full names',
    async (path, source, expected) => {
      expect(await exportsOf(path, source)).toEqual(expected);
    },
  );

  it('plainName returns the last part of a full name', () => {
    expect(['a::b::C', 'A.B', 'A\\B\\c', 'plain'].map(plainName)).toEqual(['C', 'B', 'c', 'plain']);
  });
});

type Files = Record<string, string>;

async function driftOf(before: Files, after: Files): Promise<string[]> {
  const cwd = project(before);
  const { specPath } = await generate(
    { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true },
    parts(cwd),
  );
  rmSync(join(cwd, 'src'), { recursive: true });
  write(cwd, after);
  const { items } = await detectDrift({ specPath, sourcePath: 'src' }, parts(cwd));
  return items.map(({ severity, changeType, symbolName }) => `${severity} ${changeType} ${symbolName}`);
}

const ONE = '  public class One { public int Size(string name) { return 1; } }\n';
const TWO = '  public class Two { public void Close() { } }\n';
const inside = (...types: string[]) => `namespace App.Core\n{\n${types.join('')}}\n`;

describe('[R51] drift inside namespaces', () => {
  it('diff classifies a class removed from a namespace as HIGH', async () => {
    expect(await driftOf({ 'src/a.cs': inside(ONE, TWO) }, { 'src/a.cs': inside(ONE) })).toEqual([
      'HIGH removal App.Core.Two',
    ]);
  });

  it('diff reports a class that moved to another file as a move', async () => {
    const after = { 'src/a.cs': inside(ONE), 'src/b.cs': inside(TWO) };
    expect(await driftOf({ 'src/a.cs': inside(ONE, TWO) }, after)).toEqual(['LOW move App.Core.Two']);
  });

  it('diff treats both notations of a namespace as the same', async () => {
    const plain = `namespace App.Core;\n${ONE}${TWO}`;
    expect(await driftOf({ 'src/a.cs': inside(ONE, TWO) }, { 'src/a.cs': plain })).toEqual([]);
  });
});

it('[R51] diff reports the same drift for a baseline of an older document, which lists namespaces as exports', () => {
  const old: SkeletonExport[] = [
    {
      name: 'A',
      kind: 'namespace',
      signature: 'namespace A',
      jsDoc: null,
      startLine: 1,
      endLine: 3,
      members: [
        { name: 'C', kind: 'class', signature: 'public class C', jsDoc: null, startLine: 2, endLine: 2 },
      ],
    },
  ];
  expect(openNamespaces(old, 'csharp').map(({ name }) => name)).toEqual(['A.C']);
});
