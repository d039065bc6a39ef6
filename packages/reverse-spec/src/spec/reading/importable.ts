import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isFields, parsedFields } from '@secateur/base/text/json.ts';
import { type FileFacts, keyOf } from './facts.ts';
import type { ImportResolver } from './import-resolver.ts';
import type { Skeleton } from './skeleton.ts';

/**
 * Returns the exports that users of a package of ES modules can import, as keys of path and name. Undefined
 * if the sources of an entry point are not found.
 */
export function importableExports(
  { base, path }: { base: string; path: string },
  files: readonly FileFacts[],
  resolver: ImportResolver,
): ReadonlySet<string> | undefined {
  const from = files.find(({ skeleton }) => SCRIPT.test(skeleton.language))?.skeleton;
  const modules = from === undefined ? undefined : entryModules(base, path);
  if (from === undefined || modules === undefined) return undefined;
  const entries = modules.map((module) => resolver.filesOf({ module, names: [] }, from)[0]);
  const walk = new Walk(files, resolver);
  for (const entry of entries) if (!walk.addAll(entry)) return undefined;
  // Users who import a declaration file run the script beside it.
  return new Set([...walk.found].flatMap((key) => [key, key.replace(DECLARATION_IN_KEY, '.$1js')]));
}

const DECLARATION_IN_KEY = /\.d\.([cm]?)ts(?=\0)/;

/** Returns the script that a declaration file describes: `a.js` for `a.d.ts`. Other paths are unchanged. */
export function scriptOf(path: string): string {
  return path.replace(/\.d\.([cm]?)ts$/, '.$1js');
}

export const SCRIPT = /^(?:typescript|tsx|javascript)$/;

/** Returns the names of the modules that the nearest manifest exports: `box` and `box/lid`. */
function entryModules(base: string, folder: string): string[] | undefined {
  const { name, exports } = manifestOf(base, folder);
  if (typeof name !== 'string') return undefined;
  const keys = isFields(exports) ? Object.keys(exports).filter((key) => key.startsWith('.')) : [];
  const paths = (keys.length === 0 ? ['.'] : keys).filter((key) => !key.endsWith('.json'));
  return paths.some((key) => key.includes('*')) ? undefined : paths.map((key) => name + key.slice(1));
}

function manifestOf(base: string, folder: string): Record<string, unknown> {
  try {
    return parsedFields(readFileSync(join(base, folder, 'package.json'), 'utf8')) ?? {};
  } catch {
    return folder === '.' ? {} : manifestOf(base, posix.dirname(folder));
  }
}

/** Follows re-exports from the entry points to the files that declare the names. */
class Walk {
  readonly found = new Set<string>();
  readonly #files: ReadonlyMap<string, FileFacts>;
  readonly #resolver: ImportResolver;

  constructor(files: readonly FileFacts[], resolver: ImportResolver) {
    this.#files = new Map(files.map((file) => [file.skeleton.filePath, file]));
    this.#resolver = resolver;
  }

  /** Adds all exports of a file. Returns false if the file is not known or has no exports of ES modules. */
  addAll(path: string | undefined): boolean {
    const exports = this.#files.get(path ?? '')?.skeleton.exports ?? [];
    for (const { name } of exports) this.#add(path ?? '', name);
    return exports.some(({ signature }) => /^(?:@[^\n]*\s)?export\b/.test(signature));
  }

  #add(path: string, name: string): void {
    const key = keyOf({ path, name });
    const file = this.#files.get(path)?.skeleton;
    if (file === undefined || this.found.has(key)) return;
    this.found.add(key);
    for (const { module, declared } of [...passedOn(file, name), ...imported(file, name)]) {
      const [to] = this.#resolver.filesOf({ module, names: [] }, file);
      if (to === undefined) continue;
      if (declared === '*') this.addAll(to);
      else this.#add(to, this.#declares(to, declared) ? declared : 'default');
    }
  }

  /** Whether a file has an export of this name or re-exports all names of another file. */
  #declares(path: string, name: string): boolean {
    const exports = this.#files.get(path)?.skeleton.exports ?? [];
    return exports.some((each) => each.name === name || each.name === '*');
  }
}

/** Matches `a` in `{ a as b }`. */
const ALIASED = /(?<![\w$])([\w$]{1,200})\s{1,9}as\s/;

/** Name in another module; `*` for all its exports. */
interface Source {
  module: string;
  declared: string;
}

/** Returns the modules from which a file re-exports a name: `export { a as b } from './a'`, `export * from './a'`. */
function passedOn({ exports }: Skeleton, name: string): Source[] {
  return exports.flatMap(({ name: own, kind, signature }) => {
    const module = /\bfrom\s*["']([^"']+)["']/.exec(signature)?.[1];
    if (kind !== 're-export' || module === undefined || (own !== name && own !== '*')) return [];
    if (own === '*') return [{ module, declared: name }];
    const isWhole = /\*\s*as\b/.test(signature);
    return [{ module, declared: isWhole ? '*' : (ALIASED.exec(signature)?.[1] ?? name) }];
  });
}

/** Returns the module from which a file imports a name that it exports in another statement. */
function imported({ exports, imports }: Skeleton, name: string): Source[] {
  const { signature = '' } = exports.find((each) => each.name === name) ?? {};
  const own = ALIASED.exec(signature) ?? /^export\s{1,9}default\s{1,9}([\w$]{1,200})$/.exec(signature);
  const local = own?.[1] ?? name;
  return imports
    .filter(({ names }) => names.some((each) => each.split(' as ').at(-1) === local))
    .map(({ module, names }) => ({
      module,
      declared: names.find((each) => each.endsWith(` as ${local}`))?.split(' as ')[0] ?? local,
    }));
}
