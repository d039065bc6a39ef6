import { systemClock } from '@secateur/base/runtime/clock.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import { printableJson } from '@secateur/serving/commands/printable.ts';
import { oneOf, usageError } from '@secateur/serving/commands/usage-error.ts';
import { LedgerView } from '../../savings/ledger-view.ts';
import { moneyOf } from '../../savings/money.ts';
import { reportOf } from '../../savings/sums.ts';
import { savingsDirectory } from '../open-stores.ts';
import { pricesOf } from '../prices.ts';
import { describeStats, GROUPINGS } from '../stats/describe.ts';

export const stats = defineCommand({
  usage: '[--since 7d] [--by tool|server|client|day] [--json]',
  details:
    'Net is the tokens saved minus the tokens recovered. A recovery, a repeated call and a second read of a file count as recovered.',
  sections: ['recovery', 'audit'],
  options: {
    since: { type: 'string', placeholder: 'SPAN', doc: 'only entries since then: 7d, 12h, or a date' },
    by: { type: 'string', placeholder: GROUPINGS.join('|'), doc: 'one row for each' },
    json: { type: 'boolean', doc: 'all sums as JSON' },
  },
  examples: [
    { line: 'secateur stats', does: 'what was saved, by server and by day' },
    { line: 'secateur stats --since 7d --by client', does: 'a week, for each client' },
    { line: 'secateur stats --json | jq .total.netTokensSaved', does: 'one number for a script' },
  ],
  run: async ({ config, options, terminal }) => {
    const by = oneOf('--by', options.by, GROUPINGS);
    const since = sinceTime(options.since, systemClock.now());
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

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `7d`, `12h` or a date → the ISO time from which entries count. */
function sinceTime(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const spanMs = UNIT_MS[unit];
  const moment =
    spanMs === undefined
      ? Date.parse(/^\d{4}-\d{2}-\d{2}/.test(text) ? text : '')
      : now - Number(count) * spanMs;
  if (Number.isNaN(moment))
    throw usageError('--since: expected a span such as 7d, 12h or 30m, or a date such as 2026-11-01');
  return new Date(moment).toISOString();
}
