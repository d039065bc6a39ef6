import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import { createImportResolver, type ImportResolver } from '../reading/import-resolver.ts';
import { sourceText } from '../reading/read-bodies.ts';
import { plainName, type SkeletonExport } from '../reading/skeleton.ts';
import type { Baseline, BaselineFile } from '../writing/document/baseline.ts';
import { comparable, shapeOf } from './shape.ts';
import { starModules } from './visibility.ts';

/** An export with the signature that is compared. */
export interface ComparedExport extends SkeletonExport {
  /** Signature in the source, if `signature` lacks parts that the rules ignore. */
  written?: string;
}

/** An export and the file it is in. */
export interface PlacedExport {
  path: string;
  language: string;
  symbol: ComparedExport;
}

export function writtenText({ symbol }: PlacedExport): string {
  return symbol.written ?? symbol.signature;
}

/** A change of an export, or of a member of the export `owner`. */
export type Change = { owner?: string | undefined } & (
  | { kind: 'added'; after: PlacedExport }
  | { kind: 'removed'; before: PlacedExport }
  | { kind: 'renamed'; before: PlacedExport; after: PlacedExport }
  | { kind: 'moved'; before: PlacedExport; after: PlacedExport }
  | { kind: 'signature'; before: PlacedExport; after: PlacedExport }
);

/** Returns the name of a changed export in rules and reports. For a member it is `Owner.member`. */
export function changedName({ owner }: Change, { symbol }: PlacedExport): string {
  return owner === undefined ? symbol.name : `${owner}.${symbol.name}`;
}

export interface Comparison {
  changes: Change[];
  /** Number of differences without meaning: formatting, comments, import order. */
  noise: number;
}

/** Compares the exports of one file before and after. */
export function compareExports(before: BaselineFile, after: BaselineFile): Comparison {
  const place = ({ path, language, exports }: BaselineFile) =>
    exports.map((symbol: SkeletonExport) => ({ path, language, symbol }));
  return compareAll(place(before), place(after), undefined);
}

function compareAll(before: PlacedExport[], after: PlacedExport[], owner: string | undefined): Comparison {
  const { pairs, removed, added } = matchByName(before, after);
  const compared = pairs.map((pair) => comparePair(pair.before, pair.after, owner));
  return {
    changes: [
      ...compared.flatMap(({ changes }) => changes),
      ...removed.map((each): Change => ({ kind: 'removed', owner, before: each })),
      ...added.map((each): Change => ({ kind: 'added', owner, after: each })),
    ],
    noise: compared.reduce((sum, { noise }) => sum + noise, 0),
  };
}

function comparePair(before: PlacedExport, after: PlacedExport, owner: string | undefined): Comparison {
  const { name } = before.symbol;
  const members = ({ symbol, ...rest }: PlacedExport) =>
    (symbol.members ?? []).map((member) => ({ ...rest, symbol: member }));
  const inner = compareAll(members(before), members(after), owner === undefined ? name : `${owner}.${name}`);
  if (!hasSameSignature(before, after, inner))
    return { changes: [{ kind: 'signature', owner, before, after }, ...inner.changes], noise: inner.noise };
  const isMoved = owner === undefined && before.path !== after.path;
  const moved: Change[] = isMoved ? [{ kind: 'moved', before, after }] : [];
  return { changes: [...moved, ...inner.changes], noise: inner.noise + textNoise(before, after) };
}

/**
 * Whether the signature is unchanged. A signature that includes a body repeats the members. If members
 * changed, only the text before the body is compared.
 */
function hasSameSignature(before: PlacedExport, after: PlacedExport, inner: Comparison): boolean {
  if (before.symbol.kind !== after.symbol.kind) return false;
  const text = (each: PlacedExport) => comparable(each.symbol, each.language);
  if (text(before) === text(after)) return true;
  return inner.changes.length > 0 && head(text(before)) === head(text(after));
}

function head(signature: string): string {
  const brace = signature.indexOf('{');
  return brace === -1 ? signature : signature.slice(0, brace);
}

function textNoise(before: PlacedExport, after: PlacedExport): number {
  const formatting = writtenText(before) === writtenText(after) ? 0 : 1;
  const comment = before.symbol.jsDoc === after.symbol.jsDoc ? 0 : 1;
  return formatting + comment;
}

interface Matching {
  pairs: { before: PlacedExport; after: PlacedExport }[];
  removed: PlacedExport[];
  added: PlacedExport[];
}

/**
 * Pairs exports by name. Exports that share a name, as getter and setter do, are paired if unchanged, then if
 * of the same kind, then in order.
 */
function matchByName(before: readonly PlacedExport[], after: readonly PlacedExport[]): Matching {
  const left = group(after);
  const matching: Matching = { pairs: [], removed: [], added: [] };
  for (const [key, olds] of group(before)) {
    const news = left.get(key) ?? [];
    left.delete(key);
    pairGroup(olds, news, matching);
  }
  matching.added.push(...[...left.values()].flat());
  return withUnqualified(matching);
}

/** Pairs `A.B` of `namespace A { … }` with `B` after `namespace A;`. */
function withUnqualified({ pairs, removed, added }: Matching): Matching {
  const left = new Set(added);
  const gone: PlacedExport[] = [];
  for (const before of removed) {
    const after = [...left].find((each) => isUnqualified(before, each) || isUnqualified(each, before));
    if (after === undefined) gone.push(before);
    else {
      left.delete(after);
      pairs.push({ before, after });
    }
  }
  return { pairs, removed: gone, added: [...left] };
}

function isUnqualified({ symbol: one }: PlacedExport, { symbol: other }: PlacedExport): boolean {
  return one.kind === other.kind && one.name !== other.name && one.name === plainName(other.name);
}

function group(list: readonly PlacedExport[]): Map<string, PlacedExport[]> {
  return grouped(
    list.map((each) => [
      each.symbol.name === '*' ? `*\0${comparable(each.symbol, each.language)}` : each.symbol.name,
      each,
    ]),
  );
}

function pairGroup(olds: PlacedExport[], news: PlacedExport[], matching: Matching): void {
  const [old, now] = [olds[0], news[0]];
  if (olds.length === 1 && news.length === 1 && old !== undefined && now !== undefined) {
    matching.pairs.push({ before: old, after: now });
    return;
  }
  const rules: ((one: PlacedExport, other: PlacedExport) => boolean)[] = [
    (one, other) => shapeOf(one.symbol, one.language) === shapeOf(other.symbol, other.language),
    (one, other) => one.symbol.kind === other.symbol.kind,
    () => true,
  ];
  for (const rule of rules) pairWhere(rule, { olds, news, matching });
  matching.removed.push(...olds);
  matching.added.push(...news);
}

function pairWhere(
  rule: (one: PlacedExport, other: PlacedExport) => boolean,
  { olds, news, matching }: { olds: PlacedExport[]; news: PlacedExport[]; matching: Matching },
): void {
  for (const old of [...olds]) {
    const now = news.find((each) => rule(old, each));
    if (now === undefined) continue;
    matching.pairs.push({ before: old, after: now });
    olds.splice(olds.indexOf(old), 1);
    news.splice(news.indexOf(now), 1);
  }
}

export type Removed = Extract<Change, { kind: 'removed' }>;
export type Added = Extract<Change, { kind: 'added' }>;

/** Current sources, with the folder to which their paths are relative. */
type SourceState = { base: string; after: Baseline };

/**
 * Removes the removals of names that a module still provides without declaring them: by `export *`,
 * `__getattr__` or an alias for compatibility.
 */
export async function withoutServedNames(
  { changes, noise }: Comparison,
  state: SourceState,
): Promise<Comparison> {
  const ofFiles = changes.filter(({ owner }) => owner === undefined);
  const removed = ofFiles.filter((each) => each.kind === 'removed');
  if (removed.length === 0) return { changes, noise };
  const search = new ServedSearch(state);
  const replaced = new Map<Change, Change | undefined>();
  const added = ofFiles.filter((each) => each.kind === 'added');
  for (const change of removed) {
    const { name } = change.before.symbol;
    const home = search.starHome(change.before.path, name);
    const twin = added.find(({ after }) => after.path === home && after.symbol.name === name);
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

  /** Returns the file that declares a name, if `path` re-exports all names of that file; undefined otherwise. */
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

  #starTargets(file: BaselineFile): string[] {
    const imports = starModules(file).map((module) => ({ module, names: [] }));
    if (imports.length === 0) return [];
    this.#resolver ??= createImportResolver(this.#base, [...this.#files.keys()]);
    const { path: filePath, language } = file;
    return [...this.#resolver.needsOf({ filePath, language, imports }).files];
  }

  /** Whether a file provides the name at run time, according to `SHIMS`. */
  async isShimmed({ before: { path, language, symbol } }: Removed): Promise<boolean> {
    const shim = SHIMS[language];
    if (shim === undefined || !this.#files.has(path)) return false;
    const text = await readFile(join(this.#base, path)).then(sourceText, () => '');
    return shim(text, symbol.name.split(/[.:\\]+/).at(-1) ?? symbol.name);
  }
}

/** Functions by language that decide from a module's text whether it provides a name without declaring it. */
const SHIMS: Readonly<Record<string, (text: string, name: string) => boolean>> = {
  python: (text, name) =>
    /^def __getattr__\s*\(/m.test(text) && [`"${name}"`, `'${name}'`].some((quoted) => text.includes(quoted)),
  ruby: (text, name) => isNamedIn(text.matchAll(/\b(?:autoload|deprecate_constant)\b[^\n]{0,200}/g), name),
  php: (text, name) => isNamedIn(text.matchAll(/\bclass_alias\s{0,20}\([^;]{0,300}/g), name),
};

function isNamedIn(statements: Iterable<RegExpExecArray>, name: string): boolean {
  return [...statements].some(([statement]) => statement.split(/[^\p{L}\p{N}_]+/u).includes(name));
}
