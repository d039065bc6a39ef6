import { classify } from '../pruning/classify.ts';
import { type CutParts, cutText } from '../pruning/cut.ts';
import { guessSourceType } from '../pruning/guess-source-type.ts';
import { splitLines } from '../text/lines.ts';
import type { Cutter } from './replay.ts';

/** Shorter outputs pass whole: a marker and a recovery cost more than a cut can save. */
const LEAST_CHARACTERS = 1000;
const LEAST_TOKENS_SAVED = 60;
const LEAST_SHARE_SAVED = 0.1;
const LONGEST_CHARACTERS = 2_000_000;

/** What the product itself would have shown. */
export function productCutter(parts: CutParts): Cutter {
  return ({ output }, focus) => {
    const whole = { text: output, gaps: [] };
    if (output.length < LEAST_CHARACTERS || output.length > LONGEST_CHARACTERS) return whole;
    const sourceType = guessSourceType(output);
    // A diff is read to the letter.
    if (classify(splitLines(output), sourceType).shape === 'diff') return whole;
    const cut = cutText(
      {
        id: 'prn_0000000000',
        remainingMs: OPTIONS.timeoutMs,
        request: { text: output, focus, sourceType, options: OPTIONS },
      },
      parts,
    );
    if (cut === undefined) return whole;
    const saved = cut.tokensBefore - cut.tokensAfter;
    if (saved < LEAST_TOKENS_SAVED || saved < LEAST_SHARE_SAVED * cut.tokensBefore) return whole;
    return { text: cut.prunedText, gaps: cut.annotations };
  };
}

const OPTIONS = {
  maxPruneRatio: 0.95,
  minKeepLines: 0,
  timeoutMs: 60_000,
  annotateLines: false,
  includeMarkers: true,
  markers: 'compact',
} as const;
