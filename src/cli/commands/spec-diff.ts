import { type DriftReport, detectDrift } from '../../spec/drift.ts';
import { defineCommand } from '../command.ts';
import { FAILURE, SUCCESS } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { progressBar } from '../progress-bar.ts';
import { terminalSpecParts } from '../reverse-spec-parts.ts';
import { saying, specMessages } from '../spec-messages.ts';
import type { Paint } from '../terminal.ts';

export const specDiff = defineCommand({
  usage: 'SPEC SOURCE [--report] [--json]',
  details: 'Compares the baseline inside the spec with the source. No model, no network.',
  sections: ['reverseSpec'],
  options: {
    report: { type: 'boolean', doc: 'write a Markdown report to drift-logs/ beside the spec' },
    json: { type: 'boolean', doc: 'the report as JSON' },
  },
  positionals: { min: 2, max: 2 },
  examples: [
    {
      line: 'reverse-spec diff specs/src+auth.spec.md src/auth',
      does: 'fails a CI job when the interface drifted',
    },
  ],
  exitCodes: { [FAILURE]: 'drift of severity HIGH or MEDIUM, or the comparison failed' },
  run: async ({ config, options, positionals, terminal, origin, interrupted }) => {
    const [specPath = '', sourcePath = ''] = positionals;
    const bar = progressBar(terminal);
    const parts = {
      ...terminalSpecParts(config.reverseSpec, origin, terminal),
      signal: interrupted(),
      progress: bar.update,
    };
    const { language, texts } = specMessages(config.reverseSpec, origin);
    const report = await detectDrift({ specPath, sourcePath, report: options.report }, parts)
      .catch(saying(language))
      .finally(bar.end);
    const filtered = texts.drift.filtered(report.filteredNoise);
    terminal.line(options.json ? JSON.stringify(report) : describe(report, filtered, terminal.paint));
    return report.summary.high + report.summary.medium > 0 ? FAILURE : SUCCESS;
  },
});

const COLOURS = { HIGH: 'red', MEDIUM: 'yellow', LOW: 'dim' } as const;

function describe(
  { items, recommendation, outputPath }: DriftReport,
  filtered: string,
  paint: Paint,
): string {
  const lines = items.map(
    ({ severity, location, description }) =>
      `${paint(COLOURS[severity], severity.padEnd(6))} ${printable(`${location} ${description}`)}`,
  );
  const report = outputPath === null ? [] : [outputPath];
  return [...lines, `${recommendation}${filtered}`, ...report].join('\n');
}
