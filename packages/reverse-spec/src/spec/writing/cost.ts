import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { DocumentLanguage } from '../words.ts';
import type { SpecContext } from './context.ts';
import type { TokenUsage } from './document/front-matter.ts';
import { systemPrompt } from './model-writer/system-prompt.ts';

/** US dollars a million tokens. */
export interface Price {
  input: number;
  output: number;
}

export interface Estimate {
  calls: number;
  systemTokens: number;
  inputTokens: number;
  /** From the size of each context; the model decides. */
  outputTokens: number;
}

/** Estimates calls about each context. */
export function estimateCalls(contexts: readonly SpecContext[], language: DocumentLanguage): Estimate {
  const systemTokens = estimateTokens(systemPrompt(language));
  const sum = (tokens: (context: SpecContext) => number) =>
    contexts.reduce((total, context) => total + tokens(context), 0);
  return {
    calls: contexts.length,
    systemTokens,
    inputTokens: sum(({ tokenCount }) => tokenCount + systemTokens),
    outputTokens: sum(({ tokenCount }) => outputFor(tokenCount)),
  };
}

/** Eight sections of prose: a floor, more for more code, and the writer's own ceiling. */
function outputFor(contextTokens: number): number {
  return Math.min(6_000, 1_200 + Math.round(contextTokens * 0.25));
}

/** Without cache discounts: what a run paid, at most. */
export function priceOfUsage({ input, output, cacheRead, cacheWrite }: TokenUsage, price: Price): number {
  return priceOf({ input: input + cacheRead + cacheWrite, output }, price);
}

/** Without cache discounts: an upper bound as far as the counts go. */
export function priceOf({ input, output }: { input: number; output: number }, price: Price): number {
  return (input * price.input + output * price.output) / 1_000_000;
}

/** Keeps a run below what it may cost: what is about to be asked counts before it is asked. */
export class Spending {
  readonly #max: number;
  readonly #price: Price;
  #spent = 0;

  constructor(max: number, price: Price) {
    this.#max = max;
    this.#price = price;
  }

  /** Reserves the estimate until the returned function gets the usage; undefined if over the limit. */
  reserve(estimate: Estimate): ((usage: TokenUsage) => void) | undefined {
    const expected = priceOf({ input: estimate.inputTokens, output: estimate.outputTokens }, this.#price);
    if (this.#spent + expected > this.#max) return undefined;
    this.#spent += expected;
    return (usage) => {
      this.#spent += priceOfUsage(usage, this.#price) - expected;
    };
  }
}
