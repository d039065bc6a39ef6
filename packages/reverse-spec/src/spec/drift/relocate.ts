import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { Change, Placed } from './change.ts';
import { shapeOf } from './shape.ts';

type Removed = Extract<Change, { kind: 'removed' }>;
type Added = Extract<Change, { kind: 'added' }>;
type Changed = Extract<Change, { kind: 'signature' }>;

/** A removal and an addition that are one export under another path or another name become one change. */
export function recogniseMovesAndRenames(changes: readonly Change[]): Change[] {
  const exports = changes.filter(({ owner }) => owner === undefined);
  const removed = exports.filter((each): each is Removed => each.kind === 'removed');
  const added = exports.filter((each): each is Added => each.kind === 'added');
  const resolved = new Map<Change, Change>();
  const taken = new Set<Change>();
  const changed = exports.filter((each): each is Changed => each.kind === 'signature');
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

function moveKey({ symbol, language }: Placed): string {
  return `${symbol.name}\0${shapeOf(symbol, language)}`;
}

/** Moved to another file and passed on from the old one, or taken back from there: its users see no difference. */
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

/** One removal and one addition per key: where two could be meant, neither is claimed. */
function pairUnique(work: Work, key: (placed: Placed) => string): void {
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

function relocation(before: Placed, after: Placed): Change | undefined {
  if (before.symbol.name === after.symbol.name) return { kind: 'moved', before, after };
  return isConvincing(before, after) ? { kind: 'renamed', before, after } : undefined;
}

/** `a(): void` and `b(): void` share a shape by chance; a rich shape, kin names or the same comment tell a rename. */
function isConvincing(before: Placed, after: Placed): boolean {
  const tokens = shapeOf(before.symbol, before.language).split(' ').length;
  if (tokens >= RICH_TOKENS || (before.symbol.members?.length ?? 0) >= 3) return true;
  if (before.symbol.jsDoc !== null && before.symbol.jsDoc === after.symbol.jsDoc) return true;
  return kinship(before.symbol.name, after.symbol.name) >= 0.4;
}

const RICH_TOKENS = 16;

/** Share of letter pairs two names have in common. */
function kinship(one: string, other: string): number {
  const [left, right] = [letterPairs(one), letterPairs(other)];
  const common = [...left].filter((pair) => right.has(pair)).length;
  return (2 * common) / Math.max(1, left.size + right.size);
}

function letterPairs(name: string): Set<string> {
  const lower = name.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, lower.length - 1) }, (_, at) => lower.slice(at, at + 2)));
}
