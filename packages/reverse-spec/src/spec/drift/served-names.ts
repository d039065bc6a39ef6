import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createImportResolver, type ImportResolver } from '../reading/import-resolver.ts';
import { sourceText } from '../reading/source-text.ts';
import type { Baseline, BaselineFile } from '../writing/document/baseline.ts';
import type { Change, Comparison } from './change.ts';

type Removed = Extract<Change, { kind: 'removed' }>;
type Added = Extract<Change, { kind: 'added' }>;

/** The sources of today. */
export interface SourceState {
  /** The folder that the paths of `after` start from. */
  base: string;
  after: Baseline;
}

/**
 * Takes back removals of names that their module still serves without declaring them: through `export *`, a
 * `__getattr__`, or an alias that a deprecation left behind.
 */
export async function withoutServedNames(
  { changes, noise }: Comparison,
  state: SourceState,
): Promise<Comparison> {
  const removed = changes.filter(
    (each): each is Removed => each.kind === 'removed' && each.owner === undefined,
  );
  if (removed.length === 0) return { changes, noise };
  const search = new ServedSearch(state);
  const replaced = new Map<Change, Change | undefined>();
  const added = changes.filter((each): each is Added => each.kind === 'added');
  for (const change of removed) {
    const home = search.starHome(change.before.path, change.before.symbol.name);
    const twin = added.find(
      ({ after, owner }) =>
        owner === undefined && after.path === home && after.symbol.name === change.before.symbol.name,
    );
    if (twin !== undefined) {
      replaced.set(change, { kind: 'signature', before: change.before, after: twin.after });
      replaced.set(twin, undefined);
    } else if (home !== undefined || (await search.isShimmed(change))) replaced.set(change, undefined);
  }
  const kept = changes.flatMap((each) => (replaced.has(each) ? (replaced.get(each) ?? []) : [each]));
  return { changes: kept, noise: noise + changes.length - kept.length };
}

const MAX_STEPS = 8;

class ServedSearch {
  readonly #base: string;
  readonly #files: ReadonlyMap<string, BaselineFile>;
  #resolver: ImportResolver | undefined;

  constructor({ base, after }: SourceState) {
    this.#base = base;
    this.#files = new Map(after.files.map((file) => [file.path, file]));
  }

  /** The file that declares a name which `path` passes on with everything else of that file. */
  starHome(path: string, name: string, steps = MAX_STEPS): string | undefined {
    const file = this.#files.get(path);
    if (file === undefined || steps === 0) return undefined;
    for (const next of this.#starTargets(file)) {
      const isDeclared = this.#files.get(next)?.exports.some((symbol) => symbol.name === name);
      const home = isDeclared ? next : this.starHome(next, name, steps - 1);
      if (home !== undefined) return home;
    }
    return undefined;
  }

  #starTargets({ path, language, exports, imports }: BaselineFile): string[] {
    const passedOn = exports
      .filter(({ name, kind }) => name === '*' && kind === 're-export')
      .flatMap(({ signature }) => STAR_EXPORT.exec(signature)?.slice(1).find(Boolean) ?? []);
    const imported = imports.filter((line) => line.endsWith('#*')).map((line) => line.slice(0, -2));
    const modules = [...passedOn, ...(language === 'python' ? imported : [])];
    if (modules.length === 0) return [];
    this.#resolver ??= createImportResolver(this.#base, [...this.#files.keys()]);
    const wanted = modules.map((module) => ({ module, names: [] }));
    return [...this.#resolver.needsOf({ filePath: path, language, imports: wanted }).files];
  }

  /** Whether the text of the file serves the name by a means of its language. */
  async isShimmed({ before: { path, language, symbol } }: Removed): Promise<boolean> {
    const shim = SHIMS[language];
    if (shim === undefined || !this.#files.has(path)) return false;
    const text = await readFile(join(this.#base, path)).then(sourceText, () => '');
    return shim(text, symbol.name.split(/[.:\\]+/).at(-1) ?? symbol.name);
  }
}

const STAR_EXPORT = /\bfrom\s*['"]([^'"]+)['"]|\buse\s+([\w:]+)::\*/;

/** Checks by language: does a module, given its text, serve a name that it does not declare? */
const SHIMS: Readonly<Record<string, (text: string, name: string) => boolean>> = {
  python: (text, name) => /^def __getattr__\s*\(/m.test(text) && quotes(text, name),
  ruby: (text, name) => isNamedIn(text.matchAll(/\b(?:autoload|deprecate_constant)\b[^\n]{0,200}/g), name),
  php: (text, name) => isNamedIn(text.matchAll(/\bclass_alias\s{0,20}\([^;]{0,300}/g), name),
};

function quotes(text: string, name: string): boolean {
  return text.includes(`"${name}"`) || text.includes(`'${name}'`);
}

function isNamedIn(statements: Iterable<RegExpExecArray>, name: string): boolean {
  return [...statements].some(([statement]) => statement.split(/[^\p{L}\p{N}_]+/u).includes(name));
}
