/** Prices of a million tokens; unknown ones are left out. */
export interface Prices {
  readonly model?: string | undefined;
  readonly currency: string;
  readonly input?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly cacheRead?: number | undefined;
}

/**
 * Cost of a number of tokens. A tool's answer is paid once when it is first sent, as input or, under prompt
 * caching, as a cache write, and again as a cache read on every later turn: three figures, which only the
 * user can add up.
 */
export interface Money {
  readonly prices: Prices;
  readonly input?: number;
  readonly cacheWrite?: number;
  readonly cacheReadPerTurn?: number;
}

const MILLION = 1_000_000;

/** Nothing without a price. */
export function moneyOf(tokens: number, prices: Prices): Money | undefined {
  const { input, cacheWrite, cacheRead } = prices;
  if (input === undefined && cacheWrite === undefined && cacheRead === undefined) return undefined;
  const cost = (price: number) => (tokens * price) / MILLION;
  return {
    prices,
    ...(input !== undefined && { input: cost(input) }),
    ...(cacheWrite !== undefined && { cacheWrite: cost(cacheWrite) }),
    ...(cacheRead !== undefined && { cacheReadPerTurn: cost(cacheRead) }),
  };
}
