import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import { type Fields, isFields, parsedFields } from '@secateur/base/text/json.ts';
import { leavesOf } from '../reading/import-resolver/javascript.ts';

/**
 * Rule to find the sources of a package, for one manifest format. Other sources in the repository, such as
 * samples and scripts, do not belong to the package.
 */
interface Rule {
  manifest: RegExp;
  /** Matches the source files that a manifest of this format can include. */
  sources: RegExp;
  /** Returns files and folders with the package's sources, relative to the manifest; undefined if the manifest names none. */
  places(manifest: string, inside: Listing): string[] | undefined;
}

/** Paths below a manifest, relative to its folder. */
interface Listing {
  paths: readonly string[];
  /** Whether a file or folder with this name exists. */
  has(name: string): boolean;
}

/** Returns a function that decides whether a path belongs to a package. If no manifest names sources, all paths do. */
export function openShipped(base: string, paths: readonly string[]): (path: string) => boolean {
  const text = (path: string) => {
    try {
      return readFileSync(join(base, path), 'utf8').replace(/^\uFEFF/, '');
    } catch {
      return '';
    }
  };
  const checks = [...RULES.map((rule) => openRule(rule, paths, text)), openProjects(paths, text)];
  return (path) => checks.every((isShipped) => isShipped(path));
}

type Text = (path: string) => string;
const ALL = () => true;

function openRule({ manifest, sources, places }: Rule, paths: readonly string[], text: Text) {
  const shipped = new Map<string, string[]>();
  for (const path of paths.filter((each) => manifest.test(posix.basename(each)))) {
    const folder = posix.dirname(path);
    const found = places(text(path), listingOf(folder, paths));
    if (found !== undefined && !shipped.has(folder))
      shipped.set(
        folder,
        found.map((place) => posix.join(folder, place)),
      );
  }
  const isShipped = (path: string) => {
    if (!sources.test(path)) return true;
    const folder = foldersAbove(path).find((each) => shipped.has(each));
    return folder === undefined || (shipped.get(folder) ?? []).some((place) => isBelow(path, place));
  };
  // If a rule selects no file, it misread the manifest and is ignored.
  const isUsable = paths.some((path) => sources.test(path) && isShipped(path));
  return isUsable ? isShipped : ALL;
}

function listingOf(folder: string, paths: readonly string[]): Listing {
  const below = paths
    .filter((path) => isBelow(path, folder))
    .map((path) => (folder === '.' ? path : path.slice(folder.length + 1)));
  return { paths: below, has: (name) => below.some((path) => isBelow(path, name)) };
}

function isBelow(path: string, place: string): boolean {
  return place === '.' || path === place || path.startsWith(`${place}/`);
}

/** Returns the folders above a path: `a/b`, `a` and `.` for `a/b/c`. */
export function foldersAbove(path: string): string[] {
  const above = posix.dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

const RULES: readonly Rule[] = [
  { manifest: /^package\.json$/, sources: /\.[cm]?[jt]sx?$/, places: npmPlaces },
  { manifest: /^composer\.json$/, sources: /\.php$/, places: composerPlaces },
  { manifest: /^Cargo\.toml$/, sources: /\.rs$/, places: cratePlaces },
  { manifest: /^Package\.swift$/, sources: /\.swift$/, places: swiftPlaces },
  { manifest: /^(?:pyproject\.toml|setup\.(?:py|cfg))$/, sources: /\.pyi?$/, places: pythonPlaces },
  {
    manifest: /\.gemspec$/,
    sources: /\.rb$|(?:^|\/)[^./]+$/,
    places: (gem) => ['lib', 'ext', 'app', 'config', 'exe', ...(/executables/.test(gem) ? ['bin'] : [])],
  },
  {
    manifest: /^CMakeLists\.txt$/,
    sources: /\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|ipp|inl)$/,
    places: (_cmake, { has }) => (has('include') ? ['include', 'src', 'source', 'lib'] : undefined),
  },
];

/** Folders that usually contain the sources of build outputs. */
const SOURCE_FOLDERS = ['src', 'source', 'lib'];

/**
 * Returns the sources that `files` and the entry points of `package.json` name. For build outputs, returns
 * the folders they are built from.
 */
function npmPlaces(text: string, { paths, has }: Listing): string[] | undefined {
  const { files, main, module, types, bin, exports, private: isPrivate } = parsedFields(text) ?? {};
  if (isPrivate === true || !Array.isArray(files)) return undefined;
  const named = [files, main ?? 'index.js', module, types, bin, exports].flatMap(leavesOf);
  const places = named.filter((each) => !each.startsWith('!')).map(placeOf);
  if (places.includes('.')) return undefined;
  const stem = (path: string) => path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  const found = places.map((place) =>
    has(place) ? [place] : paths.filter((path) => stem(path) === stem(place)),
  );
  if (found.every((each) => each.length > 0)) return found.flat();
  const sources = SOURCE_FOLDERS.filter(has);
  return sources.length === 0 ? undefined : [...found.flat(), ...sources];
}

/** Returns the fixed beginning of a path pattern: `lib` for `./lib/**`. */
function placeOf(path: string): string {
  const [fixed = ''] = posix.normalize(path.replace(/^\//, '')).split('*');
  const whole = path.includes('*') ? posix.dirname(`${fixed}x`) : fixed;
  return whole.replace(/\/$/, '') || '.';
}

function composerPlaces(text: string): string[] | undefined {
  const { autoload, bin } = parsedFields(text) ?? {};
  if (!isFields(autoload)) return undefined;
  const { 'psr-4': psr4, 'psr-0': psr0, classmap, files } = autoload as Fields;
  const places = [psr4, psr0, classmap, files, bin].flatMap(leavesOf).map(placeOf);
  return places.length === 0 || places.includes('.') ? undefined : places;
}

/** Returns the source folders of a crate. Empty for a workspace and for an unpublished crate. */
function cratePlaces(text: string): string[] {
  const sections = text.split(/^(?=\[)/m);
  const crate = sections.find((each) => each.startsWith('[package]'));
  if (crate === undefined || /^publish\s*=\s*false/m.test(crate)) return [];
  const written = sections
    .filter((each) => /^\[(?:lib|\[bin\])\]/.test(each))
    .flatMap((each) => /^path\s*=\s*"([^"]+)"/m.exec(each)?.[1] ?? []);
  return ['src', ...written.map((path) => posix.dirname(posix.normalize(path)))];
}

function swiftPlaces(text: string): string[] | undefined {
  const targets = [...text.matchAll(/\.(\w*[tT]arget|macro|plugin)\(((?:(?!\.\w*[tT]arget\()[\s\S])*)/g)];
  const places = targets
    .filter(([, kind = '']) => !/^(?:test|binary)/.test(kind))
    .flatMap(([, , said = '']) => {
      const path = /\bpath:\s*"([^"]+)"/.exec(said)?.[1];
      const name = /\bname:\s*"([^"]+)"/.exec(said)?.[1];
      if (path !== undefined) return [placeOf(path)];
      return name === undefined ? [] : ['Sources', 'Source', 'src'].map((folder) => `${folder}/${name}`);
    });
  return places.length === 0 || places.includes('.') ? undefined : places;
}

/** Returns the Python packages beside the manifest or in `src/`; undefined if there are only single modules. */
function pythonPlaces(_text: string, { paths }: Listing): string[] | undefined {
  const packages = paths
    .map((path) => /^((?:src\/)?([^/]+))\/__init__\.pyi?$/.exec(path) ?? [])
    .filter(([, , name = '']) => name !== '' && !NO_PACKAGE.test(name))
    .map(([, folder = '']) => folder);
  if (packages.some((folder) => folder.startsWith('src/'))) return ['src'];
  return packages.length > 0 ? packages : undefined;
}

const NO_PACKAGE = /^(?:tests?|docs?|examples?|samples?|bench(?:marks?)?|scripts?|tools?)$/;

/** Creates the check for C# projects. If some projects are packages, another project counts only if one of them refers to it. */
function openProjects(paths: readonly string[], text: Text): (path: string) => boolean {
  const projects = new Map(
    paths.filter((path) => path.endsWith('.csproj')).map((path) => [path, text(path)]),
  );
  const shipped = new Set([...projects].filter(([, project]) => isPackage(project)).map(([path]) => path));
  if (shipped.size === 0) return ALL;
  for (const path of shipped)
    for (const [, named = ''] of (projects.get(path) ?? '').matchAll(
      /<ProjectReference\s+Include="([^"]+)"/g,
    ))
      shipped.add(posix.join(posix.dirname(path), named.replaceAll('\\', '/')));
  const folders = grouped([...projects.keys()].map((path) => [posix.dirname(path), path]));
  return (path) => {
    const folder = foldersAbove(path).find((each) => folders.has(each));
    return folder === undefined || (folders.get(folder) ?? []).some((project) => shipped.has(project));
  };
}

function isPackage(project: string): boolean {
  return (
    /<(?:PackageId|PackageTags|PackageDescription|Description|PackAsTool|GeneratePackageOnBuild)>|<IsPackable>true/i.test(
      project,
    ) && !/<IsPackable>false/i.test(project)
  );
}
