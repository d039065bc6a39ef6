import { goalText } from '../focus.ts';
import { scoreLexically } from '../lexical-scorer.ts';
import type { LineScorer, LineScores, ScoreRequest } from '../scorer.ts';
import { type Features, readFeatures } from './local/features.ts';
import { createNeighbourNetwork, type Network } from './local/network.ts';
import { networkFits, networkStillFits } from './local/tiers.ts';
import { NEIGHBOUR_WEIGHTS } from './local/weights/neighbours.ts';
import { readWeights } from './local/weights.ts';

/** Trained models. */
export interface Models {
  /** Undefined if the machine cannot run it. */
  network: Network | undefined;
}

/**
 * Ranks lines with a small network over features of text and goal where time allows, and by words alone when the deadline is near or
 * the machine has no SIMD.
 */
export function createLocalScorer(load: () => Models = packagedModels): LineScorer {
  let models: Models | undefined;
  return (request) => {
    models ??= load();
    return score(request, models);
  };
}

function score(request: ScoreRequest, { network }: Models): LineScores {
  const { lines, focus, deadline } = request;
  const size = { lines: lines.length, characters: charactersOf(lines) };
  if (network === undefined || !networkFits(size, deadline.remainingMs())) return scoreLexically(request);
  const features = readFeatures({ ...request, goal: goalText(focus) });
  if (!networkStillFits(size, deadline.remainingMs()))
    return { scores: wordsAlone(features), areLogOdds: false, tier: 'lexical' };
  return { scores: network(features), areLogOdds: true, tier: 'full' };
}

function charactersOf(lines: readonly string[]): number {
  let characters = 0;
  for (const line of lines) characters += line.length + 1;
  return characters;
}

/** The lexical scores are among the features. */
function wordsAlone({ columns }: Features): Float64Array {
  return Float64Array.from(columns.get('near.smooth') ?? []);
}

function packagedModels(): Models {
  return { network: createNeighbourNetwork(readWeights(Buffer.from(NEIGHBOUR_WEIGHTS, 'base64'))) };
}
