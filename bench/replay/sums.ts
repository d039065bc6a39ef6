import { priceOfRun, type ReplayedStep } from '../../packages/secateur/src/replay/replay.ts';

/** Effect of one way of cutting on many outputs. */
export interface Sums {
  outputs: number;
  tokensBefore: number;
  tokensAfter: number;
  recoveryTokens: number;
  recoveries: number;
  used: number;
  usedSeen: number;
  copied: number;
  copiedSeen: number;
  copiedSeenHereOrEarlier: number;
}

export function emptySums(): Sums {
  return {
    outputs: 0,
    tokensBefore: 0,
    tokensAfter: 0,
    recoveryTokens: 0,
    recoveries: 0,
    used: 0,
    usedSeen: 0,
    copied: 0,
    copiedSeen: 0,
    copiedSeenHereOrEarlier: 0,
  };
}

export function addStep(sums: Sums, step: ReplayedStep): void {
  sums.outputs += 1;
  sums.tokensBefore += step.tokensBefore;
  sums.tokensAfter += step.tokensAfter;
  sums.recoveryTokens += step.recoveryTokens;
  sums.recoveries += step.recoveries;
  sums.used += step.used.lines;
  sums.usedSeen += step.used.seen;
  sums.copied += step.copied.lines;
  sums.copiedSeen += step.copied.seen;
  sums.copiedSeenHereOrEarlier += step.copied.seenHereOrEarlier;
}

/** The whole run's price after and before, in input tokens. */
export function prices(
  promptTokens: number,
  steps: readonly ReplayedStep[],
): { before: number; after: number } {
  return {
    before: priceOfRun(
      promptTokens,
      steps.map(({ priced }) => priced.before),
    ),
    after: priceOfRun(
      promptTokens,
      steps.map(({ priced }) => priced.after),
    ),
  };
}
