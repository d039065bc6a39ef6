import { posix } from 'node:path';
import { topLevelParts } from '../type-text.ts';
import {
  declaredName,
  firstParts,
  foldersAbove,
  type ImportedModule,
  type LanguageRule,
  type ProjectFiles,
} from './project-files.ts';

/**
 * Creates the rule for Rust. `crate::a::b` is a path relative to the root file of the crate. Other crates of
 * the project are found by their `Cargo.toml`.
 */
export function openRust(files: ProjectFiles): LanguageRule {
  const crates = new Map(files.named('Cargo.toml').flatMap((path) => crateOf(files, path)));
  return {
    resolve: ({ module, names }, from) => {
      if (module.startsWith('./'))
        return [posix.join(posix.dirname(from), module)].filter((path) => files.has(path));
      const here = placeOf(files, from);
      const paths = names.length === 0 ? [module] : names.flatMap((name) => expand(`${module}::${name}`));
      const found = paths.flatMap((path) => fileOf(startOf(path.split('::'), here, crates), files) ?? []);
      return [...new Set(found)].filter((path) => path !== from);
    },
    packageOf: (module) => firstParts(module, '::', 1),
    hidden: (from) => insideMacros(files.text(from), crates),
  };
}

const COMMENT = /\/\/[^\n]*/g;
const MODULE = /^[ \t]*(?:pub(?:\([\w: ]{0,200}\))?[ \t]+)?mod[ \t]+(?:r#)?(\w+)[ \t]*;/gm;
const PATH = /#\[path[ \t]*=[ \t]*"([^"\n]+)"\]/g;
const USE = /^[ \t]+(?:pub(?:\([\w: ]{0,200}\))?[ \t]+)?use[ \t]+(\w+)::([^;]{1,1000});/gm;

/**
 * Returns imports inside macro calls such as `cfg_net! { mod a; use crate::b; }`, which a parser leaves as
 * tokens. Skips `super`, whose meaning depends on the enclosing module.
 */
function insideMacros(text: string, crates: ReadonlyMap<string, Place>): ImportedModule[] {
  const code = text.replace(COMMENT, '');
  const modules = [...code.matchAll(MODULE)].map(([, name = '']) => ({ module: `self::${name}`, names: [] }));
  const uses = [...code.matchAll(USE)].flatMap(([, first = '', rest = '']) =>
    first === 'crate' || crates.has(first) ? [{ module: first, names: [rest.replace(/\s+/g, ' ')] }] : [],
  );
  const paths = [...code.matchAll(PATH)].map(([, path = '']) => ({ module: `./${path}`, names: [] }));
  return [...modules, ...paths, ...uses];
}

/** Position of a module: the folder of its crate's root file, and the module names from there. */
interface Place {
  root: string;
  names: readonly string[];
}

function crateOf(files: ProjectFiles, path: string): [string, Place][] {
  const text = files.text(path);
  const name = sectionValue(text, 'lib', 'name') ?? sectionValue(text, 'package', 'name');
  if (name === undefined) return [];
  const library = sectionValue(text, 'lib', 'path') ?? 'src/lib.rs';
  const root = posix.join(posix.dirname(path), posix.dirname(library));
  return [[name.replaceAll('-', '_'), { root, names: [] }]];
}

function sectionValue(toml: string, section: string, key: string): string | undefined {
  const start = toml.indexOf(`[${section}]`);
  if (start === -1) return undefined;
  const rest = toml.slice(start + section.length + 2);
  const end = rest.search(/^[ \t]*\[/m);
  const entries = rest
    .slice(0, end === -1 ? undefined : end)
    .matchAll(/^[ \t]*([\w-]+)[ \t]*=[ \t]*"([^"\n]*)"/gm);
  return [...entries].find(([, name]) => name === key)?.[2];
}

const ROOT_FILES = /(?:^|\/)(?:lib|main)\.rs$/;

function placeOf(files: ProjectFiles, from: string): Place {
  if (ROOT_FILES.test(from)) return { root: posix.dirname(from), names: [] };
  const root = foldersAbove(from).find((folder) =>
    ['lib.rs', 'main.rs'].some((name) => files.has(posix.join(folder, name))),
  );
  // Each file in `tests/`, `benches/` and `src/bin/` is a crate of its own.
  if (root === undefined || /(?:^|\/)src\/bin\/[^/]+\.rs$/.test(from))
    return { root: posix.dirname(from), names: [] };
  const below = root === '.' ? from : from.slice(root.length + 1);
  return { root, names: below.replace(/(?:\/mod)?\.rs$/, '').split('/') };
}

const MAX_PATHS = 500;

/** Expands a path: `a::{b, c::{d}}` to `a::b` and `a::c::d`. */
function expand(path: string): string[] {
  const open = path.indexOf('{');
  if (open === -1) return [declaredName(path)];
  const [prefix, inside] = [path.slice(0, open), path.slice(open + 1, path.lastIndexOf('}'))];
  return topLevelParts(inside)
    .flatMap((part) => expand(prefix + part))
    .slice(0, MAX_PATHS);
}

/** Returns the file of the longest prefix of a path that is a module. The rest of the path names an item in that file. */
function fileOf({ root, names, isCertain, least }: Start, files: ProjectFiles): string | undefined {
  for (let end = names.length; end > 0; end -= 1) {
    const path = posix.join(root, ...names.slice(0, end));
    const file = [`${path}.rs`, `${path}/mod.rs`].find((each) => files.has(each));
    if (file !== undefined) return end > least ? file : undefined;
  }
  if (!isCertain) return undefined;
  return ['lib.rs', 'main.rs'].map((name) => posix.join(root, name)).find((each) => files.has(each));
}

interface Start extends Place {
  /** Whether the path is certainly inside the project: it begins with `crate`, `self`, `super` or a crate of the project. */
  isCertain: boolean;
  /** Length of the path of the importing module. A prefix must be longer, because a module does not import itself. */
  least: number;
}

function startOf(segments: readonly string[], here: Place, crates: ReadonlyMap<string, Place>): Start {
  const [first = '', ...rest] = segments.map((each) => each.trim()).filter((each) => each !== '');
  if (first === 'crate' || first === '$crate')
    return { root: here.root, names: rest, isCertain: true, least: 0 };
  if (first === 'self' || first === 'super') {
    let base = [...here.names];
    let left = [first, ...rest];
    while (left[0] === 'super' || left[0] === 'self') {
      if (left[0] === 'super') base = base.slice(0, -1);
      left = left.slice(1);
    }
    return { root: here.root, names: [...base, ...left], isCertain: true, least: 0 };
  }
  const crate = crates.get(first);
  if (crate !== undefined) return { root: crate.root, names: rest, isCertain: true, least: 0 };
  // In `use x::Y`, `x` may be a `mod x;` of the same file.
  return {
    root: here.root,
    names: [...here.names, first, ...rest],
    isCertain: false,
    least: here.names.length,
  };
}
