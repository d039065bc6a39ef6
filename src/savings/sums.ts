import type { SavingsEntry } from './ledger.ts';

/** Honest sums: what agents asked back is taken off what was saved. */
export interface SavingsSum {
  calls: number;
  tokensBefore: number;
  tokensAfter: number;
  recoveries: number;
  tokensRecovered: number;
  /** Saved less recovered; below zero when pruning cost more than it gave. */
  netTokensSaved: number;
}

export interface SavingsReport {
  total: SavingsSum;
  bySystem: Record<string, SavingsSum>;
  byDay: Record<string, SavingsSum>;
}

export function createReport(): SavingsReport {
  return { total: emptySum(), bySystem: {}, byDay: {} };
}

/** Adds one entry in place, so that a ledger of any length is summed in constant memory. */
export function addToReport(report: SavingsReport, entry: SavingsEntry): void {
  addToSum(report.total, entry);
  addToSum(sumAt(report.bySystem, entry.system), entry);
  addToSum(sumAt(report.byDay, entry.at.slice(0, 10)), entry);
}

function emptySum(): SavingsSum {
  return { calls: 0, tokensBefore: 0, tokensAfter: 0, recoveries: 0, tokensRecovered: 0, netTokensSaved: 0 };
}

function sumAt(sums: Record<string, SavingsSum>, key: string): SavingsSum {
  const known = sums[key];
  if (known !== undefined) return known;
  const fresh = emptySum();
  sums[key] = fresh;
  return fresh;
}

function addToSum(sum: SavingsSum, entry: SavingsEntry): void {
  if (entry.kind === 'recovered') {
    sum.recoveries += 1;
    sum.tokensRecovered += entry.tokensAfter;
  } else {
    sum.calls += 1;
    sum.tokensBefore += entry.tokensBefore;
    sum.tokensAfter += entry.tokensAfter;
  }
  sum.netTokensSaved = sum.tokensBefore - sum.tokensAfter - sum.tokensRecovered;
}
