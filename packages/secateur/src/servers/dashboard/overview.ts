import { forEachInSlices } from '@secateur/base/runtime/slices.ts';
import type { SavingsEntry } from '../../savings/ledger.ts';
import { type Money, moneyOf, type Prices } from '../../savings/money.ts';
import { reportOf, type SavingsReport } from '../../savings/sums.ts';
import type { LedgerNow } from './ledger-reader.ts';

export interface Overview extends SavingsReport {
  since: string | null;
  money: Money | null;
  /** Oldest first, without gaps. */
  series: Point[];
  /** What one point of the series spans. */
  stepSeconds: number;
}

export interface Point {
  /** Seconds since 1970 at which it begins. */
  at: number;
  netTokensSaved: number;
  tokensSaved: number;
  tokensRecovered: number;
}

const SPANS_S: Readonly<Record<string, number>> = {
  '24h': 86_400,
  '7d': 604_800,
  '30d': 2_592_000,
  '90d': 7_776_000,
};
const HOUR_S = 3600;
const DAY_S = 86_400;

/** One of the few spans there are; any other word means everything. */
export function spanNamed(asked: string): string {
  return Object.hasOwn(SPANS_S, asked) ? asked : 'all';
}

/** Figures of a span the page offers; another word means everything. */
export async function overviewOf(
  { entries, records }: LedgerNow,
  { span, now, prices }: { span: string; now: number; prices: Prices },
): Promise<Overview> {
  const spanS = SPANS_S[span];
  const since = spanS === undefined ? undefined : new Date(now - spanS * 1000).toISOString();
  const report = await reportOf(entries, since, records);
  const stepSeconds = span === '24h' ? HOUR_S : DAY_S;
  const first = Date.parse(since ?? entries[0]?.at ?? new Date(now).toISOString());
  return {
    ...report,
    since: since ?? null,
    money: moneyOf(report.total.netTokensSaved, prices) ?? null,
    series: await seriesOf(entries, { since: since ?? '', first, now, stepSeconds }),
    stepSeconds,
  };
}

interface Axis {
  since: string;
  first: number;
  now: number;
  stepSeconds: number;
}

async function seriesOf(
  entries: readonly SavingsEntry[],
  { since, first, now, stepSeconds }: Axis,
): Promise<Point[]> {
  const stepMs = stepSeconds * 1000;
  const start = Math.floor(first / stepMs);
  const count = Math.max(1, Math.floor(now / stepMs) - start + 1);
  const points = Array.from({ length: count }, (_, index) => emptyPoint((start + index) * stepSeconds));
  await forEachInSlices(entries, (entry) => {
    if (entry.at < since) return;
    const point = points[Math.floor(Date.parse(entry.at) / stepMs) - start];
    if (point !== undefined) addTo(point, entry);
  });
  return points;
}

function emptyPoint(at: number): Point {
  return { at, netTokensSaved: 0, tokensSaved: 0, tokensRecovered: 0 };
}

function addTo(point: Point, { kind, tokensBefore, tokensAfter }: SavingsEntry): void {
  if (kind === 'recovered') point.tokensRecovered += tokensAfter;
  else point.tokensSaved += tokensBefore - tokensAfter;
  point.netTokensSaved = point.tokensSaved - point.tokensRecovered;
}
