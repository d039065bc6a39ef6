import { grouped } from '@secateur/base/runtime/grouped.ts';
import { normaliseCode, openNamespaces, type SkeletonExport } from '../reading/skeleton.ts';
import type { Baseline, BaselineFile } from '../writing/document/baseline.ts';
import type { Added, Change, Comparison, PlacedExport, Removed } from './export-changes.ts';
import { compareExports } from './export-changes.ts';
import { shapeOf } from './shape.ts';

/** Compares two states of one target, export by export. */
export function compareBaselines(before: Baseline, after: Baseline): Comparison {
  const { pairs, removed, added } = pairFiles(flattenNamespaces(before), flattenNamespaces(after));
  const compared = pairs.map(comparePair);
  const changes: Change[] = [
    ...compared.flatMap((each) => each.changes),
    ...removed.flatMap((file) => compareExports(file, { ...file, exports: [] }).changes),
    ...added.flatMap((file) => compareExports({ ...file, exports: [] }, file).changes),
  ];
  const noise = compared.reduce((sum, each) => sum + each.noise, 0);
  return { changes: recogniseMovesAndRenames(changes), noise };
}

/** Turns members of namespaces into exports of the file. Baselines in older documents still contain namespaces. */
export function flattenNamespaces(baseline: Baseline): Baseline {
  const files = baseline.files.map((file) => ({
    ...file,
    exports: joinBlocks(openNamespaces(file.exports, file.language), file.language),
  }));
  return { ...baseline, files };
}

function comparePair({ before, after }: FilePair): Comparison {
  const exports = compareExports(before, after);
  const noise = exports.noise + importNoise(before, after);
  const silent = exports.changes.length === 0 && noise === 0 && before.contentHash !== after.contentHash;
  return { changes: exports.changes, noise: noise + (silent ? 1 : 0) };
}

function importNoise(before: BaselineFile, after: BaselineFile): number {
  const sameOrder = before.imports.join('\n') === after.imports.join('\n');
  const sameSet = [...before.imports].sort().join('\n') === [...after.imports].sort().join('\n');
  return sameSet && !sameOrder ? 1 : 0;
}

/**
 * Joins the blocks of one type (`impl A`, `extension A`, a reopened Ruby class), because a member may move
 * between them. Also joins macros that are declared twice, for the documentation and for the compiler.
 */
function joinBlocks(exports: readonly SkeletonExport[], language: string): SkeletonExport[] {
  const blocks = new Map<string, SkeletonExport>();
  for (const [at, symbol] of exports.entries()) {
    const key = isReopened(symbol, language) ? keyOf(symbol, language) : String(at);
    const known = blocks.get(key);
    blocks.set(key, known === undefined ? symbol : joined(known, symbol));
  }
  return [...blocks.values()];
}

function isReopened({ kind }: SkeletonExport, language: string): boolean {
  if (language === 'rust' && kind === 'macro') return true;
  return kind === 'impl' || (language === 'ruby' && (kind === 'class' || kind === 'namespace'));
}

/** Returns the key of a block. Attributes before the block are ignored: they only say when it is compiled. */
function keyOf({ name, kind, signature }: SkeletonExport, language: string): string {
  const words = normaliseCode(signature, language);
  return `${kind}\0${name}\0${words.slice(Math.max(0, words.search(/\b(?:impl|extension|class|module|macro_rules)\b/)))}`;
}

function joined(one: SkeletonExport, other: SkeletonExport): SkeletonExport {
  const members = [...(one.members ?? []), ...(other.members ?? [])];
  return { ...one, ...(members.length > 0 && { members }) };
}

interface FilePair {
  before: BaselineFile;
  after: BaselineFile;
}

interface Pairing {
  pairs: FilePair[];
  removed: BaselineFile[];
  added: BaselineFile[];
}

/** Pairs files with the same path. Then pairs moved files: most exports of the one are now in the other. */
function pairFiles(before: Baseline, after: Baseline): Pairing {
  const [onlyBefore, onlyAfter] = [before.files[0], after.files[0]];
  const areSingle = before.scope === 'file' && before.files.length === 1 && after.files.length === 1;
  if (areSingle && onlyBefore !== undefined && onlyAfter !== undefined) {
    return { pairs: [{ before: onlyBefore, after: onlyAfter }], removed: [], added: [] };
  }
  const byPath = new Map(after.files.map((file) => [file.path, file]));
  const pairs: FilePair[] = [];
  const removed: BaselineFile[] = [];
  for (const file of before.files) {
    const same = byPath.get(file.path);
    byPath.delete(file.path);
    if (same === undefined) removed.push(file);
    else pairs.push({ before: file, after: same });
  }
  return pairMovedFiles({ pairs, removed, added: [...byPath.values()] });
}

function pairMovedFiles({ pairs, removed, added }: Pairing): Pairing {
  const left = new Set(added);
  const stillRemoved: BaselineFile[] = [];
  const moved: FilePair[] = [];
  const index = grouped(added.flatMap((file) => [...shapes(file)].map((shape) => [shape, file] as const)));
  for (const file of removed) {
    const home = bestHome(file, index, left);
    if (home === undefined) stillRemoved.push(file);
    else {
      left.delete(home);
      moved.push({ before: file, after: home });
    }
  }
  return { pairs: [...pairs, ...moved], removed: stillRemoved, added: [...left] };
}

type ShapeIndex = ReadonlyMap<string, readonly BaselineFile[]>;

function bestHome(
  file: BaselineFile,
  index: ShapeIndex,
  left: ReadonlySet<BaselineFile>,
): BaselineFile | undefined {
  const votes = new Map<BaselineFile, number>();
  for (const key of shapes(file)) {
    for (const candidate of index.get(key) ?? []) {
      if (left.has(candidate)) votes.set(candidate, (votes.get(candidate) ?? 0) + 1);
    }
  }
  const [best] = [...votes].sort(([, one], [, other]) => other - one);
  if (best === undefined || best[1] * 2 <= file.exports.length) return undefined;
  return best[0];
}

function shapes({ exports, language }: BaselineFile): Set<string> {
  return new Set(exports.map((symbol) => moveKey({ symbol, language })));
}

type Changed = Extract<Change, { kind: 'signature' }>;

/** Replaces the removal and the addition of a moved or renamed export by a single change. */
function recogniseMovesAndRenames(changes: readonly Change[]): Change[] {
  const exports = changes.filter(({ owner }) => owner === undefined);
  const removed = exports.filter((each) => each.kind === 'removed');
  const added = exports.filter((each) => each.kind === 'added');
  const resolved = new Map<Change, Change>();
  const taken = new Set<Change>();
  const changed = exports.filter((each) => each.kind === 'signature');
  const work = { removed, added, resolved, taken };
  pairReExported(changed, work);
  pairUnique(work, moveKey);
  pairUnique(work, ({ symbol, language }) => shapeOf(symbol, language));
  return changes.filter((each) => !taken.has(each)).map((each) => resolved.get(each) ?? each);
}

interface Work {
  removed: readonly Removed[];
  added: readonly Added[];
  resolved: Map<Change, Change>;
  taken: Set<Change>;
}

function moveKey({ symbol, language }: Pick<PlacedExport, 'symbol' | 'language'>): string {
  return `${symbol.name}\0${shapeOf(symbol, language)}`;
}

/** Reports an export as moved if its old file re-exports it now, or if its new file re-exported it before. */
function pairReExported(changed: readonly Changed[], { removed, added, resolved, taken }: Work): void {
  for (const change of changed) {
    const { before, after } = change;
    const [wasPassedOn, isPassedOn] = [before, after].map(({ symbol }) => symbol.kind === 're-export');
    if (wasPassedOn === isPassedOn) continue;
    const [twin, another] = isPassedOn
      ? added.filter((each) => !taken.has(each) && moveKey(each.after) === moveKey(before))
      : removed.filter((each) => !taken.has(each) && moveKey(each.before) === moveKey(after));
    if (twin === undefined || another !== undefined) continue;
    taken.add(twin);
    if (twin.kind === 'added') resolved.set(change, { kind: 'moved', before, after: twin.after });
    else resolved.set(change, { kind: 'moved', before: twin.before, after });
  }
}

/** Pairs a removal with an addition if each is the only one with its key. */
function pairUnique(work: Work, key: (placed: PlacedExport) => string): void {
  const { resolved, taken } = work;
  const added = work.added.filter((each) => !taken.has(each));
  const removed = work.removed.filter((each) => !resolved.has(each) && !taken.has(each));
  const news = grouped(added.map((each) => [key(each.after), each]));
  const olds = grouped(removed.map((each) => [key(each.before), each]));
  for (const [shape, [old, ...otherOlds]] of olds) {
    const [now, ...otherNews] = news.get(shape) ?? [];
    if (old === undefined || now === undefined || otherOlds.length + otherNews.length > 0) continue;
    const change = relocation(old.before, now.after);
    if (change === undefined) continue;
    resolved.set(old, change);
    taken.add(now);
  }
}

function relocation(before: PlacedExport, after: PlacedExport): Change | undefined {
  if (before.symbol.name === after.symbol.name) return { kind: 'moved', before, after };
  return isConvincing(before, after) ? { kind: 'renamed', before, after } : undefined;
}

/**
 * Whether a removed and an added export with equal signatures are probably the same: the signature is long,
 * or the names are similar, or the comments are equal. Short signatures are often equal by chance.
 */
function isConvincing(before: PlacedExport, after: PlacedExport): boolean {
  const tokens = shapeOf(before.symbol, before.language).split(' ').length;
  if (tokens >= RICH_TOKENS || (before.symbol.members?.length ?? 0) >= 3) return true;
  if (before.symbol.jsDoc !== null && before.symbol.jsDoc === after.symbol.jsDoc) return true;
  return kinship(before.symbol.name, after.symbol.name) >= 0.4;
}

const RICH_TOKENS = 16;

/** Returns the share of letter pairs that two names have in common: 0 to 1. */
function kinship(one: string, other: string): number {
  const [left, right] = [letterPairs(one), letterPairs(other)];
  const common = [...left].filter((pair) => right.has(pair)).length;
  return (2 * common) / Math.max(1, left.size + right.size);
}

function letterPairs(name: string): Set<string> {
  const lower = name.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, lower.length - 1) }, (_, at) => lower.slice(at, at + 2)));
}
