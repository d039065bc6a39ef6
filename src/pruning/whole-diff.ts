import type { SourceType } from '../ranking/scorer.ts';
import { splitLines } from '../text/lines.ts';
import { classify } from './classify.ts';

/** Diffs up to this many characters are read to the letter; longer ones lose whole hunks, files and commits. */
export const WHOLE_DIFF_CHARS = 20_000;

export function isWholeDiff(text: string, sourceType: SourceType): boolean {
  return text.length <= WHOLE_DIFF_CHARS && classify(splitLines(text), sourceType).shape === 'diff';
}
