/** Price of a token as a multiple of an input token, as providers with a prompt cache charge it. */
const PRICES = { cacheWrite: 1.25, cacheRead: 0.1, output: 5 } as const;

/** Tokens that one step adds to the conversation. */
export interface PricedStep {
  /** Tokens the agent writes. */
  written: number;
  /** Tokens its tool answers. */
  shown: number;
  /** Calls that ask hidden lines back before the next step, and the tokens they bring. */
  recoveries: number;
  recovered: number;
}

/** The call that asks lines back, in tokens the agent writes. */
export const RECOVERY_CALL_TOKENS = 60;

/**
 * The price of a whole run in input tokens: each request reads what is cached, and writes what is new into the cache. A recovery is a
 * request more.
 */
export function priceOfRun(promptTokens: number, steps: readonly PricedStep[]): number {
  let cached = 0;
  let fresh = promptTokens;
  let price = 0;
  const request = (written: number, answer: number) => {
    price += cached * PRICES.cacheRead + fresh * PRICES.cacheWrite + written * PRICES.output;
    cached += fresh;
    fresh = written + answer;
  };
  for (const step of steps) {
    request(step.written, step.shown);
    for (let call = 0; call < step.recoveries; call += 1)
      request(RECOVERY_CALL_TOKENS, step.recovered / step.recoveries);
  }
  return price;
}
