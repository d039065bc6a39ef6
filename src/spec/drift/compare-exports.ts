import type { SkeletonExport } from '../reading/skeleton.ts';
import type { BaselineFile } from '../writing/document/baseline.ts';
import { type Change, type Comparison, type Placed, writtenText } from './change.ts';
import { matchByName } from './match-by-name.ts';
import { comparable } from './shape.ts';

/** The exports of one file before and after. */
export function compareExports(before: BaselineFile, after: BaselineFile): Comparison {
  const place = (file: BaselineFile) => (symbol: SkeletonExport) => ({
    path: file.path,
    language: file.language,
    symbol,
  });
  const { pairs, removed, added } = matchByName(
    before.exports.map(place(before)),
    after.exports.map(place(after)),
  );
  const compared = pairs.map(({ before: old, after: now }) => comparePair(old, now));
  return {
    changes: [
      ...compared.flatMap(({ changes }) => changes),
      ...removed.map((each): Change => ({ kind: 'removed', before: each })),
      ...added.map((each): Change => ({ kind: 'added', after: each })),
    ],
    noise: compared.reduce((sum, { noise }) => sum + noise, 0),
  };
}

function comparePair(before: Placed, after: Placed): Comparison {
  const inner = compareMembers(before, after, before.symbol.name);
  const moved: Change[] = before.path === after.path ? [] : [{ kind: 'moved', before, after }];
  if (hasSameSignature(before, after, inner)) {
    const noise = inner.noise + textNoise(before, after);
    return { changes: [...moved, ...inner.changes], noise };
  }
  return { changes: [{ kind: 'signature', before, after }, ...inner.changes], noise: inner.noise };
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

function compareMembers(before: Placed, after: Placed, owner: string): Comparison {
  const place = (holder: Placed) => (holder.symbol.members ?? []).map((symbol) => ({ ...holder, symbol }));
  const { pairs, removed, added } = matchByName(place(before), place(after));
  const compared = pairs.map(({ before: old, after: now }) => compareMember(old, now, owner));
  return {
    changes: [
      ...compared.flatMap(({ changes }) => changes),
      ...removed.map((each): Change => ({ kind: 'member-removed', owner, before: each })),
      ...added.map((each): Change => ({ kind: 'member-added', owner, after: each })),
    ],
    noise: compared.reduce((sum, { noise }) => sum + noise, 0),
  };
}

function compareMember(before: Placed, after: Placed, owner: string): Comparison {
  const inner = compareMembers(before, after, `${owner}.${before.symbol.name}`);
  if (hasSameSignature(before, after, inner)) {
    return { changes: inner.changes, noise: inner.noise + textNoise(before, after) };
  }
  return {
    changes: [{ kind: 'member-changed', owner, before, after }, ...inner.changes],
    noise: inner.noise,
  };
}
