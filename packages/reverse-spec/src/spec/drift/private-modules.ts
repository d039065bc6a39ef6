import { posix } from 'node:path';
import type { SkeletonExport } from '../reading/skeleton.ts';
import type { BaselineFile } from '../writing/document/baseline.ts';

type IsReachable = (symbol: SkeletonExport) => boolean;

/** Tells which exports of a file a user of the package can import: all of a public module, and of a private one what a public one passes on. */
export function reachableNames(files: readonly BaselineFile[]): (file: BaselineFile) => IsReachable {
  const modules = new RustModules(files);
  const isPrivate = (file: BaselineFile) =>
    file.language === 'python' ? isPrivatePython(file.path) : modules.isPrivate(file.path);
  const open = files.filter((file) => !isPrivate(file));
  const names = new Set(open.flatMap(passedOn));
  const wholeModules = new Set(open.flatMap(starImports));
  return (file) => {
    if (!isPrivate(file) || wholeModules.has(moduleName(file.path))) return () => true;
    return ({ name, kind }) => names.has(name) || kind === 'impl';
  };
}

/** `_compat.py` and `_vendor/six.py`; `__init__.py` and `__main__.py` are public. */
function isPrivatePython(path: string): boolean {
  return path.split('/').some((segment) => /^_(?!_)/.test(segment));
}

/** Names that a module offers under its own path though another module declares them. */
function passedOn({ exports, imports, language }: BaselineFile): string[] {
  const named = imports.flatMap((line) => (line.split('#')[1] ?? '').split(','));
  // A module of Python passes on whatever it imports; a crate of Rust only what it says `pub use` of.
  const imported = language === 'python' ? named : [];
  return [
    ...imported.map((name) => name.split(' as ')[0] ?? name),
    ...exports
      .filter(({ kind }) => kind === 're-export')
      .map(({ name, signature }) => declaredName(name, signature)),
  ];
}

/** `pub use imp::Inner as Outer` passes on `Inner`. */
function declaredName(name: string, signature: string): string {
  const words = signature.split(/\W/).filter((word) => word !== '');
  const at = words.lastIndexOf('as');
  return (at > 0 ? words[at - 1] : undefined) ?? name;
}

/** Modules of which everything is passed on: `from ._x import *`, `pub use imp::*`. */
function starImports({ exports, imports, language }: BaselineFile): string[] {
  const modules =
    language === 'python'
      ? imports.filter((line) => line.endsWith('#*')).map((line) => line.slice(0, -2))
      : exports
          .filter(({ name, kind }) => name === '*' && kind === 're-export')
          .map(({ signature }) => signature.replace(/::\*\s*$/, ''));
  return modules.map((module) => module.split(/\.|::|\s/).at(-1) ?? module);
}

/** `imp` for `src/imp.rs` and for `src/imp/mod.rs`. */
function moduleName(path: string): string {
  const stem = posix.basename(path).replace(/\.\w+$/, '');
  return stem === 'mod' || stem === '__init__' ? posix.basename(posix.dirname(path)) : stem;
}

/** The module tree of Rust: a file is private if a file above it declares it with `mod` and not with `pub mod`. */
class RustModules {
  readonly #files: ReadonlyMap<string, BaselineFile>;

  constructor(files: readonly BaselineFile[]) {
    this.#files = new Map(
      files.filter(({ language }) => language === 'rust').map((file) => [file.path, file]),
    );
  }

  isPrivate(path: string): boolean {
    const parent = this.#parentOf(path);
    if (parent === undefined) return false;
    const declared = parent.exports.some(
      ({ name, kind, signature }) =>
        kind === 'namespace' && name === moduleName(path) && /\bpub\s+mod\b/.test(signature),
    );
    return !declared || this.isPrivate(parent.path);
  }

  /** The file that declares a module: `lib.rs` or `mod.rs` beside it, or the file named like its folder. */
  #parentOf(path: string): BaselineFile | undefined {
    const name = posix.basename(path);
    if (!path.endsWith('.rs') || /^(?:lib|main|build)\.rs$/.test(name)) return undefined;
    const folder = name === 'mod.rs' ? posix.dirname(posix.dirname(path)) : posix.dirname(path);
    const candidates = ['mod.rs', 'lib.rs', 'main.rs'].map((each) => posix.join(folder, each));
    return [...candidates, `${folder}.rs`]
      .filter((each) => each !== path)
      .map((each) => this.#files.get(each))
      .find((file) => file !== undefined);
  }
}
