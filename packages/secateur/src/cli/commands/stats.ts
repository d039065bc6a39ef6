import { systemClock } from '@secateur/base/runtime/time.ts';
import { choiceOf, defineCommand, sinceMoment } from '@secateur/serving/commands/command.ts';
import { formatTable, type Paint, printableJson } from '@secateur/serving/commands/terminal.ts';
import { LedgerView } from '../../savings/ledger-view.ts';
import {
  type Money,
  moneyOf,
  reportOf,
  type SavingsReport,
  type SavingsSum,
  type SumsByName,
} from '../../savings/sums.ts';
import { pricesOf } from '../cut-settings.ts';
import { savingsDirectory } from '../open-stores.ts';

const GROUPINGS = ['tool', 'server', 'client', 'day'] as const;
type Grouping = (typeof GROUPINGS)[number];

export const stats = defineCommand({
  usage: '[--since 7d] [--by tool|server|client|day] [--json]',
  details:
    'Net is the number of tokens saved minus the tokens recovered. Tokens count as recovered by a recovery, a repeated call or a second read of a file.',
  sections: ['recovery', 'audit'],
  options: {
    since: { type: 'string', placeholder: 'SPAN', doc: 'only entries since then: 7d, 12h, or a date' },
    by: { type: 'string', placeholder: GROUPINGS.join('|'), doc: 'group the rows by this' },
    json: { type: 'boolean', doc: 'all sums as JSON' },
  },
  examples: [
    { line: 'secateur stats', does: 'the savings by server and by day' },
    { line: 'secateur stats --since 7d --by client', does: 'the savings of a week, by client' },
    { line: 'secateur stats --json | jq .total.netTokensSaved', does: 'one number for a script' },
  ],
  run: async ({ config, options, terminal }) => {
    const by = choiceOf('--by', options.by, GROUPINGS);
    const { since: asked } = options;
    const since = asked && new Date(sinceMoment(asked, systemClock.now())).toISOString();
    const view = new LedgerView(savingsDirectory(config.recovery));
    await view.refresh();
    const report = await reportOf(view.entries, since);
    const money = moneyOf(report.total.netTokensSaved, pricesOf(config.audit));
    const { damagedLines, faults } = view;
    const ledger = { damagedLines, faults };
    if (options.json)
      terminal.line(printableJson(JSON.stringify({ ...(since && { since }), ...report, money, ledger })));
    else terminal.line(describeStats({ report, money, by, paint: terminal.paint }));
    if (options.json) return;
    if (damagedLines > 0) terminal.note(`Skipped ${damagedLines} damaged lines of the ledger.`);
    for (const { path, reason } of faults) terminal.note(`${path} ${reason}; move it away.`);
  },
});

interface StatsView {
  readonly report: SavingsReport;
  readonly money: Money | undefined;
  /** Column by which rows are grouped. Default: one row per server and one per recent day. */
  readonly by: Grouping | undefined;
  readonly paint: Paint;
}

export function describeStats({ report, money, by, paint }: StatsView): string {
  if (report.total.calls === 0 && report.total.recoveries === 0) return 'Nothing pruned yet.';
  const days = Object.entries(report.byDay)
    .sort(([left], [right]) => (left < right ? 1 : -1))
    .slice(0, by === 'day' ? MAX_DAYS : LAST_DAYS);
  const sums = { tool: report.byTool, server: report.byServer, client: report.byClient, day: report.byDay };
  const groups = rowsOf(sums[by ?? 'server']);
  const rows = [
    HEADER,
    ...(by === 'day' ? [] : groups),
    ...(by === undefined || by === 'day' ? withBars(days) : []),
    ['total', ...figures(report.total), ''],
  ];
  return [formatTable(rows, paint, [0, HEADER.length - 1]), '', ...remarks(report, money)]
    .join('\n')
    .trimEnd();
}

const LAST_DAYS = 7;
const MAX_DAYS = 60;
const HEADER = ['', 'calls', 'tokens before', 'after', 'recovered', 'net saved', ''];

/** Returns the rows in order of savings. Rows that cost more than they saved are last. */
function rowsOf(sums: SumsByName): string[][] {
  const sorted = Object.entries(sums).sort(
    ([, left], [, right]) => right.netTokensSaved - left.netTokensSaved,
  );
  return sorted.map(([name, sum]) => [name, ...figures(sum), '']);
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

/** Maximum share of cuts after which agents made another call. If the share is larger, `stats` prints a warning. */
const MAX_RECOVERIES_PER_CUT = 0.1;

/** Describes the calls that agents made because of a cut. Adds a warning if more than one cut in ten led to a call. */
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
  const ofModel = model === undefined ? '' : `, ${model}`;
  return rows.flatMap(({ value, price, text }) => {
    const rate = `${price} ${currency} per million tokens${ofModel}`;
    return value === undefined ? [] : [`net saved  ${value.toFixed(2)} ${currency} ${text} (${rate})`];
  });
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
