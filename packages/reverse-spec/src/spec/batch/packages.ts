import { posix } from 'node:path';
import type { FileFacts } from '../reading/facts.ts';

/** A folder with what is told together with it: its own files, and folders below it too small for a document. */
export interface Package {
  folder: string;
  files: FileFacts[];
}

/** More files than this and a document is cut at its folders. */
const MAX_FILES = 40;
/** Fewer and a folder is told with the one above it. */
const MIN_FILES = 8;
/** Until that has so many: a thousand components of three files each would be one document. */
const MAX_JOINED = 3 * MAX_FILES;
const MANIFEST =
  /(?:^|\/)(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|setup\.py|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|Package\.swift|[^/]+\.(?:csproj|gemspec))$/;
/** A folder is a package by the language's own rules; where packages are cheap, one of a file or two is no document. */
const FEWEST_FILES: ReadonlyMap<string, number> = new Map([
  ['go', 1],
  ['java', MIN_FILES / 2],
  ['kotlin', MIN_FILES / 2],
]);

export function packagesIn(files: readonly FileFacts[], otherPaths: readonly string[]): Package[] {
  const root = folderTree(files);
  const paths = [...otherPaths, ...files.map(({ skeleton }) => skeleton.filePath)];
  const manifests = new Set(paths.filter((path) => MANIFEST.test(path)).map((path) => posix.dirname(path)));
  return cut(root, manifests);
}

interface Folder {
  path: string;
  own: FileFacts[];
  children: Map<string, Folder>;
  /** Files in it and below it. */
  count: number;
}

function folderTree(files: readonly FileFacts[]): Folder {
  const root: Folder = { path: '.', own: [], children: new Map(), count: 0 };
  for (const file of files) {
    let at = root;
    at.count += 1;
    const folder = posix.dirname(file.skeleton.filePath);
    for (const name of folder === '.' ? [] : folder.split('/')) {
      const path = at.path === '.' ? name : `${at.path}/${name}`;
      const next = at.children.get(name) ?? { path, own: [], children: new Map(), count: 0 };
      at.children.set(name, next);
      next.count += 1;
      at = next;
    }
    at.own.push(file);
  }
  return root;
}

function cut(folder: Folder, manifests: ReadonlySet<string>): Package[] {
  const children = [...folder.children.values()];
  const isWhole = folder.count <= MAX_FILES && !children.some((child) => mustStandAlone(child, manifests));
  if (isWhole) return [{ folder: folder.path, files: allFiles(folder) }];
  const small = children.filter((child) => child.count < MIN_FILES && !mustStandAlone(child, manifests));
  const merged = [...folder.own, ...small.flatMap(allFiles)];
  const joins = merged.length <= MAX_JOINED ? new Set(small) : new Set<Folder>();
  const own = joins.size > 0 ? merged : folder.own;
  return [
    ...(own.length > 0 ? [{ folder: folder.path, files: own }] : []),
    ...children.filter((child) => !joins.has(child)).flatMap((child) => cut(child, manifests)),
  ];
}

/** Because of a manifest, or of the language, in it or below it. */
function mustStandAlone(folder: Folder, manifests: ReadonlySet<string>): boolean {
  if (manifests.has(folder.path)) return true;
  const [first] = folder.own;
  const fewest = FEWEST_FILES.get(first?.skeleton.language ?? '') ?? Number.POSITIVE_INFINITY;
  if (folder.own.length >= fewest) return true;
  return [...folder.children.values()].some((child) => mustStandAlone(child, manifests));
}

function allFiles(folder: Folder): FileFacts[] {
  return [...folder.own, ...[...folder.children.values()].flatMap(allFiles)];
}
