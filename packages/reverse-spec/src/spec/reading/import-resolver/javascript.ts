import { posix } from 'node:path';
import { openTsconfigs } from './javascript/tsconfig.ts';
import { openWorkspaces, packageName } from './javascript/workspaces.ts';
import { type ProjectFiles, within } from './project-files.ts';
import type { ImportedModule, LanguageRule } from './rule.ts';

/** Paths, then what the nearest `tsconfig.json` calls them, then packages of the same repository. */
export function openJavaScript(files: ProjectFiles): LanguageRule {
  const find = (path: string | undefined) => (path === undefined ? undefined : moduleFile(files, path));
  const pathsFor = openTsconfigs(files);
  const inWorkspace = openWorkspaces(files, find);
  const resolved = (module: string, from: string) => {
    if (/^\.\.?(?:\/|$)/.test(module)) return find(within(posix.dirname(from), module));
    const aliased = pathsFor(module, from).map(find);
    return aliased.find((path) => path !== undefined) ?? inWorkspace(module, from);
  };
  return {
    resolve: ({ module }, from) => [resolved(module, from)].filter((path) => path !== undefined),
    hidden: (from) => insideFunctions(files.text(from)),
    packageOf: (module) => (module.startsWith('.') ? module : packageName(module)),
  };
}

const COMMENT = /^[ \t]*(?:\/\/|\*|\/\*)[^\n]*/gm;
const LOAD = /\b(?:import|require)[ \t]*\(\s*(['"])([^'"\n]+)\1\s*\)/g;

/** `await import('../../import-resolver/a')` in a function. */
function insideFunctions(text: string): ImportedModule[] {
  return [...text.replace(COMMENT, '').matchAll(LOAD)].map(([, , module = '']) => ({ module, names: [] }));
}

const EXTENSIONS = ['ts', 'tsx', 'd.ts', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'json', 'vue', 'svelte'];
/** What a compiler writes, and what it was written from. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  js: ['ts', 'tsx', 'd.ts'],
  jsx: ['tsx'],
  mjs: ['mts', 'd.mts'],
  cjs: ['cts', 'd.cts'],
};

/** `a`, `a.js` for `a.ts`, a folder for its index file. */
function moduleFile(files: ProjectFiles, path: string): string | undefined {
  if (files.has(path)) return path;
  const [, stem = '', written = ''] = /^(.*)\.(jsx?|mjs|cjs)$/.exec(path) ?? [];
  const sources = (SOURCES[written] ?? []).map((extension) => `${stem}.${extension}`);
  const plain = EXTENSIONS.map((extension) => `${path}.${extension}`);
  const index = EXTENSIONS.map((extension) => posix.join(path, `index.${extension}`));
  return [...sources, ...plain, ...index].find((each) => files.has(each));
}
