import type { Paint } from '@secateur/serving/commands/terminal.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import { table } from '../table.ts';
import { emptySums, type ReplayedSession, type ToolSums } from './replay-session.ts';
import type { AssumedIntegration } from './session-steps.ts';

/** The output of `--json`; the text says the same in fewer words. */
export interface ReplayReport {
  sessions: number;
  /** In what way outputs would have been cut, one text per client. */
  assumed: readonly string[];
  oddLines: number;
  total: ToolSums & { netTokensSaved: number };
  byTool: Record<string, ToolSums & { netTokensSaved: number }>;
  /** Change in the price of whole runs, as a share of it: negative is cheaper. */
  priceChange: number;
  usd: { before: number; after: number; perMillionInputTokens: number };
}

export interface ReportOptions extends AssumedIntegration {
  readonly perMillionInputTokens: number;
}

export function reportOf(sessions: readonly ReplayedSession[], options: ReportOptions): ReplayReport {
  const { perMillionInputTokens } = options;
  const byTool = new Map<string, ToolSums>();
  const total = emptySums();
  for (const session of sessions) {
    for (const [tool, sums] of session.byTool) {
      addSums(total, sums);
      const tools = byTool.get(tool) ?? emptySums();
      byTool.set(tool, tools);
      addSums(tools, sums);
    }
  }
  const sum = (of: (session: ReplayedSession) => number) => sessions.reduce((all, each) => all + of(each), 0);
  const before = sum(({ priceBefore }) => priceBefore);
  const after = sum(({ priceAfter }) => priceAfter);
  const dollars = (tokens: number) => (tokens * perMillionInputTokens) / 1e6;
  const sorted = [...byTool].sort(([, left], [, right]) => right.tokensBefore - left.tokensBefore);
  return {
    sessions: sessions.filter((session) => session.byTool.size > 0).length,
    assumed: assumedFor(new Set(sessions.flatMap(({ clients }) => clients)), options),
    oddLines: sum(({ oddLines }) => oddLines),
    total: withNet(total),
    byTool: Object.fromEntries(sorted.map(([tool, sums]) => [tool, withNet(sums)])),
    priceChange: before === 0 ? 0 : after / before - 1,
    usd: { before: dollars(before), after: dollars(after), perMillionInputTokens },
  };
}

/** Says for each client which integration was assumed, and what it cannot cut. */
function assumedFor(clients: ReadonlySet<string>, { shellPrefix }: AssumedIntegration): string[] {
  return HOOK_CLIENTS.filter(({ name }) => clients.has(name)).map(({ title, replaces }) => {
    if (replaces === undefined) return `hooks of ${title}`;
    return shellPrefix ? `hooks and shell prefix of ${title}` : `hooks of ${title} (${replaces.note})`;
  });
}

function addSums(total: ToolSums, more: ToolSums): void {
  for (const key of Object.keys(total) as (keyof ToolSums)[]) total[key] += more[key];
}

function withNet(sums: ToolSums) {
  return { ...sums, netTokensSaved: sums.tokensBefore - sums.tokensAfter - Math.round(sums.recoveryTokens) };
}

const MAX_ROWS = 12;

export function describeReplay(report: ReplayReport, since: string, paint: Paint): string {
  const { total, usd, sessions, oddLines } = report;
  if (total.calls === 0) return `No tool calls found in sessions of ${since}.`;
  const rows = [
    ['', 'calls', 'tokens read', 'net saved', ''],
    ...Object.entries(report.byTool)
      .slice(0, MAX_ROWS)
      .map(([tool, sums]) => row(tool, sums)),
    row('all', total),
  ];
  const price = `${percent(report.priceChange)} for whole runs ($${usd.before.toFixed(2)} → $${usd.after.toFixed(2)} at $${usd.perMillionInputTokens} a million input tokens, prompt cache counted)`;
  const seen =
    total.usedLines === 0
      ? ''
      : `, ${percent(total.usedLinesSeen / total.usedLines)} of the lines the agent copied later still in sight`;
  return [
    `${several(sessions, 'session')} of ${since}, ${several(total.calls, 'tool call')}`,
    '',
    table(rows, paint),
    '',
    `Price: ${price}.`,
    `Assumed: ${report.assumed.join('; ')}. Out of reach: ${several(total.outOfReach, 'call')}.`,
    `Net of ${total.recoveries === 1 ? '1 recovery' : `${count(total.recoveries)} recoveries`}${seen}.`,
    ...(oddLines === 0 ? [] : [`${several(oddLines, 'odd line')} passed over.`]),
  ].join('\n');
}

type NetSums = ToolSums & { netTokensSaved: number };

function row(name: string, sums: NetSums): string[] {
  const share = sums.tokensBefore === 0 ? 0 : sums.netTokensSaved / sums.tokensBefore;
  return [name, count(sums.calls), count(sums.tokensBefore), count(sums.netTokensSaved), percent(share)];
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function several(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
