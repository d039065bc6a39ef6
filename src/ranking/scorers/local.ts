import { goalText } from '../focus.ts';
import type { LineScorer, LineScores, ScoreRequest } from '../scorer.ts';
import { scoreLexically } from './lexical.ts';
import { type Features, readFeatures } from './local/features.ts';
import { createNeighbourNetwork, createPerLineNetwork, type Network } from './local/network.ts';
import { chooseTier, type Tier } from './local/tiers.ts';
import { NEIGHBOUR_WEIGHTS } from './local/weights/neighbours.ts';
import { PER_LINE_WEIGHTS } from './local/weights/per-line.ts';
import { readWeights } from './local/weights.ts';

/** The trained networks, by tier. */
export type Networks = Readonly<Record<Exclude<Tier, 'lexical'>, Network>>;

/**
 * Ranks lines with a small network over features of text and goal: the full one where time allows, one that looks at
 * each line by itself for very large texts, and words alone when the deadline is near.
 */
export function createLocalScorer(load: () => Networks = packagedNetworks): LineScorer {
  let networks: Networks | undefined;
  return (request) => {
    networks ??= load();
    return score(request, networks);
  };
}

function score(request: ScoreRequest, networks: Networks): LineScores {
  const size = { lines: request.lines.length, characters: charactersOf(request.lines) };
  const planned = chooseTier(size, request.deadline.remainingMs());
  if (planned === 'lexical') return scoreLexically(request);
  const features = readFeatures({ ...request, goal: goalText(request.focus) });
  const tier = chooseTier(size, request.deadline.remainingMs(), planned);
  if (tier === 'lexical') return { scores: wordsAlone(features), areLogOdds: false, tier };
  return { scores: networks[tier](features), areLogOdds: true, tier };
}

function charactersOf(lines: readonly string[]): number {
  let characters = 0;
  for (const line of lines) characters += line.length + 1;
  return characters;
}

/** The lexical scores are among the features. */
function wordsAlone({ columns }: Features): Float64Array {
  return Float64Array.from(columns['near.smooth'] ?? []);
}

function packagedNetworks(): Networks {
  return {
    full: createNeighbourNetwork(readWeights(Buffer.from(NEIGHBOUR_WEIGHTS, 'base64'))),
    'per-line': createPerLineNetwork(readWeights(Buffer.from(PER_LINE_WEIGHTS, 'base64'))),
  };
}
