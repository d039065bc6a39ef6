import { grouped } from '@secateur/base/runtime/grouped.ts';
import { plainName } from '../reading/namespaces.ts';
import type { SkeletonExport } from '../reading/skeleton.ts';
import type { BaselineFile } from '../writing/document/baseline.ts';
import { type Change, type Comparison, type Placed, writtenText } from './change.ts';
import { comparable, shapeOf } from './shape.ts';
/** The exports of one file before and after. */
export function compareExports(before: BaselineFile, after: BaselineFile): Comparison {
  const place = ({ path, language, exports }: BaselineFile) =>
    exports.map((symbol: SkeletonExport) => ({ path, language, symbol }));
  return compareAll(place(before), place(after), undefined);
}

function compareAll(before: Placed[], after: Placed[], owner: string | undefined): Comparison {
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

function comparePair(before: Placed, after: Placed, owner: string | undefined): Comparison {
  const { name } = before.symbol;
  const members = ({ symbol, ...rest }: Placed) =>
    (symbol.members ?? []).map((member) => ({ ...rest, symbol: member }));
  const inner = compareAll(members(before), members(after), owner === undefined ? name : `${owner}.${name}`);
  if (!hasSameSignature(before, after, inner))
    return { changes: [{ kind: 'signature', owner, before, after }, ...inner.changes], noise: inner.noise };
  const isMoved = owner === undefined && before.path !== after.path;
  const moved: Change[] = isMoved ? [{ kind: 'moved', before, after }] : [];
  return { changes: [...moved, ...inner.changes], noise: inner.noise + textNoise(before, after) };
}

/** A body inside the signature (an enum's) repeats its members: where those tell the change, only the head counts. */
function hasSameSignature(before: Placed, after: Placed, inner: Comparison): boolean {
  if (before.symbol.kind !== after.symbol.kind) return false;
  const text = (each: Placed) => comparable(each.symbol, each.language);
  if (text(before) === text(after)) return true;
  return inner.changes.length > 0 && head(text(before)) === head(text(after));
}

function head(signature: string): string {
  const brace = signature.indexOf('{');
  return brace === -1 ? signature : signature.slice(0, brace);
}

function textNoise(before: Placed, after: Placed): number {
  const formatting = writtenText(before) === writtenText(after) ? 0 : 1;
  const comment = before.symbol.jsDoc === after.symbol.jsDoc ? 0 : 1;
  return formatting + comment;
}

interface Matching {
  pairs: { before: Placed; after: Placed }[];
  removed: Placed[];
  added: Placed[];
}

/**
 * Pairs what has the same name. Several may share one (a class and a namespace, a getter and a setter):
 * those that did not change pair first, then those of one kind, then the rest in order.
 */
function matchByName(before: readonly Placed[], after: readonly Placed[]): Matching {
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

/** `namespace A { class B }` written as `namespace A;` and `class B` is the same class, with a shorter name to us. */
function withUnqualified({ pairs, removed, added }: Matching): Matching {
  const left = new Set(added);
  const gone: Placed[] = [];
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

function isUnqualified({ symbol: one }: Placed, { symbol: other }: Placed): boolean {
  return one.kind === other.kind && one.name !== other.name && one.name === plainName(other.name);
}

/** `export * from` has no name of its own: its text is the key. */
function keyOf({ symbol, language }: Placed): string {
  return symbol.name === '*' ? `*\0${comparable(symbol, language)}` : symbol.name;
}

function group(list: readonly Placed[]): Map<string, Placed[]> {
  return grouped(list.map((each) => [keyOf(each), each]));
}

function pairGroup(olds: Placed[], news: Placed[], matching: Matching): void {
  const [old, now] = [olds[0], news[0]];
  if (olds.length === 1 && news.length === 1 && old !== undefined && now !== undefined) {
    matching.pairs.push({ before: old, after: now });
    return;
  }
  const rules: ((one: Placed, other: Placed) => boolean)[] = [
    (one, other) => shapeOf(one.symbol, one.language) === shapeOf(other.symbol, other.language),
    (one, other) => one.symbol.kind === other.symbol.kind,
    () => true,
  ];
  for (const rule of rules) pairWhere(rule, { olds, news, matching });
  matching.removed.push(...olds);
  matching.added.push(...news);
}

function pairWhere(
  rule: (one: Placed, other: Placed) => boolean,
  { olds, news, matching }: { olds: Placed[]; news: Placed[]; matching: Matching },
): void {
  for (const old of [...olds]) {
    const now = news.find((each) => rule(old, each));
    if (now === undefined) continue;
    matching.pairs.push({ before: old, after: now });
    olds.splice(olds.indexOf(old), 1);
    news.splice(news.indexOf(now), 1);
  }
}
