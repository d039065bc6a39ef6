import { systemClock } from '../../runtime/clock.ts';
import { LedgerView } from '../../savings/ledger-view.ts';
import { moneyOf } from '../../savings/money.ts';
import { reportOf } from '../../savings/sums.ts';
import { defineCommand } from '../command.ts';
import { SUCCESS } from '../exit-codes.ts';
import { pricesOf } from '../prices.ts';
import { savingsDirectory } from '../server-parts.ts';
import { describeStats, GROUPINGS, type Grouping } from '../stats/describe.ts';
import { sinceTime } from '../stats/since.ts';
import { usageError } from '../usage-error.ts';

export const stats = defineCommand({
  usage: '[--since 7d] [--by tool|server|client|day] [--json]',
  details: 'Net is what was saved less what was asked back; a recovery counts where its text was cut.',
  sections: ['recovery', 'audit'],
  options: {
    since: { type: 'string', placeholder: 'SPAN', doc: 'only what happened since: 7d, 12h, or a date' },
    by: { type: 'string', placeholder: GROUPINGS.join('|'), doc: 'the sums of each' },
    json: { type: 'boolean', doc: 'all sums as JSON' },
  },
  positionals: { min: 0, max: 0 },
  examples: [
    { line: 'secateur stats', does: 'what was saved, by server and by day' },
    { line: 'secateur stats --since 7d --by client', does: 'a week, for each client' },
    { line: 'secateur stats --json | jq .total.netTokensSaved', does: 'one number for a script' },
  ],
  run: async ({ config, options, terminal }) => {
    const by = groupingOf(options.by);
    const since = sinceTime(options.since, systemClock.now());
    const view = new LedgerView(savingsDirectory(config.recovery));
    await view.refresh();
    const report = reportOf(view.entries, since);
    const money = moneyOf(report.total.netTokensSaved, pricesOf(config.audit));
    if (options.json) terminal.line(JSON.stringify({ ...(since && { since }), ...report, money }));
    else terminal.line(describeStats({ report, money, by, paint: terminal.paint }));
    return SUCCESS;
  },
});

function groupingOf(text: string | undefined): Grouping | undefined {
  const found = GROUPINGS.find((each) => each === text);
  if (text !== undefined && found === undefined)
    throw usageError(`--by: expected one of ${GROUPINGS.join(', ')}`);
  return found;
}
