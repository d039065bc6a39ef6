import { posix } from 'node:path';
import { type Fields, isFields } from '@secateur/base/text/json.ts';
import {
  firstParts,
  foldersAbove,
  type ImportedModule,
  type LanguageRule,
  type ProjectFiles,
  readJson,
  within,
} from './project-files.ts';
/**
 * Creates the rule for JavaScript and TypeScript. A module is searched as a relative path, by the aliases of
 * the nearest `tsconfig.json`, and in packages of the repository.
 */
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
const MAY_LOAD = /\b(?:import|require)[ \t]*\(/;
const LOAD = /\b(?:import|require)[ \t]*\(\s*(['"])([^'"\n]+)\1\s*\)/g;

/** Returns modules that a function imports by `import()` or `require()`. */
function insideFunctions(text: string): ImportedModule[] {
  if (!MAY_LOAD.test(text)) return [];
  return [...text.replace(COMMENT, '').matchAll(LOAD)].map(([, , module = '']) => ({ module, names: [] }));
}

const EXTENSIONS = ['ts', 'tsx', 'd.ts', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'json', 'vue', 'svelte'];
/** Extensions of sources, by the extension of the files they are compiled to. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  js: ['ts', 'tsx', 'd.ts'],
  jsx: ['tsx'],
  mjs: ['mts', 'd.mts'],
  cjs: ['cts', 'd.cts'],
};

/**
 * Returns the file that a module path means: the path itself, `a.ts` for `a.js`, the path with an extension,
 * or the index file of a folder.
 */
function moduleFile(files: ProjectFiles, path: string): string | undefined {
  if (files.has(path)) return path;
  const [, stem = '', written = ''] = /^(.*)\.(jsx?|mjs|cjs)$/.exec(path) ?? [];
  const sources = (SOURCES[written] ?? []).map((extension) => `${stem}.${extension}`);
  const plain = EXTENSIONS.map((extension) => `${path}.${extension}`);
  const index = EXTENSIONS.map((extension) => posix.join(path, `index.${extension}`));
  return [...sources, ...plain, ...index].find((each) => files.has(each));
}

type Manifest = Readonly<Record<string, unknown>>;
type Find = (path: string | undefined) => string | undefined;

/** Returns a function that finds modules in packages of the repository, and modules imported as `#name`. */
function openWorkspaces(
  files: ProjectFiles,
  find: Find,
): (module: string, from: string) => string | undefined {
  const folders = new Map<string, string>();
  const manifests = new Map<string, Manifest>();
  for (const path of files.named('package.json')) {
    const manifest = readJson(files.text(path));
    manifests.set(posix.dirname(path), manifest);
    if (typeof manifest.name === 'string') folders.set(manifest.name, posix.dirname(path));
  }
  const firstOf = (folder: string, places: readonly string[]) =>
    places
      .flatMap((place) => sourcesOf(folder, place))
      .map(find)
      .find((path) => path !== undefined);
  return (module, from) => {
    if (module.startsWith('#')) {
      const own = foldersAbove(from).find((each) => manifests.has(each)) ?? '.';
      return firstOf(own, targetsOf(manifests.get(own)?.imports, module));
    }
    const name = packageName(module);
    const folder = folders.get(name);
    if (folder === undefined) return undefined;
    return firstOf(folder, placesIn(manifests.get(folder) ?? {}, `.${module.slice(name.length)}`));
  };
}

/** Returns the package name of a module: `a` for `a/b`, `@a/b` for `@a/b/c`. */
function packageName(module: string): string {
  return firstParts(module, '/', module.startsWith('@') ? 2 : 1);
}

/** Returns the paths that a manifest names for a module, followed by the usual ones. */
function placesIn(manifest: Manifest, subpath: string): string[] {
  const told = targetsOf(manifest.exports, subpath);
  if (subpath !== '.') return [...told, subpath, posix.join('src', subpath)];
  const entries = [manifest.source, manifest.types, manifest.typings, manifest.module, manifest.main];
  return [
    ...told,
    ...entries.filter((each): each is string => typeof each === 'string'),
    'src/index',
    'index',
  ];
}

/** Returns the targets of a key in `exports` or `imports` of a manifest. A key of the map may contain a star. */
function targetsOf(map: unknown, key: string): string[] {
  if (!isFields(map)) return key === '.' ? leavesOf(map) : [];
  if (key === '.' && !Object.keys(map).some((each) => each.startsWith('.'))) return leavesOf(map);
  const exact = map[key];
  if (exact !== undefined) return leavesOf(exact);
  for (const [pattern, target] of Object.entries(map)) {
    const [prefix = '', suffix] = pattern.split('*');
    if (suffix === undefined || !key.startsWith(prefix) || !key.endsWith(suffix)) continue;
    const star = key.slice(prefix.length, key.length - suffix.length);
    return leavesOf(target).map((each) => each.replace('*', () => star));
  }
  return [];
}

/** Returns all paths in a condition map: `{ "types": "./a.d.ts", "import": { "default": "./a.js" } }`. */
export function leavesOf(target: unknown): string[] {
  if (typeof target === 'string') return [target];
  if (Array.isArray(target)) return target.flatMap(leavesOf);
  return isFields(target) ? Object.values(target).flatMap(leavesOf) : [];
}

/** Returns the possible sources of a path in a manifest. The path may be build output of a source in `src/`, in `source/` or beside it. */
function sourcesOf(folder: string, place: string): string[] {
  const built =
    /^(?:\.\/)?(?:dist|distribution|build|lib|out|esm|cjs|es)\/(?:(?:esm|cjs|es|src|types)\/)?(.*)$/.exec(
      place,
    )?.[1];
  const stem = built?.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  const places = [place, ...(stem === undefined ? [] : [`src/${stem}`, `source/${stem}`, stem])];
  return places.flatMap((each) => within(folder, each) ?? []);
}

/**
 * Resolves modules by `paths` and `baseUrl` of the nearest `tsconfig.json` or `jsconfig.json`, including
 * inherited ones (`extends`). A test compares the results with TypeScript's own reader. That reader takes 190
 * ms to load, and get-tsconfig would follow `extends` out of the project.
 */
/** Compiler options of a configuration. Paths in them are relative to the configuration that sets them. */
interface Options {
  readonly baseUrl?: string | undefined;
  readonly paths?: { readonly folder: string; readonly targets: Fields };
}

interface Aliases {
  /** Folder to which module names are relative that do not begin with a dot or slash. */
  readonly baseUrl: string | undefined;
  readonly paths: readonly { prefix: string; suffix: string | undefined; targets: string[] }[];
}

const NAMES = ['tsconfig.json', 'jsconfig.json'];
const MAX_PARENTS = 64;
const CONFIG_DIR = '${configDir}';

/** Returns a function that lists the possible paths of a module by the nearest configuration, best first. */
function openTsconfigs(files: ProjectFiles): (module: string, from: string) => string[] {
  const optionsOf = openOptions(files);
  const known = new Map<string, Aliases>();
  return (module, from) => {
    const config = foldersAbove(from)
      .flatMap((folder) => NAMES.map((name) => posix.join(folder, name)))
      .find((path) => files.has(path));
    if (config === undefined) return [];
    const aliases = known.get(config) ?? aliasesOf(optionsOf(config, 0), posix.dirname(config));
    known.set(config, aliases);
    return placesOf(module, aliases);
  };
}

/** Returns a function that reads each configuration once, even if several extend it or two extend each other. */
function openOptions(files: ProjectFiles): (path: string, parents: number) => Options {
  const known = new Map<string, Options>();
  const optionsOf = (path: string, parents: number): Options => {
    const found = known.get(path);
    if (found !== undefined || parents > MAX_PARENTS) return found ?? {};
    known.set(path, {});
    const config = readJson(files.text(path));
    const folder = posix.dirname(path);
    const inherited = [config.extends]
      .flat()
      .flatMap((each) => extendedFile(files, folder, each) ?? [])
      .map((each) => optionsOf(each, parents + 1));
    const options = Object.assign({}, ...inherited, ownOptions(config, folder));
    known.set(path, options);
    return options;
  };
  return optionsOf;
}

function extendedFile(files: ProjectFiles, folder: string, extended: unknown): string | undefined {
  if (typeof extended !== 'string' || !extended.startsWith('.')) return undefined;
  const path = within(folder, extended);
  return path === undefined ? undefined : [path, `${path}.json`].find((each) => files.has(each));
}

function ownOptions({ compilerOptions }: Fields, folder: string): Options {
  if (!isFields(compilerOptions)) return {};
  const { baseUrl, paths } = compilerOptions;
  return {
    ...(typeof baseUrl === 'string' && {
      baseUrl: baseUrl.startsWith(CONFIG_DIR) ? baseUrl : within(folder, baseUrl),
    }),
    ...(isFields(paths) && { paths: { folder, targets: paths } }),
  };
}

function aliasesOf({ baseUrl: written, paths }: Options, configDir: string): Aliases {
  const absolute = (path: string, folder: string) =>
    path.startsWith(CONFIG_DIR) ? within(configDir, path.slice(CONFIG_DIR.length)) : within(folder, path);
  const baseUrl = written === undefined ? undefined : absolute(written, '.');
  const folder = baseUrl ?? paths?.folder ?? configDir;
  return {
    baseUrl,
    paths: Object.entries(paths?.targets ?? {}).map(([pattern, targets]) => {
      const [prefix = '', suffix] = pattern.split('*');
      const places = [targets].flat().flatMap((target) => absolute(String(target), folder) ?? []);
      return { prefix, suffix, targets: places };
    }),
  };
}

function placesOf(module: string, { baseUrl, paths }: Aliases): string[] {
  const places = [...paths]
    .sort((one, other) => other.prefix.length - one.prefix.length)
    .flatMap(({ prefix, suffix, targets }) => {
      // A pattern without a star matches only an equal name.
      if (suffix === undefined) return module === prefix ? targets : [];
      const fits = module.startsWith(prefix) && module.endsWith(suffix);
      const star = fits ? module.slice(prefix.length, module.length - suffix.length) : undefined;
      return star === undefined ? [] : targets.map((target) => target.replace('*', () => star));
    });
  return baseUrl === undefined ? places : [...places, posix.join(baseUrl, module)];
}
