import { readFileSync } from 'node:fs';
import type { LineScorer } from '../../src/ranking/scorer.ts';
import { createNeighbourNetwork } from '../../src/ranking/scorers/local/network.ts';
import { readWeights } from '../../src/ranking/scorers/local/weights.ts';
import { createLocalScorer } from '../../src/ranking/scorers/local.ts';
import { createObservationScorer } from '../../src/ranking/scorers/observation.ts';
import { noDeadline } from '../../src/runtime/deadline.ts';
import { foldOf } from '../quality/examples.ts';

/** Networks and trees that never saw the repository, from the folder where training/observations.py left its trees and folds. */
export function outOfFold(folder: string): (repository: string) => LineScorer {
  const folds = JSON.parse(readFileSync(`${folder}/folds.json`, 'utf8')) as Record<string, number>;
  const read = (path: string | URL) => readWeights(readFileSync(path));
  const networks = [0, 1, 2, 3].map((fold) =>
    createNeighbourNetwork(read(new URL(`../quality/folds/neighbours-${fold}.bin`, import.meta.url))),
  );
  const trees = new Map(
    [...new Set(Object.values(folds))].map((fold) => [
      fold,
      createObservationScorer(read(`${folder}/trees-${fold}.bin`)),
    ]),
  );
  return (repository) => {
    const network = networks[foldOf(repository)];
    const observation = trees.get(folds[repository] ?? 0);
    if (network === undefined || observation === undefined) throw new Error(`no fold for ${repository}`);
    const scorer = createLocalScorer(() => ({ network, observation }));
    return (request) => scorer({ ...request, deadline: noDeadline });
  };
}
