import { goalText } from './focus.ts';
import type { LineScores, ScoreRequest } from './scorer.ts';
import { bm25 } from './scorers/lexical/bm25.ts';
import { readCharacters } from './scorers/lexical/char-text.ts';
import { readWords } from './scorers/lexical/line-words.ts';

/** Smoothed BM25: a line is worth what it says of the goal, and half and a quarter of what its neighbours say. */
export function scoreLexically(request: Pick<ScoreRequest, 'lines' | 'focus'>): LineScores {
  const words = readWords(readCharacters(request.lines), goalText(request.focus));
  return { scores: smoothed(bm25(words)), areLogOdds: false, tier: 'lexical' };
}

function smoothed(scores: Float64Array): Float64Array {
  const near = (line: number) => scores[line] ?? 0;
  return scores.map(
    (score, line) =>
      score + 0.5 * (near(line - 1) + near(line + 1)) + 0.25 * (near(line - 2) + near(line + 2)),
  );
}
