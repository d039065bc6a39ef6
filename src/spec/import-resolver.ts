import { posix } from 'node:path';
import type { Skeleton } from './skeleton.ts';

export interface ImportResolver {
  /** The project's files an import means; none when it names a package. */
  resolve(module: string, importer: Pick<Skeleton, 'filePath' | 'language'>): string[];
}

/** Follows imports by path and by the ends of paths, as far as that goes without running a build tool. */
export function createImportResolver(paths: readonly string[]): ImportResolver {
  const files = new Set(paths);
  const stems = new Map<string, string[]>();
  const folders = new Map<string, string[]>();
  const names = new Map<string, string[]>();
  for (const path of paths) {
    push(stems, stemOf(path), path);
    push(folders, posix.dirname(path), path);
    push(names, posix.basename(path), path);
  }
  const index: Index = {
    files,
    stems,
    folders,
    names,
    tails: tailsOf(stems.keys()),
    folderTails: tailsOf(folders.keys()),
  };
  return {
    resolve: (module, { filePath, language }) => {
      const name = module.replace(/^["'<]|["'>]$/g, '');
      const rule = rules[language] ?? byPath;
      return rule(name, filePath, index).filter((path) => path !== filePath);
    },
  };
}

interface Index {
  files: ReadonlySet<string>;
  /** Path without extension → files. */
  stems: ReadonlyMap<string, string[]>;
  folders: ReadonlyMap<string, string[]>;
  /** Last segment with extension → files. */
  names: ReadonlyMap<string, string[]>;
  /** Last one or two segments of a stem or a folder → the whole ones. */
  tails: ReadonlyMap<string, string[]>;
  folderTails: ReadonlyMap<string, string[]>;
}

type Rule = (module: string, from: string, index: Index) => string[];

function stemOf(path: string): string {
  return path.replace(/(?:\.d)?\.[^./]+$/, '');
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function tailsOf(paths: Iterable<string>): Map<string, string[]> {
  const tails = new Map<string, string[]>();
  for (const path of paths) push(tails, path.split('/').slice(-2).join('/'), path);
  return tails;
}

const INDEX_NAMES = ['index', '__init__', 'mod'];

/** `./a`, `./a.js` for `a.ts`, a folder for its index file. */
const byPath: Rule = (module, from, index) => {
  if (!module.startsWith('.')) return [];
  return atPath(posix.join(posix.dirname(from), module), index);
};

function atPath(path: string, { files, stems }: Index): string[] {
  if (files.has(path)) return [path];
  const stem = stems.get(path) ?? stems.get(stemOf(path));
  if (stem !== undefined) return stem.slice(0, 1);
  return INDEX_NAMES.flatMap((name) => stems.get(posix.join(path, name)) ?? []).slice(0, 1);
}

/** `a.b.c`: dots climb when they lead; otherwise a path from the project's root, `src/` or the importer's package. */
const python: Rule = (module, from, index) => {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(module) ?? [];
  const path = rest.split('.').join('/');
  if (dots !== '') {
    const up = '../'.repeat(dots.length - 1);
    return atPath(posix.join(posix.dirname(from), up, path), index);
  }
  const found = ['', 'src/', 'lib/'].flatMap((root) => shorten(root + path, index));
  return found.length > 0 ? found.slice(0, 1) : stemFiles(byTail(path, index), index);
};

/** The last segments may name a symbol inside the module. */
function shorten(path: string, index: Index): string[] {
  const found = atPath(path, index);
  if (found.length > 0 || !path.includes('/')) return found;
  return atPath(posix.dirname(path), index);
}

/** The file whose path ends as the name does: two segments must agree, or it would be a guess. */
function byTail(path: string, { tails }: Index): string[] {
  const segments = path.split('/').filter((part) => part !== '');
  for (let end = segments.length; end >= 2; end -= 1) {
    const whole = segments.slice(0, end).join('/');
    const candidates = tails.get(segments.slice(end - 2, end).join('/')) ?? [];
    const stem = candidates.find((each) => whole.endsWith(each) || each.endsWith(whole));
    if (stem !== undefined) return [stem];
  }
  return [];
}

function stemFiles(stemsFound: readonly string[], { stems }: Index): string[] {
  return stemsFound.flatMap((stem) => stems.get(stem) ?? []);
}

function dotted(separator: string | RegExp): Rule {
  return (module, _from, index) => stemFiles(byTail(module.split(separator).join('/'), index), index);
}

/** A Go import names a folder: all of its files. */
const go: Rule = (module, _from, { folders, folderTails }) => {
  const tail = module.split('/').slice(-2).join('/');
  const candidates = [...(folderTails.get(tail) ?? []), ...(folders.has(module) ? [module] : [])];
  const folder = candidates.find((each) => module.endsWith(each));
  return folder === undefined ? [] : (folders.get(folder) ?? []).filter((path) => path.endsWith('.go'));
};

/** Beside the file first, then wherever a path ends so (an include folder). */
const include: Rule = (module, from, index) => {
  const beside = posix.join(posix.dirname(from), module);
  if (index.files.has(beside)) return [beside];
  if (!module.includes('/')) return [];
  const candidates = index.names.get(posix.basename(module)) ?? [];
  return candidates.filter((path) => path.endsWith(`/${module}`)).slice(0, 1);
};

const ruby: Rule = (module, from, index) => {
  const beside = atPath(posix.join(posix.dirname(from), module), index);
  return beside.length > 0
    ? beside
    : ['lib/', ''].flatMap((root) => atPath(root + module, index)).slice(0, 1);
};

/** `crate::a::b`, `super::c`, `self::d`; the last segment is often an item of the module before it. */
const rust: Rule = (module, from, index) => {
  const segments = module
    .split('::')
    .map((part) => part.replace(/\{.*$/, '').trim())
    .filter((part) => part !== '');
  const here = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(from) ? posix.dirname(from) : stemOf(from);
  const source = /^(.*?\bsrc)(?:\/|$)/.exec(from)?.[1] ?? posix.dirname(from);
  const roots: Record<string, string> = { crate: source, self: here, super: posix.dirname(here) };
  const root = roots[segments[0] ?? ''];
  const path =
    root === undefined ? posix.join(here, segments.join('/')) : posix.join(root, segments.slice(1).join('/'));
  const found = atPath(path, index);
  return found.length > 0 || segments.length < 3 ? found : atPath(posix.dirname(path), index);
};

const rules: Readonly<Record<string, Rule>> = {
  python,
  go,
  rust,
  ruby,
  c: include,
  cpp: include,
  java: dotted('.'),
  kotlin: dotted('.'),
  php: dotted('\\'),
};
