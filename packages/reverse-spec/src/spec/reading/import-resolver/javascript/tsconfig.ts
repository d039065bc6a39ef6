import { posix } from 'node:path';
import { isFields } from '@secateur/base/text/json-value.ts';
import { readJson } from '../json-with-comments.ts';
import { foldersAbove, type ProjectFiles, within } from '../project-files.ts';

interface Aliases {
  /** Folder of names that begin nowhere. */
  baseUrl: string | undefined;
  paths: { prefix: string; suffix: string; targets: string[] }[];
}

const NONE: Aliases = { baseUrl: undefined, paths: [] };
const NAMES = ['tsconfig.json', 'jsconfig.json'];
const MOST_PARENTS = 8;

/** Places the nearest configuration gives a module, best first. */
export function openTsconfigs(files: ProjectFiles): (module: string, from: string) => string[] {
  const known = new Map<string, Aliases>();
  const aliasesOf = (path: string): Aliases => {
    const found = known.get(path) ?? readAliases(files, path, MOST_PARENTS);
    known.set(path, found);
    return found;
  };
  return (module, from) => {
    const config = foldersAbove(from)
      .flatMap((folder) => NAMES.map((name) => posix.join(folder, name)))
      .find((path) => files.has(path));
    return config === undefined ? [] : placesOf(module, aliasesOf(config));
  };
}

function readAliases(files: ProjectFiles, path: string, parents: number): Aliases {
  const config = readJson(files.text(path));
  const options = isFields(config.compilerOptions) ? config.compilerOptions : {};
  const folder = posix.dirname(path);
  const above =
    parents === 0 ? NONE : inherited(files, { extended: config.extends, folder, parents: parents - 1 });
  const baseUrl = typeof options.baseUrl === 'string' ? within(folder, options.baseUrl) : above.baseUrl;
  if (!isFields(options.paths)) return { ...above, baseUrl };
  const paths = Object.entries(options.paths).map(([pattern, targets]) => {
    const [prefix = '', suffix] = pattern.split('*');
    const places = [targets].flat().flatMap((target) => within(baseUrl ?? folder, String(target)) ?? []);
    // Without a star the whole name is meant.
    return { prefix, suffix: suffix ?? '\0', targets: places };
  });
  return { baseUrl, paths };
}

function inherited(
  files: ProjectFiles,
  { extended, folder, parents }: { extended: unknown; folder: string; parents: number },
): Aliases {
  for (const each of [extended].flat()) {
    if (typeof each !== 'string' || !each.startsWith('.')) continue;
    const path = within(folder, each.endsWith('.json') ? each : `${each}.json`);
    if (path !== undefined && files.has(path)) return readAliases(files, path, parents);
  }
  return NONE;
}

function placesOf(module: string, { baseUrl, paths }: Aliases): string[] {
  const places = [...paths]
    .sort((one, other) => other.prefix.length - one.prefix.length)
    .flatMap(({ prefix, suffix, targets }) => {
      if (suffix === '\0') return module === prefix ? targets : [];
      const fits = module.startsWith(prefix) && module.endsWith(suffix);
      const star = fits ? module.slice(prefix.length, module.length - suffix.length) : undefined;
      return star === undefined ? [] : targets.map((target) => target.replace('*', () => star));
    });
  return baseUrl === undefined ? places : [...places, posix.join(baseUrl, module)];
}
