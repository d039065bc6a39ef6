import { forEachInSlices } from '@secateur/base/runtime/event-loop-queue.ts';
import type { SavingsEntry } from './ledger.ts';
import { type CutRecords, cutRecords } from './ledger-view.ts';

/** Tokens saved minus tokens recovered. */
export type SavingsSum = ReturnType<typeof emptySum>;
export type SumsByName = Record<string, SavingsSum>;
export type SavingsReport = ReturnType<typeof emptyReport>;

/** Adds up the entries since an ISO time. A recovery counts on its own day, for the tool of its cut. */
export async function reportOf(
  entries: readonly SavingsEntry[],
  since = '',
  records?: CutRecords,
): Promise<SavingsReport> {
  const { cuts, cutOf } = records ?? (await cutRecords(entries));
  const report = emptyReport();
  const durations = new Map<number, number>();
  await forEachInSlices(entries, (entry) => {
    if (entry.at < since) return;
    addEntry(report, entry, cutOf(entry) ?? entry);
    const { durationMs } = entry;
    if (durationMs !== undefined) durations.set(durationMs, (durations.get(durationMs) ?? 0) + 1);
  });
  await forEachInSlices(cuts, ({ entry, recoveries, netTokensSaved }) => {
    if (entry.at < since) return;
    if (recoveries > 0) report.cutsAskedBack += 1;
    if (netTokensSaved < 0) report.losses += 1;
  });
  report.latencyMs = { p50: quantile(durations, 0.5), p95: quantile(durations, 0.95) };
  return report;
}

/** Returns the name of the server in figures: a server behind the gateway, or the part of Sécateur. */
export function serverOf({ server, system }: Pick<SavingsEntry, 'server' | 'system'>): string {
  return server ?? system;
}

/** Name in figures of clients that sent no name. */
export const UNKNOWN_CLIENT = 'unknown';

function emptyReport() {
  return {
    total: emptySum(),
    bySystem: byName<SavingsSum>(),
    byServer: byName<SavingsSum>(),
    byClient: byName<SavingsSum>(),
    byTool: byName<SavingsSum>(),
    byDay: byName<SavingsSum>(),
    fallbackReasons: byName<number>(),
    /** Calls that agents made because of a cut, by kind. Each is also counted as a recovery (A19). */
    followingCalls: { recoveries: 0, repeatedCalls: 0, secondReads: 0 },
    /** `cutsAskedBack`: cuts from which lines were recovered. `losses`: cuts that cost more than they saved. */
    cutsAskedBack: 0,
    losses: 0,
    /** Time in ms by which cuts delayed their calls; null before the first cut whose time is known. */
    latencyMs: { p50: null as number | null, p95: null as number | null },
  };
}

/** Creates an object without a prototype, because a tool may be called `constructor`. */
function byName<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

function emptySum() {
  return {
    /** Number of cuts, maskings, and texts that were returned unchanged for a reason. */
    calls: 0,
    ...{ tokensBefore: 0, tokensAfter: 0, recoveries: 0, tokensRecovered: 0 },
    /** Tokens saved minus tokens recovered. Negative if pruning cost more than it saved. */
    netTokensSaved: 0,
    fallbacks: 0,
  };
}

function addEntry(report: SavingsReport, entry: SavingsEntry, origin: SavingsEntry): void {
  addToSum(report.total, entry);
  addToSum(sumAt(report.bySystem, origin.system), entry);
  addToSum(sumAt(report.byServer, serverOf(origin)), entry);
  addToSum(sumAt(report.byClient, origin.client ?? UNKNOWN_CLIENT), entry);
  addToSum(sumAt(report.byTool, origin.tool), entry);
  addToSum(sumAt(report.byDay, entry.at.slice(0, 10)), entry);
  if (entry.kind === 'recovered') report.followingCalls[FOLLOWING[entry.by ?? 'recover_text']] += 1;
  if (entry.fallback === undefined) return;
  report.fallbackReasons[entry.fallback] = (report.fallbackReasons[entry.fallback] ?? 0) + 1;
}

const FOLLOWING = {
  recover_text: 'recoveries',
  repeated_call: 'repeatedCalls',
  second_read: 'secondReads',
} as const;

function sumAt(sums: SumsByName, key: string): SavingsSum {
  sums[key] ??= emptySum();
  return sums[key];
}

function addToSum(sum: SavingsSum, entry: SavingsEntry): void {
  if (entry.kind === 'recovered') {
    sum.recoveries += 1;
    sum.tokensRecovered += entry.tokensAfter;
  } else {
    sum.calls += 1;
    sum.tokensBefore += entry.tokensBefore;
    sum.tokensAfter += entry.tokensAfter;
    if (entry.fallback !== undefined) sum.fallbacks += 1;
  }
  sum.netTokensSaved = sum.tokensBefore - sum.tokensAfter - sum.tokensRecovered;
}

/** Returns the smallest value for which at least `share` of the counted values are equal or smaller. */
function quantile(counts: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...counts].sort(([left], [right]) => left - right);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.ceil(total * share);
  for (const [value, count] of sorted) {
    left -= count;
    if (left <= 0) return value;
  }
  return null;
}

/** Prices per million tokens. Prices that the user did not set are absent. */
export interface Prices {
  readonly model?: string | undefined;
  readonly currency: string;
  readonly input?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly cacheRead?: number | undefined;
}

/**
 * Cost of a number of tokens. An output is paid for when it is first sent, as input or, with prompt caching,
 * as a cache write. On each later turn it is paid for as a cache read. How often that happens is not known
 * here, so the figures are separate.
 */
export interface Money {
  readonly prices: Prices;
  readonly input?: number;
  readonly cacheWrite?: number;
  readonly cacheReadPerTurn?: number;
}

const MILLION = 1_000_000;

/** Returns the cost; `undefined` if no price is set. */
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
