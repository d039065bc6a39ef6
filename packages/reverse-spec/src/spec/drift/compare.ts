import { openNamespaces } from '../reading/namespaces.ts';
import type { Baseline, BaselineFile } from '../writing/document/baseline.ts';
import type { Change, Comparison } from './change.ts';
import { compareExports } from './compare-exports.ts';
import { joinBlocks } from './join-blocks.ts';
import { type FilePair, pairFiles } from './pair-files.ts';
import { recogniseMovesAndRenames } from './relocate.ts';

/** What changed between two states of one target, export by export. */
export function compareBaselines(before: Baseline, after: Baseline): Comparison {
  const { pairs, removed, added } = pairFiles(openAll(before), openAll(after));
  const compared = pairs.map(comparePair);
  const changes: Change[] = [
    ...compared.flatMap((each) => each.changes),
    ...removed.flatMap((file) => compareExports(file, { ...file, exports: [] }).changes),
    ...added.flatMap((file) => compareExports({ ...file, exports: [] }, file).changes),
  ];
  const noise = compared.reduce((sum, each) => sum + each.noise, 0);
  return { changes: recogniseMovesAndRenames(changes), noise };
}

/** Baselines of older documents hold what namespaces hold below them. */
export function openAll(baseline: Baseline): Baseline {
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
