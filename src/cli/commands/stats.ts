import { readSavings } from '../../savings/read-ledger.ts';
import type { SavingsReport, SavingsSum } from '../../savings/sums.ts';
import { defineCommand } from '../command.ts';
import { SUCCESS } from '../exit-codes.ts';
import { savingsDirectory } from '../server-parts.ts';
import type { Paint } from '../terminal.ts';

export const stats = defineCommand({
  usage: '[--json]',
  sections: ['recovery'],
  options: { json: { type: 'boolean', doc: 'the sums as JSON' } },
  positionals: { min: 0, max: 0 },
  examples: [
    { line: 'secateur stats', does: 'what was saved, by server and by day' },
    { line: 'secateur stats --json | jq .total.netTokensSaved', does: 'one number for a script' },
  ],
  run: async ({ config, options, terminal }) => {
    const report = await readSavings(savingsDirectory(config.recovery));
    terminal.line(options.json ? JSON.stringify(report) : describeReport(report, terminal.paint));
    return SUCCESS;
  },
});

const LAST_DAYS = 7;

function describeReport(report: SavingsReport, paint: Paint): string {
  if (report.total.calls === 0) return 'Nothing pruned yet.';
  const days = Object.entries(report.byDay).sort(([left], [right]) => (left < right ? 1 : -1));
  const rows = [
    ['', 'calls', 'tokens before', 'after', 'asked back', 'net saved'],
    ...Object.entries(report.bySystem).map(([system, sum]) => [system, ...figures(sum)]),
    ...days.slice(0, LAST_DAYS).map(([day, sum]) => [day, ...figures(sum)]),
    ['total', ...figures(report.total)],
  ];
  return table(rows, paint);
}

function figures(sum: SavingsSum): string[] {
  const share = sum.tokensBefore === 0 ? 0 : Math.round((100 * sum.netTokensSaved) / sum.tokensBefore);
  const counts = [sum.calls, sum.tokensBefore, sum.tokensAfter, sum.tokensRecovered];
  return [...counts.map(grouped), `${grouped(sum.netTokensSaved)} (${share} %)`];
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

function table(rows: readonly (readonly string[])[], paint: Paint): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  const isOutstanding = (index: number) => index === 0 || index === lines.length - 1;
  return lines.map((line, index) => (isOutstanding(index) ? paint('bold', line) : line)).join('\n');
}
