import { COMMAND_KINDS, type CommandKind, commandKind } from '../command-kind.ts';
import type { Weights } from './local/weights.ts';
import { type Observation, observationColumns } from './observation/columns.ts';
import { createTrees } from './observation/trees.ts';

/** How likely an agent uses each line of what its tool printed. */
export type ObservationScorer = (observation: Observation) => Usefulness;

export interface Usefulness {
  kind: CommandKind;
  /** Log-odds, and the same as calibrated probabilities. */
  scores: Float64Array;
  probabilities: Float64Array;
}

/** Trees over the network's scores, the features and the run, calibrated for each kind of command by itself. */
export function createObservationScorer(weights: Weights): ObservationScorer {
  const trees = createTrees(weights);
  const calibration = weights.tensor('calibration');
  return (observation) => {
    const kind = commandKind(observation.focus.command ?? '');
    const at = 2 * COMMAND_KINDS.indexOf(kind);
    const slope = calibration[at] ?? 1;
    const offset = calibration[at + 1] ?? 0;
    const raw = trees(observationColumns(observation), observation.lines.length);
    const scores = raw.map((score) => slope * score + offset);
    return { kind, scores, probabilities: scores.map((score) => 1 / (1 + Math.exp(-score))) };
  };
}
