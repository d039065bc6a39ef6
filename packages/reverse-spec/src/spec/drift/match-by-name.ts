import { grouped } from '@secateur/base/runtime/grouped.ts';
import { plainName } from '../reading/namespaces.ts';
import type { Placed } from './change.ts';
import { comparable, shapeOf } from './shape.ts';

export interface Matching {
  pairs: { before: Placed; after: Placed }[];
  removed: Placed[];
  added: Placed[];
}

/**
 * Pairs what has the same name. Several may share one (a class and a namespace, a getter and a setter):
 * those that did not change pair first, then those of one kind, then the rest in order.
 */
export function matchByName(before: readonly Placed[], after: readonly Placed[]): Matching {
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

/** `export * from` has no name of its own: its text stands for it. */
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
