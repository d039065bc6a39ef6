import type { LeastSize } from '@secateur/engine/least-size.ts';
import type { CutPolicy } from '@secateur/engine/request.ts';
import type { Config } from '@secateur/serving/config/settings.ts';

/** Returns the least a cut must save if an agent or a user asked for the text, not for a pruning. */
export function leastSizeOf({ minChars, minSavedTokens, minSavedShare }: Config['pruner']): LeastSize {
  return { characters: minChars, savedTokens: minSavedTokens, savedShare: minSavedShare };
}

/** Sizes below which nothing is cut, and rules that are switched off. */
export function cutPolicyOf({
  maxUnchangedChars,
  minDumpChars,
  maxDiffChars,
  disabledRules,
}: Config['pruner']): CutPolicy {
  return { sizes: { maxUnchangedChars, minDumpChars, maxDiffChars }, disabledRules };
}
