import { expect, it } from 'vitest';
import { judgeEdges } from '../../../bench/accuracy/edges.ts';
import { prepare } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import {
  createImportResolver,
  resolveDependencies,
} from '../../../packages/reverse-spec/src/spec/reading/import-resolver.ts';
import { readFacts } from '../../../packages/reverse-spec/src/spec/reading/read-facts.ts';
import { resolveTarget } from '../../../packages/reverse-spec/src/spec/reading/target.ts';
import { parts, project } from '../../support/spec-project.ts';

interface Case {
  name: string;
  files: Record<string, string>;
  edges: string[];
  packages: string[];
}

const cases: Case[] = [
  {
    name: 'TypeScript: paths, tsconfig aliases, workspace packages, lazy imports',
    files: {
      'package.json': '{"name": "root", "workspaces": ["packages/*"]}',
      'packages/a/package.json':
        '{"name": "@x/a", "exports": {".": {"types": "./dist/main.d.ts"}, "./*": "./dist/*.js"}}',
      'packages/a/src/main.ts': "export * from './deep/b.js';\n",
      'packages/a/src/deep/b.ts': 'export const b = 1;\n',
      'packages/c/package.json': '{"name": "c", "imports": {"#own/*": "./src/own/*.ts"}}',
      'packages/c/tsconfig.json': '{ // aliases\n "extends": "./tsconfig.base.json", }',
      'packages/c/tsconfig.base.json': '{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}}',
      'packages/c/src/own/d.ts': 'export const d = 1;\n',
      'packages/c/src/e.ts':
        "import { m } from '@x/a';\nimport { b } from '@x/a/deep/b';\nimport { d } from '~/own/d';\nimport k from '#own/d';\nimport { z } from 'zod/v4';\nexport const f = async () => [await import('./lazy'), m, b, d, k, z];\n",
      'packages/c/src/lazy.ts': "import fs from 'node:fs';\nexport const l = fs;\n",
    },
    edges: [
      'packages/a/src/main.ts -> packages/a/src/deep/b.ts',
      'packages/c/src/e.ts -> packages/a/src/deep/b.ts',
      'packages/c/src/e.ts -> packages/a/src/main.ts',
      'packages/c/src/e.ts -> packages/c/src/lazy.ts',
      'packages/c/src/e.ts -> packages/c/src/own/d.ts',
    ],
    packages: ['node:fs', 'zod'],
  },
  {
    name: 'Python: src layout, submodules, imports in functions, none from doc strings',
    files: {
      'pyproject.toml': '[project]\nname = "p"\n',
      'src/p/__init__.py': 'from .app import App\n',
      'src/p/app.py':
        'import json\nfrom . import views, __init__\nfrom p.sub.deep import x\nclass App:\n    """\n    from p import nothing\n    """\n    def f(self):\n        from .late import g\n        return g\n',
      'src/p/views.py': 'import p.sub\n',
      'src/p/late.py': 'def g(): ...\n',
      'src/p/json.py': '',
      'src/p/sub/__init__.py': '',
      'src/p/sub/deep.py': 'from ..app import App\nx = 1\n',
      'tools/run.py': 'import beside\nimport requests.adapters\n',
      'tools/beside.py': '',
    },
    edges: [
      'src/p/__init__.py -> src/p/app.py',
      'src/p/app.py -> src/p/__init__.py',
      'src/p/app.py -> src/p/late.py',
      'src/p/app.py -> src/p/sub/deep.py',
      'src/p/app.py -> src/p/views.py',
      'src/p/sub/deep.py -> src/p/app.py',
      'src/p/views.py -> src/p/sub/__init__.py',
      'tools/run.py -> tools/beside.py',
    ],
    packages: ['json', 'requests'],
  },
  {
    name: 'Go: a module of go.mod and its folders',
    files: {
      'go.mod': 'module example.org/me/tool\n',
      'main.go':
        'package main\nimport (\n\t"fmt"\n\tq "example.org/me/tool/internal/q"\n\t"github.com/a/b/c"\n)\nfunc main() { fmt.Println(q.Q, c.C) }\n',
      'internal/q/q.go': 'package q\nconst Q = 1\n',
      'internal/q/r.go': 'package q\nimport "example.org/me/tool"\n',
      'internal/q/q_test.go': 'package q\n',
    },
    edges: ['internal/q/r.go -> main.go', 'main.go -> internal/q/q.go', 'main.go -> internal/q/r.go'],
    packages: ['fmt', 'github.com/a/b'],
  },
  {
    name: 'Java and Kotlin: what packages declare, wherever it lies',
    files: {
      'src/main/java/a/b/C.java':
        'package a.b;\nimport a.d.E;\nimport static a.d.E.Inner.make;\nimport a.k.*;\nimport java.util.List;\npublic class C { List<Near> near; }\n',
      'src/main/java/a/d/E.java': 'package a.d;\npublic class E { public static class Inner {} }\n',
      'src/main/kotlin/elsewhere/Things.kt':
        'package a.k\n\nimport a.b.C as Other\n\ndata class Near(val c: Other)\n\nfun <T> List<T>.far(): Int = 1\n',
      'src/main/kotlin/elsewhere/Use.kt': 'package a.u\nimport a.k.far\nimport okio.Buffer\n',
      'src/main/kotlin/elsewhere/Unused.kt': 'package a.k\nobject Unused\n',
    },
    edges: [
      'src/main/java/a/b/C.java -> src/main/java/a/d/E.java',
      'src/main/java/a/b/C.java -> src/main/kotlin/elsewhere/Things.kt',
      'src/main/kotlin/elsewhere/Things.kt -> src/main/java/a/b/C.java',
      'src/main/kotlin/elsewhere/Use.kt -> src/main/kotlin/elsewhere/Things.kt',
    ],
    packages: ['java.util', 'okio'],
  },
  {
    name: 'Rust: crates, modules, trees, macros and paths',
    files: {
      'one/Cargo.toml': '[package]\nname = "my-one"\n',
      'one/src/lib.rs': 'mod a;\npub mod b;\ncfg_x! {\n    mod hidden;\n}\nuse std::fmt;\n',
      'one/src/a.rs': 'use crate::b::{self, deep::{Thing, Other}};\nuse super::hidden::H;\n',
      'one/src/b/mod.rs': 'pub mod deep;\n#[path = "strange.rs"]\nmod other;\n',
      'one/src/b/deep.rs': 'use super::super::a::A;\nmod tests { use super::*; }\n',
      'one/src/b/strange.rs': '',
      'one/src/hidden.rs': '',
      'two/Cargo.toml': '[package]\nname = "two"\n[lib]\npath = "src/lib.rs"\n',
      'two/src/lib.rs': 'use my_one::b::deep::Thing;\nuse serde::Serialize;\n',
    },
    edges: [
      'one/src/a.rs -> one/src/b/deep.rs',
      'one/src/a.rs -> one/src/b/mod.rs',
      'one/src/a.rs -> one/src/hidden.rs',
      'one/src/b/deep.rs -> one/src/a.rs',
      'one/src/b/mod.rs -> one/src/b/deep.rs',
      'one/src/b/mod.rs -> one/src/b/strange.rs',
      'one/src/lib.rs -> one/src/a.rs',
      'one/src/lib.rs -> one/src/b/mod.rs',
      'one/src/lib.rs -> one/src/hidden.rs',
      'two/src/lib.rs -> one/src/b/deep.rs',
    ],
    packages: ['serde', 'std'],
  },
  {
    name: 'PHP: PSR-4, functions, classes without a folder, files by path',
    files: {
      'composer.json': '{"autoload": {"psr-4": {"My\\\\": "src/", "My\\\\Extra\\\\": ["more/"]}}}',
      'src/A/B.php':
        "<?php\nnamespace My\\A;\nuse My\\C;\nuse My\\Extra\\{D, E as F};\nuse function My\\help;\nuse Psr\\Log\\LoggerInterface;\nuse Old_Class;\nrequire __DIR__ . '/../boot.php';\nclass B {}\n",
      'src/C.php': '<?php\nnamespace My;\nclass C {}\n',
      'src/functions.php': '<?php\nnamespace My;\nfunction help() {}\n',
      'src/boot.php': '<?php\n',
      'more/D.php': '<?php\nnamespace My\\Extra;\nclass D {}\n',
      'more/E.php': '<?php\nnamespace My\\Extra;\ninterface E {}\n',
      'old/legacy.php': '<?php\nclass Old_Class {}\n',
    },
    edges: [
      'src/A/B.php -> more/D.php',
      'src/A/B.php -> more/E.php',
      'src/A/B.php -> old/legacy.php',
      'src/A/B.php -> src/C.php',
      'src/A/B.php -> src/boot.php',
      'src/A/B.php -> src/functions.php',
    ],
    packages: ['Psr\\Log'],
  },
  {
    name: 'C#: what the project file, the build properties or one source uses for all',
    files: {
      'Directory.Build.props': '<Project><ItemGroup><Using Include="App.Props" /></ItemGroup></Project>\n',
      'App/App.csproj': '<Project><ItemGroup><Using Include="App.Tools" /></ItemGroup></Project>\n',
      'App/Usings.cs': 'global using System.Text;\nglobal using App.Core;\n',
      'App/Use.cs': 'namespace App;\nclass Use { Thing a; Hammer b; Prop c; }\n',
      'App/Core/Thing.cs': 'namespace App.Core;\npublic class Thing {}\n',
      'App/Core/Other.cs': 'namespace App.Core;\npublic class Other {}\n',
      'App/Tools/Hammer.cs': 'namespace App.Tools;\npublic class Hammer {}\n',
      'App/Props/Prop.cs': 'namespace App.Props;\npublic class Prop {}\n',
      'Else/Else.csproj': '<Project />\n',
      'Else/Use.cs': 'namespace Else;\nclass Use { Thing a; Hammer b; Prop c; }\n',
    },
    edges: [
      'App/Use.cs -> App/Core/Thing.cs',
      'App/Use.cs -> App/Props/Prop.cs',
      'App/Use.cs -> App/Tools/Hammer.cs',
      'Else/Use.cs -> App/Props/Prop.cs',
    ],
    packages: ['System'],
  },
  {
    name: 'C#: the types of a namespace that a file names',
    files: {
      'My/My.csproj': '<Project/>',
      'My/Use.cs':
        'using System;\nusing My.Core;\nnamespace My {\n  using static My.Tools.Maths;\n  public class Use { Thing thing; int n = Pi; } }\n',
      'My/Core/Thing.cs':
        'namespace My.Core\n{\n    public class Thing\n    {\n        private class Use {}\n    }\n}\n',
      'My/Core/Unused.cs': 'namespace My.Core;\npublic delegate int Call<T, Thing>(T one);\n',
      'My/Tools/Maths.cs': 'namespace My.Tools;\npublic static class Maths { public const int Pi = 3; }\n',
    },
    edges: ['My/Use.cs -> My/Core/Thing.cs', 'My/Use.cs -> My/Tools/Maths.cs'],
    packages: ['System'],
  },
  {
    name: 'Ruby: require below every lib, require_relative beside, autoload',
    files: {
      'lib/one.rb':
        "require 'json'\nmodule One\n  autoload :Two, 'one/two'\n  require_relative 'one/three'\nend\n",
      'lib/one/two.rb': "require 'one/json'\nrequire 'rack/utils'\n",
      'lib/one/three.rb': '',
      'lib/one/json.rb': "require 'json'\n",
    },
    edges: [
      'lib/one.rb -> lib/one/three.rb',
      'lib/one.rb -> lib/one/two.rb',
      'lib/one/two.rb -> lib/one/json.rb',
    ],
    packages: ['json', 'rack'],
  },
  {
    name: 'C and C++: beside the file, then include folders',
    files: {
      'CMakeLists.txt': 'include_directories(${CMAKE_SOURCE_DIR}/headers)\n',
      'lib/a.cc':
        '#include <vector>\n#include "a.h"\n#include "pkg/base/b.h"\n#include "told.h"\n#include "config.h"\n#if X\n#include <pkg/base/b.h>\n#endif\n',
      'lib/a.h': 'int a();\n',
      'include/pkg/base/b.h': '',
      'headers/told.h': '',
      'elsewhere/config.h': '',
    },
    edges: ['lib/a.cc -> headers/told.h', 'lib/a.cc -> include/pkg/base/b.h', 'lib/a.cc -> lib/a.h'],
    packages: ['config.h', 'vector'],
  },
];

async function dependenciesOf(files: Record<string, string>) {
  const cwd = project(files);
  const target = await resolveTarget('.', cwd);
  const paths = Object.keys(files).sort();
  const reading = await readFacts(target, paths, parts(cwd));
  const resolver = createImportResolver(cwd, paths);
  const { internal, project: outside, external } = resolveDependencies(reading.files, resolver, paths);
  expect(outside).toEqual([]);
  return {
    edges: internal.map(({ from, to }) => `${from} -> ${to}`).sort(),
    packages: external.map(({ module }) => module),
  };
}

it.each(cases)('[R50] the import graph resolves: $name', async ({ files, edges, packages }) => {
  expect(await dependenciesOf(files)).toEqual({ edges: [...edges].sort(), packages });
});

it('[R50] the generated prompt lists the import cycles of the target', async () => {
  const cwd = project({
    'a.ts': "import './b';\nexport const a = 1;\n",
    'b.ts': "import './a';\nexport const b = 1;\n",
  });
  const { context } = await prepare({ targetPath: '.', deep: false }, parts(cwd));
  expect(context.prompt).toContain('- a.ts -> b.ts');
  expect(context.prompt).toContain('- b.ts -> a.ts');
});

it('[R50] the import graph of our own sources equals that of an independent implementation', async () => {
  const { truth, missed, invented } = await judgeEdges(
    new URL('../../../packages/reverse-spec/src/spec', import.meta.url).pathname,
  );
  expect(truth).toBeGreaterThan(150);
  expect({ missed, invented }).toEqual({ missed: [], invented: [] });
}, 60_000);

it('[R50] the import graph treats malformed manifests as missing', async () => {
  const { edges } = await dependenciesOf({
    'package.json': '{"name": 7, "exports": [[[]]]}',
    'tsconfig.json':
      '{"extends": ["./tsconfig.json"], "compilerOptions": {"paths": {"*": 1}, "baseUrl": "../../.."}}',
    'composer.json': '[]',
    'go.mod': 'module',
    'Cargo.toml': '[package',
    'a.ts': "import './b.js';\nimport '../../../etc/passwd';\nimport 'a';\n",
    'b.ts': 'export const b = 1;\n',
    'c.php': '<?php\nuse A\\B;\n',
    'd.rs': 'use crate::x;\nuse super::super::super::y;\n',
    'e.go': 'package e\nimport "../../x"\n',
  });
  expect(edges).toEqual(['a.ts -> b.ts']);
});
