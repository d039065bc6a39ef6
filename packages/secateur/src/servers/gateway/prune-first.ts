import type { LeastSize } from '@secateur/engine/least-size.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import { type CutPolicy, USUAL_OPTIONS } from '@secateur/engine/request.ts';
import { kindOfText } from '@secateur/engine/text-kind.ts';
import type { MaskingLimits } from '../../masking/mask-text.ts';
import { goalOf, originOf } from './call-goal.ts';
import type { PruneLongText } from './shorten.ts';

const MIN_KEEP_LINES = 10;
const LARGEST_RATIO = 0.98;
/** Lines differ in length and markers take room; masking what just does not fit would cut out the best lines. */
const FILL = 0.6;

/** Who prunes, and what a cut must be worth. */
export interface GatewayPruning {
  readonly pruner: Pruner;
  readonly least: LeastSize;
  readonly policy?: CutPolicy | undefined;
  /** A text that takes longer is masked. */
  readonly timeoutMs: number;
}

/** Prunes a long text towards what the call was after, as far as needed to make masking unnecessary. */
export function pruneFirst(
  { pruner, least, policy, timeoutMs }: GatewayPruning,
  limits: MaskingLimits,
): PruneLongText {
  return async (text, { params, signal }) => {
    const goal = goalOf(params);
    if (goal === '') return undefined;
    const mostShare = (FILL * limits.maxChars) / text.length;
    const request = {
      text,
      focus: { question: goal },
      ...kindOfText(originOf(params), text),
      intent: 'explicit' as const,
      options: {
        ...USUAL_OPTIONS,
        maxPruneRatio: Math.min(LARGEST_RATIO, 1 - mostShare),
        mostShare,
        minKeepLines: MIN_KEEP_LINES,
        timeoutMs,
        least,
        ...policy,
      },
    };
    const outcome = await pruner.prune(request, signal);
    const helped = !outcome.stats.usedFallback && outcome.prunedText.length < text.length;
    return helped ? { pruneId: outcome.id, text: outcome.prunedText } : undefined;
  };
}
