import { existsSync } from 'node:fs';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import {
  defineCommand,
  FAILURE,
  SUCCESS,
  sinceMoment,
  usageError,
} from '@secateur/serving/commands/command.ts';
import {
  formatTable,
  type Paint,
  printable,
  printableJson,
  progressBar,
} from '@secateur/serving/commands/terminal.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import { cutLimitsOf } from '../cut-settings.ts';
import { findSessions, replayAll, sessionFolders } from '../replay/replay-all.ts';
import {
  type AssumedIntegration,
  emptySums,
  type ReplayedSession,
  type ToolSums,
} from '../replay/replay-session.ts';

export const replay = defineCommand({
  usage: '[PATH] [--since 7d] [--json]',
  details:
    'Reads the session files of Claude Code and Codex (PATH: a file or a directory; default: their own directories) and computes what cuts ' +
    'would have saved, minus the lines that the agent would have recovered. Only outputs that the hooks of the client can change are counted. Nothing is sent or stored.',
  sections: ['pruner'],
  options: {
    since: { type: 'string', placeholder: 'WHEN', doc: '7d, 24h, a date (2026-11-01) or all (default 7d)' },
    'input-price': {
      type: 'string',
      placeholder: 'USD',
      doc: 'price per million input tokens (default 3); output costs 5, cache write 1.25, cache read 0.1 times as much',
    },
    'shell-prefix': {
      type: 'boolean',
      doc: 'assume the shell prefix of Claude Code, which also cuts the output of failing commands',
    },
    json: { type: 'boolean', doc: 'the sums as JSON' },
  },
  positionals: { min: 0, max: 1 },
  examples: [
    { line: 'secateur replay', does: 'the sessions of the last week' },
    { line: 'secateur replay ~/.codex/sessions --since 30d --json', does: 'the sums for a script' },
  ],
  run: async ({ config, options, positionals, terminal }) => {
    const since = options.since ?? '7d';
    const sinceMs = since === 'all' ? 0 : sinceMoment(since, Date.now());
    const price = priceOf(options['input-price'] ?? '3');
    const files = await findSessions(placesFor(positionals[0]), sinceMs);
    const assumed = { shellPrefix: options['shell-prefix'] };
    const bar = progressBar(terminal);
    // Each file is read twice, so its bytes count twice.
    const total = Math.ceil(files.reduce((sum, { bytes }) => sum + 2 * bytes, 0) / MEGABYTE);
    const { sessions, failed } = await replayAll(files, {
      sinceMs,
      settings: cutLimitsOf(config.pruner),
      assumed,
      progress: (bytes) =>
        bar.update({ done: Math.min(total, Math.round(bytes / MEGABYTE)), total, message: 'MB of sessions' }),
    });
    bar.end();
    const report = {
      ...replayReport(sessions, { ...assumed, perMillionInputTokens: price }),
      failedFiles: failed.length,
    };
    if (options.json) terminal.line(printableJson(JSON.stringify(report)));
    else terminal.line(describeReplay(report, wordsFor(since), terminal.paint));
    for (const file of failed.slice(0, MAX_NAMED)) terminal.note(printable(`not replayed: ${file}`));
    if (failed.length > MAX_NAMED) terminal.note(`not replayed: ${failed.length - MAX_NAMED} more files`);
    return failed.length > 0 && failed.length === files.length ? FAILURE : SUCCESS;
  },
});

const MAX_NAMED = 5;

/** Returns the folders to search. Default folders may be missing, but a path that the user named must exist. */
function placesFor(named: string | undefined): readonly string[] {
  if (named === undefined) return sessionFolders();
  if (existsSync(named)) return [named];
  throw new DomainError('cannot_read', `${named} is not there`, {
    hint: 'Name a session file or a folder of them.',
  });
}

const MEGABYTE = 1 << 20;

function priceOf(text: string): number {
  const price = Number(text);
  if (text.trim() === '' || !(price >= 0))
    throw usageError('--input-price: expected dollars a million tokens');
  return price;
}

function wordsFor(since: string): string {
  if (since === 'all') return 'all times';
  return /^\d/.test(since) && !since.includes('-') ? `the last ${since}` : `since ${since}`;
}

/** Returns the output for `--json`. The text output summarises it. */
function replayReport(
  sessions: readonly ReplayedSession[],
  options: AssumedIntegration & { readonly perMillionInputTokens: number },
) {
  const { perMillionInputTokens } = options;
  const byTool = new Map<string, ToolSums>();
  const total = emptySums();
  for (const [tool, sums] of sessions.flatMap((session) => [...session.byTool])) {
    addSums(total, sums);
    const tools = byTool.get(tool) ?? emptySums();
    byTool.set(tool, tools);
    addSums(tools, sums);
  }
  const sum = (of: (session: ReplayedSession) => number) => sessions.reduce((all, each) => all + of(each), 0);
  const before = sum(({ priceBefore }) => priceBefore);
  const after = sum(({ priceAfter }) => priceAfter);
  const dollars = (tokens: number) => (tokens * perMillionInputTokens) / 1e6;
  const sorted = [...byTool].sort(([, left], [, right]) => right.tokensBefore - left.tokensBefore);
  return {
    sessions: sessions.filter((session) => session.byTool.size > 0).length,
    /** Descriptions of the integrations that the replay assumes, one per client. */
    assumed: assumedFor(new Set(sessions.flatMap(({ clients }) => clients)), options),
    oddLines: sum(({ oddLines }) => oddLines),
    total: withNet(total),
    byTool: Object.fromEntries(sorted.map(([tool, sums]) => [tool, withNet(sums)])),
    /** Change of the price of whole runs as a share of the earlier price. Negative if runs become cheaper. */
    priceChange: before === 0 ? 0 : after / before - 1,
    usd: { before: dollars(before), after: dollars(after), perMillionInputTokens },
  };
}

/** Describes for each client the assumed integration and the outputs that this integration cannot cut. */
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

function describeReplay(report: ReturnType<typeof replayReport>, since: string, paint: Paint): string {
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
    formatTable(rows, paint),
    '',
    `Price: ${price}.`,
    `Assumed: ${report.assumed.join('; ')}. Out of reach: ${several(total.outOfReach, 'call')}.`,
    `Net of ${total.recoveries === 1 ? '1 recovery' : `${count(total.recoveries)} recoveries`}${seen}.`,
    ...(oddLines === 0 ? [] : [`${several(oddLines, 'odd line')} passed over.`]),
  ].join('\n');
}

function row(name: string, sums: ReturnType<typeof withNet>): string[] {
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
