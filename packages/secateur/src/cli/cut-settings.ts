import type { CutPolicy, LeastSize } from '@secateur/engine/request.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { Prices } from '../savings/sums.ts';

/** Defaults for agents: embedded engine, answers as text, and no maximum size of pruned outputs. */
export const AGENT_DEFAULTS = {
  prunerEndpoint: 'embedded',
  answer: 'text',
  maxPruneInputBytes: Number.POSITIVE_INFINITY,
} as const;

/** Returns the limits of cuts, except those of `prune_text`: minimum savings, sizes that are not cut, disabled rules. */
export function cutLimitsOf(pruner: Config['pruner']): { least: LeastSize; policy: CutPolicy } {
  const { minChars, minSavedTokens, minSavedShare, disabledRules } = pruner;
  const { maxUnchangedChars, minDumpChars, maxDiffChars } = pruner;
  return {
    least: { characters: minChars, savedTokens: minSavedTokens, savedShare: minSavedShare },
    policy: { sizes: { maxUnchangedChars, minDumpChars, maxDiffChars }, disabledRules },
  };
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

/** Returns the price in US dollars per million input tokens; `undefined` if unset or in another currency. */
export function usdPerMillionTokens({ priceInput, priceCurrency }: Config['audit']): number | undefined {
  return priceCurrency.toUpperCase() === 'USD' ? priceInput : undefined;
}
