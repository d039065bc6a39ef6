import { join } from 'node:path';
import { ts } from '@ts-morph/common';
import { expect, it } from 'vitest';
import { openJavaScript } from '../../../packages/reverse-spec/src/spec/reading/import-resolver/javascript.ts';
import { ProjectFiles } from '../../../packages/reverse-spec/src/spec/reading/import-resolver/project-files.ts';
import { project } from '../../support/spec-project.ts';

/** Both folders hold `thing.ts`, so that the file an alias leads to shows which configuration was applied. */
const SOURCES = {
  'src/use.ts': '',
  'one/thing.ts': 'export {};\n',
  'two/thing.ts': 'export {};\n',
  'src/one/thing.ts': 'export {};\n',
  'configs/one/thing.ts': 'export {};\n',
  'configs/two/thing.ts': 'export {};\n',
};

const pathsTo = (folder: string) => `{"compilerOptions": {"paths": {"~/*": ["${folder}/*"]}}}`;

const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the last file of an `extends` array that sets paths': {
    'tsconfig.json': '{"extends": ["./a.json", "./b.json"]}',
    'a.json': pathsTo('./one'),
    'b.json': pathsTo('./two'),
  },
  'a file of an `extends` array after one that sets something else': {
    'tsconfig.json': '{"extends": ["./a.json", "./b"]}',
    'a.json': '{"compilerOptions": {"strict": true}}',
    'b.json': pathsTo('./two'),
  },
  'paths from one file of an `extends` array and the base URL from the other': {
    'tsconfig.json': '{"extends": ["./configs/a.json", "./b.json"]}',
    'configs/a.json': pathsTo('one'),
    'b.json': '{"compilerOptions": {"baseUrl": "./src"}}',
  },
  'inherited paths below a base URL of its own': {
    'tsconfig.json': '{"extends": "./configs/a.json", "compilerOptions": {"baseUrl": "./src"}}',
    'configs/a.json': pathsTo('one'),
  },
  'inherited paths below the folder of the file that sets them': {
    'tsconfig.json': '{"extends": "./configs/a.json"}',
    'configs/a.json': pathsTo('one'),
  },
  'inherited paths below ${configDir}': {
    'tsconfig.json': '{"extends": "./configs/a.json"}',
    'configs/a.json': pathsTo('${configDir}/two'),
  },
  'trailing commas before comments': {
    'tsconfig.json':
      '{"compilerOptions": {"paths": {"~/*": ["./two/*", /* the only one */ ], // aliases\n }, /* no more */ }, // end\n}',
  },
  'comments that look like strings and strings that look like comments': {
    'tsconfig.json':
      '{/* "compilerOptions": {} */ "note": "// ,} /*", "compilerOptions": {"paths": {"~/*": ["./two/*"]}}}',
  },
  'a byte order mark and a trailing comma': {
    'tsconfig.json': '\uFEFF{"compilerOptions": {"paths": {"~/*": ["./two/*"]},},}',
  },
};

it.each(Object.entries(CASES))(
  'the import graph resolves TypeScript imports through %s as the compiler does',
  (_, configs) => {
    const files = { ...SOURCES, ...configs };
    const root = project(files);
    const { resolve } = openJavaScript(new ProjectFiles(root, Object.keys(files)));
    const found = resolve({ module: '~/thing', names: [] }, 'src/use.ts').map((path) => join(root, path));
    expect(found).toEqual([compilerAnswer(root, '~/thing')]);
  },
);

function compilerAnswer(root: string, module: string): string | undefined {
  const path = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const { resolvedModule } = ts.resolveModuleName(module, join(root, 'src/use.ts'), options, ts.sys);
  return resolvedModule?.resolvedFileName;
}

it('[X1] the import graph reads each of many tsconfig files that extend each other only once', () => {
  const twice = (at: number) => [
    `c${at}.json`,
    `{"extends": ["./c${at + 1}.json", "./c${at + 1}.json", "./c${at}.json", "./tsconfig.json"]}`,
  ];
  const chain = Object.fromEntries(Array.from({ length: 30 }, (_, at) => twice(at)));
  const files = {
    ...SOURCES,
    ...chain,
    'c30.json': pathsTo('./two'),
    'tsconfig.json': '{"extends": "./c0"}',
  };
  const { resolve } = openJavaScript(new ProjectFiles(project(files), Object.keys(files)));
  expect(resolve({ module: '~/thing', names: [] }, 'src/use.ts')).toEqual(['two/thing.ts']);
});

it('[X15] the import graph reads no tsconfig outside of the project, and ignores a tsconfig that is nested too deeply', () => {
  const root = project({
    'outside.json': pathsTo('./inner/two'),
    'inner/two/thing.ts': '',
    'inner/src/use.ts': '',
    'inner/tsconfig.json': '{"extends": ["../outside.json", "./deep.json"]}',
    'inner/deep.json': `{"compilerOptions": ${'['.repeat(200_000)}, // not JSON`,
  });
  const files = ['two/thing.ts', 'src/use.ts', 'tsconfig.json', 'deep.json', '../outside.json'];
  const { resolve } = openJavaScript(new ProjectFiles(join(root, 'inner'), files));
  expect(resolve({ module: '~/thing', names: [] }, 'src/use.ts')).toEqual([]);
});
