import type { SkeletonExport } from '../reading/skeleton.ts';
import type { BaselineFile } from '../writing/document/baseline.ts';
import { type Change, type Comparison, type Placed, writtenText } from './change.ts';
import { matchByName } from './match-by-name.ts';
import { comparable } from './shape.ts';

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
