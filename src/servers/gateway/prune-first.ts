import type { MaskingLimits } from '../../masking/mask-text.ts';
import { sourceTypeOfFile } from '../../pruning/guess-source-type.ts';
import type { Pruner } from '../../pruning/pruner.ts';
import { fileNameOf, goalOf } from './call-goal.ts';
import type { PruneLongText } from './shorten.ts';

const TIMEOUT_MS = 1500;
const MIN_KEEP_LINES = 10;
const LARGEST_RATIO = 0.98;
/** Lines differ in length and markers take room; masking what just does not fit would cut out the best lines. */
const FILL = 0.6;

/** Prunes a long text towards what the call was after, as far as needed to make masking unnecessary. */
export function pruneFirst(pruner: Pruner, limits: MaskingLimits): PruneLongText {
  return async (text, params) => {
    const goal = goalOf(params);
    if (goal === '') return undefined;
    const mostShare = (FILL * limits.maxChars) / text.length;
    const outcome = await pruner.prune({
      text,
      focus: { question: goal },
      sourceType: sourceTypeOfFile(fileNameOf(params), text),
      options: {
        maxPruneRatio: Math.min(LARGEST_RATIO, 1 - mostShare),
        mostShare,
        minKeepLines: MIN_KEEP_LINES,
        timeoutMs: TIMEOUT_MS,
        annotateLines: false,
        includeMarkers: true,
        markers: 'canonical',
      },
    });
    const helped = !outcome.stats.usedFallback && outcome.prunedText.length < text.length;
    return helped ? { pruneId: outcome.id, text: outcome.prunedText } : undefined;
  };
}
