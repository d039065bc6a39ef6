import type { CutPolicy, LeastSize } from '@secateur/engine/request.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { Prices } from '../savings/sums.ts';

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

export function pricesOf(audit: Config['audit']): Prices {
  return {
    model: audit.priceModel,
    currency: audit.priceCurrency,
    input: audit.priceInput,
    cacheWrite: audit.priceCacheWrite,
    cacheRead: audit.priceCacheRead,
  };
}

/** Returns the price of a million input tokens in US dollars; `undefined` if none is set, or one in another currency. */
export function usdPerMillionTokens({ priceInput, priceCurrency }: Config['audit']): number | undefined {
  return priceCurrency.toUpperCase() === 'USD' ? priceInput : undefined;
}
