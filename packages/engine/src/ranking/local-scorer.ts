import { scoreLexically } from './lexical-scorer.ts';
import { goalText, type LineScorer, type LineScores, type ScoreRequest } from './scorer.ts';
import { type Features, readFeatures } from './scorers/local/features.ts';
import { createNeighbourNetwork, type Network } from './scorers/local/network.ts';
import { NEIGHBOUR_WEIGHTS } from './scorers/local/weights/neighbours.ts';
import { readWeights } from './scorers/local/weights.ts';

export interface Models {
  /** The network; `undefined` if the machine cannot run it. */
  network: Network | undefined;
}

/**
 * Ranks lines with a small neural network over features of text and goal. Ranks them by words alone if the
 * deadline is near or the machine has no SIMD.
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

/** Returns the lexical scores. They are one of the features. */
function wordsAlone({ columns }: Features): Float64Array {
  return Float64Array.from(columns.get('near.smooth') ?? []);
}

function packagedModels(): Models {
  return { network: createNeighbourNetwork(readWeights(Buffer.from(NEIGHBOUR_WEIGHTS, 'base64'))) };
}

export interface TextSize {
  lines: number;
  characters: number;
}

/** Estimated times in ms, per line and per character, to read the features on an ordinary core; see bench/scorer-speed.ts. */
const READING = { line: 0.004, character: 0.0001 };
const NETWORK_LINE = 0.0035;
/**
 * Factor by which a machine may be slower than estimated and still use the network. Equal requests then give
 * equal results on most machines.
 */
const SLACK = 1.5;

/** Whether there is time to read the features and to run the network. */
export function networkFits(size: TextSize, remainingMs: number): boolean {
  if (hasHardlyAnyText(size)) return false;
  const { lines, characters } = size;
  const costMs = lines * (READING.line + NETWORK_LINE) + characters * READING.character;
  return costMs * SLACK <= remainingMs;
}

/** Whether there is time to run the network after the features were read, even on a machine that is slower by `SLACK`. */
export function networkStillFits({ lines }: TextSize, remainingMs: number): boolean {
  return lines * NETWORK_LINE <= remainingMs;
}

const MANY_LINES = 10_000;
const FEW_CHARACTERS = 6;

/** Whether most lines are nearly empty. The network takes time per line and learns nothing from such lines. */
function hasHardlyAnyText({ lines, characters }: TextSize): boolean {
  return lines > MANY_LINES && characters < lines * FEW_CHARACTERS;
}
