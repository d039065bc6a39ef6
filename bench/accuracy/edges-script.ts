import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ts } from '@ts-morph/common';

const SCRIPT = /\.[cm]?[jt]sx?$/;
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*|\b(?:import|require)\s*\(\s*)(['"])([^'"\n]+)\1/g;

/** Edges of TypeScript and JavaScript: specifiers by a pattern, places by the compiler's own resolution. */
export function scriptEdges(base: string, files: readonly string[], paths: readonly string[]): string[] {
  const known = new Set(files);
  const packages = workspacePackages(base, paths);
  const edges = new Set<string>();
  for (const from of files.filter((path) => SCRIPT.test(path))) {
    const text = readFileSync(join(base, from), 'utf8').replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
    for (const [, , name = ''] of text.matchAll(SPECIFIER)) {
      const to = resolved(base, from, name) ?? packages(name);
      if (to !== undefined && to !== from && known.has(to)) edges.add(`${from} -> ${to}`);
    }
  }
  return [...edges];
}

const configs = new Map<string, ts.CompilerOptions>();

function optionsFor(folder: string, base: string): ts.CompilerOptions {
  const known = configs.get(folder);
  if (known !== undefined) return known;
  const file = join(folder, 'tsconfig.json');
  let options: ts.CompilerOptions = {};
  if (existsSync(file)) {
    const { config } = ts.readConfigFile(file, (path) => readFileSync(path, 'utf8'));
    options = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, folder).options;
  } else if (folder !== base && folder.startsWith(base)) options = optionsFor(dirname(folder), base);
  configs.set(folder, options);
  return options;
}

function resolved(base: string, from: string, name: string): string | undefined {
  const file = join(base, from);
  const options = { ...optionsFor(dirname(file), base), allowJs: true, resolveJsonModule: true };
  const host = { fileExists: isFile, readFile: (path: string) => readFileSync(path, 'utf8') };
  options.moduleResolution = ts.ModuleResolutionKind.Bundler;
  options.allowImportingTsExtensions = true;
  const { resolvedModule } = ts.resolveModuleName(name, file, options, host);
  return resolvedModule === undefined ? undefined : relative(base, resolvedModule.resolvedFileName);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** No workspace is installed here: a package's module is its source below `src/`, or beside its manifest. */
function workspacePackages(base: string, paths: readonly string[]): (name: string) => string | undefined {
  const folders = new Map<string, string>();
  const mains = new Map<string, string>();
  for (const path of paths.filter((each) => /(?:^|\/)package\.json$/.test(each))) {
    const { name, main = 'index' } = JSON.parse(readFileSync(join(base, path), 'utf8'));
    folders.set(name, dirname(path));
    mains.set(name, main.replace(/^(?:\.\/)?dist\//, '').replace(/\.[cm]?js$/, ''));
  }
  return (name) => {
    const own = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '';
    const folder = folders.get(own);
    if (folder === undefined) return undefined;
    const rest = name.slice(own.length + 1).replace(/^(?:dist|src)\//, '');
    const main = mains.get(own) ?? 'index';
    const stems =
      rest === ''
        ? [`src/${main}`, main, 'src/index', 'index']
        : [`src/${rest}`, rest, `src/${rest}/index`, `${rest}/index`];
    return stems
      .flatMap((stem) => ['.ts', '.tsx', '.js', '/index.ts', ''].map((end) => join(folder, stem + end)))
      .find((path) => isFile(join(base, path)));
  };
}
