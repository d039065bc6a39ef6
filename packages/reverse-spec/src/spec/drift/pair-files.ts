import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { Baseline, BaselineFile } from '../writing/document/baseline.ts';
import { shapeOf } from './shape.ts';

export interface FilePair {
  before: BaselineFile;
  after: BaselineFile;
}

interface Pairing {
  pairs: FilePair[];
  removed: BaselineFile[];
  added: BaselineFile[];
}

/** Files of the same path, then files that moved: most of what they export is found again under another path. */
export function pairFiles(before: Baseline, after: Baseline): Pairing {
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
  return new Set(exports.map((symbol) => `${symbol.name}\0${shapeOf(symbol, language)}`));
}
