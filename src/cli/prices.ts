import type { Config } from '../config/settings.ts';
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
