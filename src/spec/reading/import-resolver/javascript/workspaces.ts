import { posix } from 'node:path';
import { isFields } from '../../../../text/json-value.ts';
import { readJson } from '../json-with-comments.ts';
import { foldersAbove, type ProjectFiles, within } from '../project-files.ts';

export interface Workspaces {
  /** The file of a package of the same repository, or of a `#name` of the importer's own. */
  resolve(module: string, from: string): string | undefined;
}

type Manifest = Readonly<Record<string, unknown>>;
type Find = (path: string | undefined) => string | undefined;

export function openWorkspaces(files: ProjectFiles, find: Find): Workspaces {
  const folders = new Map<string, string>();
  const manifests = new Map<string, Manifest>();
  for (const path of files.named('package.json')) {
    const manifest = readJson(files.text(path));
    manifests.set(posix.dirname(path), manifest);
    if (typeof manifest.name === 'string') folders.set(manifest.name, posix.dirname(path));
  }
  const inPackage = (folder: string, subpath: string) =>
    placesIn(manifests.get(folder) ?? {}, subpath)
      .flatMap((place) => sourcesOf(folder, place))
      .map(find)
      .find(isText);
  return {
    resolve: (module, from) => {
      if (module.startsWith('#')) {
        const folder = foldersAbove(from).find((each) => manifests.has(each));
        const own = folder === undefined ? {} : manifests.get(folder)?.imports;
        return targetsOf(own, module)
          .flatMap((place) => sourcesOf(folder ?? '.', place))
          .map(find)
          .find(isText);
      }
      const name = module
        .split('/')
        .slice(0, module.startsWith('@') ? 2 : 1)
        .join('/');
      const folder = folders.get(name);
      return folder === undefined ? undefined : inPackage(folder, `.${module.slice(name.length)}`);
    },
  };
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
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
