import { posix } from 'node:path';
import { isFields } from '@secateur/base/text/json-value.ts';
import { readJson } from '../json-with-comments.ts';
import { foldersAbove, type ProjectFiles, within } from '../project-files.ts';
import { firstParts } from '../rule.ts';

type Manifest = Readonly<Record<string, unknown>>;
type Find = (path: string | undefined) => string | undefined;

/** The file of a package of the same repository, or of a `#name` of the importer's own. */
export function openWorkspaces(
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

/** `a` of `a/b`, `@a/b` of `@a/b/c`. */
export function packageName(module: string): string {
  return firstParts(module, '/', module.startsWith('@') ? 2 : 1);
}

/** What a manifest says first, then where sources usually are. */
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

/** `exports` or `imports` of a manifest: a key as it is, or one with a star. */
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

/** Every text in a condition map: `{ "types": "./a.d.ts", "import": { "default": "./a.js" } }`. */
function leavesOf(target: unknown): string[] {
  if (typeof target === 'string') return [target];
  if (Array.isArray(target)) return target.flatMap(leavesOf);
  return isFields(target) ? Object.values(target).flatMap(leavesOf) : [];
}

/** A manifest names what a build writes, which no repository holds: the source is below `src/`, or where the build put it. */
function sourcesOf(folder: string, place: string): string[] {
  const built = /^(?:\.\/)?(?:dist|build|lib|out|esm|cjs|es)\/(?:(?:esm|cjs|es|src|types)\/)?(.*)$/.exec(
    place,
  )?.[1];
  const stem = built?.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  const places = [place, ...(stem === undefined ? [] : [`src/${stem}`, stem])];
  return places.flatMap((each) => within(folder, each) ?? []);
}
