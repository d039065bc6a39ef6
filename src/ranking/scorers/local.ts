import { goalText } from '../focus.ts';
import { scoreLexically } from '../lexical-scorer.ts';
import type { LineScorer, LineScores, ScoreRequest } from '../scorer.ts';
import { type Features, readFeatures } from './local/features.ts';
import { createNeighbourNetwork, createPerLineNetwork, type Network } from './local/network.ts';
import { chooseTier, type Tier } from './local/tiers.ts';
import { NEIGHBOUR_WEIGHTS } from './local/weights/neighbours.ts';
import { OBSERVATION_TREES } from './local/weights/observations.ts';
import { PER_LINE_WEIGHTS } from './local/weights/per-line.ts';
import { readWeights } from './local/weights.ts';
import { createObservationScorer, type ObservationScorer } from './observation.ts';

/** The trained networks, by tier, and the trees for what an agent's tools print. */
export type Networks = Readonly<Record<Exclude<Tier, 'lexical'>, Network>> & {
  readonly observation?: ObservationScorer;
};

/**
 * Ranks lines with a small network over features of text and goal: the full one where time allows, one that looks at
 * each line by itself for very large texts, and words alone when the deadline is near. What a command printed is judged further, by
 * trees that have seen what agents use.
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
  const scores = networks[tier](features);
  const { lines, focus } = request;
  if (tier !== 'full' || focus.command === undefined || networks.observation === undefined)
    return { scores, areLogOdds: true, tier };
  return {
    ...networks.observation({ lines, focus, features, scores }),
    areLogOdds: true,
    tier: 'observation',
  };
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
    'per-line': whenNeeded(() => createPerLineNetwork(readWeights(Buffer.from(PER_LINE_WEIGHTS, 'base64')))),
    observation: createObservationScorer(readWeights(Buffer.from(OBSERVATION_TREES, 'base64'))),
  };
}

/** Few texts are so large that time is short. */
function whenNeeded(create: () => Network): Network {
  let network: Network | undefined;
  return (features) => {
    network ??= create();
    return network(features);
  };
}
