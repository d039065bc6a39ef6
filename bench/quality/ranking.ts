import { noDeadline } from '../../packages/base/src/runtime/time.ts';
import type { LineScorer } from '../../packages/engine/src/ranking/scorer.ts';
import type { Example } from './examples.ts';
import { recall } from './figures.ts';
import { lexicalScores } from './pruning.ts';
import { byScore, fill } from './rivals.ts';

export const RATIOS = [0.5, 0.7, 0.9] as const;

/** Recall by ranking alone: at each ratio of lines, then at each of characters. */
export interface RankingFigures {
  ours: number[];
  lexical: number[];
}

export function rankingFigures(example: Example, scorer: LineScorer): RankingFigures {
  const { lines, goal, sourceType } = example;
  const { scores } = scorer({ lines, focus: { question: goal }, sourceType, deadline: noDeadline });
  const lexical = lexicalScores(example);
  return {
    ours: figuresOf(example, { byLines: byScore(scores), byCharacters: byScore(worthOf(scores, lines)) }),
    lexical: figuresOf(example, { byLines: byScore(lexical), byCharacters: byScore(lexical) }),
  };
}

/** For a budget of characters a long line has to be worth more. */
function worthOf(scores: Float64Array, lines: readonly string[]): Float64Array {
  const average = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const variance =
    scores.reduce((sum, score) => sum + (score - average) ** 2, 0) / Math.max(1, scores.length);
  const deviation = Math.sqrt(variance) + 1e-6;
  return scores.map((score, line) => score / deviation - 0.3 * Math.log((lines[line] ?? '').length + 9));
}

function figuresOf(example: Example, orders: { byLines: number[]; byCharacters: number[] }): number[] {
  const { lines } = example;
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const atLines = RATIOS.map((ratio) => {
    const count = Math.max(1, Math.round(lines.length * (1 - ratio)));
    return recall(example, new Set(orders.byLines.slice(0, count)));
  });
  const atCharacters = RATIOS.map((ratio) =>
    recall(example, fill(orders.byCharacters, lines, characters * (1 - ratio))),
  );
  return [...atLines, ...atCharacters];
}
