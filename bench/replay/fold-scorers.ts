import { readFileSync } from 'node:fs';
import { noDeadline } from '../../packages/base/src/runtime/time.ts';
import { createLocalScorer } from '../../packages/engine/src/ranking/local-scorer.ts';
import type { LineScorer } from '../../packages/engine/src/ranking/scorer.ts';
import { createNeighbourNetwork } from '../../packages/engine/src/ranking/scorers/local/network.ts';
import { readWeights } from '../../packages/engine/src/ranking/scorers/local/weights.ts';
import { foldOf } from '../quality/examples.ts';

/** Scorers whose network never saw the repository. */
export function outOfFold(): (repository: string) => LineScorer {
  const scorers = [0, 1, 2, 3].map((fold) => {
    const file = new URL(`../quality/folds/neighbours-${fold}.bin`, import.meta.url);
    const network = createNeighbourNetwork(readWeights(readFileSync(file)));
    return createLocalScorer(() => ({ network }));
  });
  return (repository) => {
    const scorer = scorers[foldOf(repository)];
    if (scorer === undefined) throw new Error(`no fold for ${repository}`);
    return (request) => scorer({ ...request, deadline: noDeadline });
  };
}
