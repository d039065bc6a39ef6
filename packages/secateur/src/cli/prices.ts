import type { Config } from '@secateur/serving/config/settings.ts';
import type { Prices } from '../savings/money.ts';

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
