import type { Paint } from '@secateur/serving/commands/terminal.ts';
import type { Money } from '../../savings/money.ts';
import type { SavingsReport, SavingsSum, SumsByName } from '../../savings/sums.ts';
import { table } from '../table.ts';

export const GROUPINGS = ['tool', 'server', 'client', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Described {
  readonly report: SavingsReport;
  readonly money: Money | undefined;
  /** Without one: by server, and the last days. */
  readonly by: Grouping | undefined;
  readonly paint: Paint;
}

export function describeStats({ report, money, by, paint }: Described): string {
  if (report.total.calls === 0 && report.total.recoveries === 0) return 'Nothing pruned yet.';
  const days = daysOf(report, by === 'day' ? MAX_DAYS : LAST_DAYS);
  const groups = by === undefined ? rowsOf(report.byServer) : rowsOf(sumsBy(report, by));
  const rows = [
    HEADER,
    ...(by === 'day' ? [] : groups),
    ...(by === undefined || by === 'day' ? withBars(days) : []),
    ['total', ...figures(report.total), ''],
  ];
  return [table(rows, paint, [0, HEADER.length - 1]), '', ...remarks(report, money)].join('\n').trimEnd();
}

const LAST_DAYS = 7;
const MAX_DAYS = 60;
const HEADER = ['', 'calls', 'tokens before', 'after', 'recovered', 'net saved', ''];

function sumsBy(report: SavingsReport, by: Grouping): SumsByName {
  return { tool: report.byTool, server: report.byServer, client: report.byClient, day: report.byDay }[by];
}

/** The largest savings first; what cost more than it gave comes last. */
function rowsOf(sums: SumsByName): string[][] {
  const sorted = Object.entries(sums).sort(
    ([, left], [, right]) => right.netTokensSaved - left.netTokensSaved,
  );
  return sorted.map(([name, sum]) => [name, ...figures(sum), '']);
}

function daysOf({ byDay }: SavingsReport, count: number): [string, SavingsSum][] {
  return Object.entries(byDay)
    .sort(([left], [right]) => (left < right ? 1 : -1))
    .slice(0, count);
}

const BAR_CELLS = 24;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function withBars(days: readonly [string, SavingsSum][]): string[][] {
  const largest = Math.max(1, ...days.map(([, { netTokensSaved }]) => netTokensSaved));
  return days.map(([day, sum]) => [day, ...figures(sum), bar(sum.netTokensSaved / largest)]);
}

function bar(share: number): string {
  if (share < 0) return '✗ loss';
  const eighths = Math.round(share * BAR_CELLS * 8);
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

function figures(sum: SavingsSum): string[] {
  const share = sum.tokensBefore === 0 ? 0 : Math.round((100 * sum.netTokensSaved) / sum.tokensBefore);
  const counts = [sum.calls, sum.tokensBefore, sum.tokensAfter, sum.tokensRecovered];
  return [...counts.map(grouped), `${grouped(sum.netTokensSaved)} (${share} %)`];
}

function remarks(report: SavingsReport, money?: Money): string[] {
  const { total, cutsAskedBack, losses, fallbackReasons, latencyMs } = report;
  const reasons = Object.entries(fallbackReasons).map(([reason, count]) => `${reason} ${grouped(count)}`);
  return [
    `recovered  ${grouped(cutsAskedBack)} of ${grouped(total.calls)} cuts, ${grouped(losses)} at a loss`,
    ...followingLines(report),
    `fallbacks  ${grouped(total.fallbacks)}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`,
    ...(latencyMs.p50 === null ? [] : [`added latency  p50 ${latencyMs.p50} ms, p95 ${latencyMs.p95} ms`]),
    ...(money === undefined ? [] : moneyLines(money)),
  ];
}

/** Above this share of cuts with a call that followed because of them, cutting helps too little. */
const MAX_RECOVERIES_PER_CUT = 0.1;

/** The calls that agents made because of a cut, and a warning if they are more than one in ten cuts. */
function followingLines({ total, followingCalls }: SavingsReport): string[] {
  const { recoveries, repeatedCalls, secondReads } = followingCalls;
  const kinds = [
    `${grouped(recoveries)} recoveries`,
    `${grouped(repeatedCalls)} repeated calls`,
    `${grouped(secondReads)} reads of the same file`,
  ];
  const line = `calls that followed a cut  ${grouped(total.recoveries)} (${kinds.join(', ')})`;
  if (total.recoveries <= MAX_RECOVERIES_PER_CUT * (total.calls - total.fallbacks)) return [line];
  return [
    line,
    'warning: more than one recovery in ten cuts. `secateur stats --by tool` shows where; hook.exclude, hook.exclude_commands or `secateur off` return such outputs unchanged.',
  ];
}

function moneyLines({ prices, input, cacheWrite, cacheReadPerTurn }: Money): string[] {
  const { currency, model } = prices;
  const rows = [
    { value: input, price: prices.input, text: 'as input' },
    { value: cacheWrite, price: prices.cacheWrite, text: 'as cache writes' },
    { value: cacheReadPerTurn, price: prices.cacheRead, text: 'more as cache reads, each later turn' },
  ];
  return rows.flatMap(({ value, price, text }) =>
    value === undefined
      ? []
      : [
          `net saved  ${value.toFixed(2)} ${currency} ${text} (${price} ${currency} per million tokens${model === undefined ? '' : `, ${model}`})`,
        ],
  );
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
