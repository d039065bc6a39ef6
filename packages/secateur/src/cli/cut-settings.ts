import type { CutPolicy, LeastSize } from '@secateur/engine/request.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { Prices } from '../savings/sums.ts';

/** Defaults for agents: embedded engine, answers as text, and no maximum size of pruned outputs. */
export const AGENT_DEFAULTS = {
  prunerEndpoint: 'embedded',
  answer: 'text',
  maxPruneInputBytes: Number.POSITIVE_INFINITY,
} as const;

/** Returns what a cut must save at least. Does not apply to explicit calls of `prune_text`. */
export function leastSizeOf({ minChars, minSavedTokens, minSavedShare }: Config['pruner']): LeastSize {
  return { characters: minChars, savedTokens: minSavedTokens, savedShare: minSavedShare };
}

/** Returns the sizes below which nothing is cut and the rules that are switched off. */
export function cutPolicyOf({
  maxUnchangedChars,
  minDumpChars,
  maxDiffChars,
  disabledRules,
}: Config['pruner']): CutPolicy {
  return { sizes: { maxUnchangedChars, minDumpChars, maxDiffChars }, disabledRules };
}

export function pricesOf(audit: Config['audit']): Prices {
  return {
    model: audit.priceModel,
    currency: audit.priceCurrency,
    input: audit.priceInput,
    cacheWrite: audit.priceCacheWrite,
    cacheRead: audit.priceCacheRead,
  };
}

/** Returns the price of a million input tokens in US dollars; `undefined` if it is not set or not USD. */
export function usdPerMillionTokens({ priceInput, priceCurrency }: Config['audit']): number | undefined {
  return priceCurrency.toUpperCase() === 'USD' ? priceInput : undefined;
}
