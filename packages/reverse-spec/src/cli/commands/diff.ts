import { defineCommand, FAILURE, SUCCESS } from '@secateur/serving/commands/command.ts';
import type { Paint } from '@secateur/serving/commands/terminal.ts';
import { type DriftReport, detectDrift } from '../../spec/drift.ts';
import { driftLine, openSpecCall } from '../spec-call.ts';

export const specDiff = defineCommand({
  usage: 'SPEC SOURCE [--report] [--json]',
  details: 'Compares the baseline of the spec with the source. Uses no model and no network.',
  sections: ['reverseSpec'],
  options: {
    report: { type: 'boolean', doc: 'write a Markdown report to drift-logs/ beside the spec' },
    json: { type: 'boolean', doc: 'the report as JSON' },
  },
  positionals: { min: 2, max: 2 },
  examples: [
    {
      line: 'reverse-spec diff specs/src+auth.spec.md src/auth',
      does: 'fails a CI job if the interface has changed',
    },
  ],
  exitCodes: { [FAILURE]: 'drift of severity HIGH or MEDIUM, or the comparison failed' },
  run: async (call) => {
    const { options, positionals, terminal } = call;
    const [specPath = '', sourcePath = ''] = positionals;
    const { parts, messages, finish } = openSpecCall(call);
    const report = await finish(detectDrift({ specPath, sourcePath, report: options.report }, parts));
    const filtered = messages.texts.drift.filtered(report.filteredNoise);
    terminal.line(options.json ? JSON.stringify(report) : describe(report, filtered, terminal.paint));
    return report.summary.high + report.summary.medium > 0 ? FAILURE : SUCCESS;
  },
});

function describe({ items, recommendation, outputPath }: DriftReport, filtered: string, paint: Paint) {
  const lines = items.map((item) => driftLine(item, paint));
  const report = outputPath === null ? [] : [outputPath];
  return [...lines, `${recommendation}${filtered}`, ...report].join('\n');
}
