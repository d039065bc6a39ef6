import { maximum } from './columns.ts';
import type { GoalScores } from './goal-columns.ts';
import { ERROR } from './keywords.ts';
import { KIND_BITS } from './kind-bits.ts';
import type { Reading } from './reading.ts';

/** Computes the values that all lines share: properties of the text and the goal as a whole. */
export function textConstants(reading: Reading, scores: GoalScores): Record<string, number> {
  const { request, words, kinds, shapes } = reading;
  const total = Math.max(1, request.lines.length);
  const characters = request.lines.reduce((sum, line) => sum + line.length, 0);
  const shareOf = (bit: number) => countBits(kinds.bits, bit) / total;
  return {
    'text.lines': Math.log1p(request.lines.length) / 6,
    'text.meanLength': Math.log1p(characters / total) / 4,
    'text.vocabulary': Math.log1p(words.vocabulary.size) / 6,
    'text.code': request.sourceType === 'code' ? 1 : 0,
    'text.logs': request.sourceType === 'logs' ? 1 : 0,
    'text.docs': request.sourceType === 'docs' ? 1 : 0,
    'text.numbered': shapes.numbered ? 1 : 0,
    'text.blank': shareOf(KIND_BITS.blank),
    'text.dated': shareOf(KIND_BITS.timestamp),
    'text.located': shareOf(KIND_BITS.located),
    'text.signatures': shareOf(KIND_BITS.signature),
    'text.errors': countBits(kinds.telling, ERROR) / total,
    'goal.words': Math.log1p(words.goalWords) / 6,
    'goal.code': Math.log1p(reading.terms.code.goalTerms) / 4,
    'goal.found': shareFound(words.lineCounts, words.goalWords),
    'goal.bestWords': Math.log1p(maximum(scores.words)) / 4,
    'goal.bestCode': Math.log1p(maximum(scores.code)) / 4,
    'goal.hits': positive(scores.words) / total,
  };
}

function countBits(bits: Int32Array | Uint8Array, bit: number): number {
  let count = 0;
  for (let line = 0; line < bits.length; line += 1) if (((bits[line] as number) & bit) !== 0) count += 1;
  return count;
}

function positive(values: Float64Array): number {
  let count = 0;
  for (let line = 0; line < values.length; line += 1) if ((values[line] as number) > 0) count += 1;
  return count;
}

function shareFound(lineCounts: Int32Array, goalWords: number): number {
  let found = 0;
  for (let word = 0; word < goalWords; word += 1) if ((lineCounts[word] as number) > 0) found += 1;
  return found / Math.max(1, goalWords);
}
