import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isFields, parsedFields } from '@secateur/base/text/json.ts';
import { type FileFacts, keyOf, type TestMention } from './facts.ts';
import type { ImportResolver } from './import-resolver.ts';
import type { Skeleton, SkeletonExport } from './skeleton.ts';

/**
 * Returns the exports that users of a package can import, as keys of path and name. Includes the classes that
 * these exports return or extend. Undefined if the exports of an entry point are uncertain.
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
  const walk = new Walk(files, resolver, (path) => readText(join(base, path)));
  for (const entry of entries) if (!walk.addAll(entry)) return undefined;
  // Users who import a declaration file run the script beside it, so both are importable.
  return new Set([...walk.found].flatMap((key) => [key, key.replace(DECLARATION_IN_KEY, '.$1js')]));
}

const DECLARATION_IN_KEY = /\.d\.([cm]?)ts(?=\0)/;

/** Returns the script that a declaration file describes: `a.js` for `a.d.ts`. Other paths are unchanged. */
export function scriptOf(path: string): string {
  return path.replace(/\.d\.([cm]?)ts$/, '.$1js');
}

/** Assigns uses of scripts in tests to the declaration files beside the scripts. */
export function withScripts(tests: readonly TestMention[]): TestMention[] {
  const byKey = new Map(tests.map((mention) => [symbolKey(mention), mention]));
  const used = (mention: TestMention) =>
    byKey.get(symbolKey({ ...mention, filePath: scriptOf(mention.filePath) })) ?? mention;
  const moved = new Set(tests.map(used).filter((each, at) => each !== tests[at]));
  return tests
    .filter((mention) => !moved.has(mention))
    .map((mention) => ({ ...used(mention), filePath: mention.filePath }));
}

export function symbolKey({ filePath, symbolName }: Pick<TestMention, 'filePath' | 'symbolName'>): string {
  return `${filePath}\0${symbolName}`;
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

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Follows re-exports from the entry points to the files that declare the names. */
class Walk {
  readonly found = new Set<string>();
  /** Whether all exports of the visited files are known. */
  isCertain = true;
  readonly #files: ReadonlyMap<string, FileFacts>;
  readonly #resolver: ImportResolver;
  readonly #textOf: (path: string) => string;

  constructor(files: readonly FileFacts[], resolver: ImportResolver, textOf: (path: string) => string) {
    this.#files = new Map(files.map((file) => [file.skeleton.filePath, file]));
    this.#resolver = resolver;
    this.#textOf = textOf;
  }

  /** Adds all exports of a file. Returns false if the file is unknown or has no exports, or if they are uncertain. */
  addAll(path: string | undefined): boolean {
    const exports = this.#files.get(path ?? '')?.skeleton.exports ?? [];
    for (const { name } of exports) this.#add(path ?? '', name);
    return exports.length > 0 && this.isCertain;
  }

  #add(path: string, name: string): void {
    const key = keyOf({ path, name });
    const file = this.#files.get(path)?.skeleton;
    if (file === undefined || this.found.has(key)) return;
    this.found.add(key);
    for (const { module, declared } of this.#sources(file, name)) {
      const [to] = this.#resolver.filesOf({ module, names: [] }, file);
      if (to === undefined) continue;
      const meant = [declared, 'default'].find((each) => this.#declares(to, each));
      if (declared === '*' || meant === undefined) this.addAll(to);
      else this.#add(to, meant);
    }
  }

  /** Returns the modules from which an export comes, and those of classes and objects whose members the file passes on. */
  #sources(file: Skeleton, name: string): Source[] {
    const text = this.#textOf(file.filePath);
    const isScript = file.exports.every(({ signature }) => !ES_EXPORT.test(signature));
    if (isScript) this.isCertain &&= file.exports.every(isKnown) && !SETS_EXPORTS.test(text);
    const known = new Set([...namesIn(text, GIVEN), ...(isScript ? namesIn(text, MIXED_IN) : [])]);
    const given = file.imports.flatMap(({ module, names }) =>
      names.map(localName).flatMap((each) => (known.has(each) ? imported(file, each, module) : [])),
    );
    return [...required(file, name), ...passedOn(file, name), ...imported(file, name), ...given];
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

const ES_EXPORT = /^(?:@[^\n]*\s)?export\b/;
/** Matches code that adds names to the exports of a CommonJS module at run time. */
const SETS_EXPORTS = /(?<!__exportStar\([^;\n]{0,200})\bexports\s*(?:\[|[,)])/;
const REQUIRED = /\brequire\(\s*["']([^"']+)["']\s*\)(?:\.([\w$]+))?/;

/** Whether the names that an export of a CommonJS module adds are known. */
function isKnown({ name, kind, signature }: SkeletonExport): boolean {
  if (name.startsWith('...')) return false;
  if (kind === 're-export') return REQUIRED.test(signature);
  return kind !== 'default' || /=\s*["'`\d[{/]/.test(signature);
}

function localName(name: string): string {
  return name.split(' as ').at(-1) ?? name;
}

/** Matches a class that a file extends, or of which it returns an object. Users of the file can use the members of the class. */
const GIVEN = /\b(?:extends|return\s{1,9}new)\s{1,9}([\w$]+)/g;
/** Matches an object that a file passes to a function or sets as a prototype, so that an export may get its members. */
const MIXED_IN =
  /[(,]\s{0,40}([\w$]+)(?:\.prototype)?\s{0,40}(?=[,)])|\.\.\.([\w$]+)|\b__proto__\s{0,9}=\s{0,9}([\w$]+)/g;

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => match.slice(1).find(Boolean) ?? []);
}

/** Returns the module for a CommonJS export that is a module or a member of one: `exports.a = require('./a')`. */
function required({ exports }: Skeleton, name: string): Source[] {
  return exports.flatMap(({ name: own, signature }) => {
    const [, module, declared = '*'] = REQUIRED.exec(own === name ? signature : '') ?? [];
    return module === undefined ? [] : [{ module, declared }];
  });
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
function imported({ exports, imports }: Skeleton, name: string, from?: string): Source[] {
  const { signature = '' } = exports.find((each) => each.name === name) ?? {};
  const own =
    ALIASED.exec(signature) ??
    /^export\s{1,9}default\s{1,9}([\w$]{1,200})$/.exec(signature) ??
    /^[\w$.]{1,200}\s{0,9}[:=]\s{0,9}([\w$]{1,200});?$/.exec(signature);
  const local = own?.[1] ?? name;
  return imports
    .filter(
      ({ module, names }) => (from ?? module) === module && names.some((each) => localName(each) === local),
    )
    .map(({ module, names }) => ({
      module,
      declared: names.find((each) => each.endsWith(` as ${local}`))?.split(' as ')[0] ?? local,
    }));
}
