import {
  defineCommand,
  FAILURE,
  INCOMPLETE,
  SUCCESS,
  usageError,
} from '@secateur/serving/commands/command.ts';
import { printable } from '@secateur/serving/commands/terminal.ts';
import { type BatchResult, dryRunBatch, runBatch } from '../../spec/batch.ts';
import { openSpecCall, WRITING_OPTIONS } from '../spec-call.ts';

export const specBatch = defineCommand({
  usage: '[ROOT] [--force] [--deep] [--ast-only] [--criteria] [--dry-run] [--max-cost USD] [--json]',
  details:
    'Writes the documents of new modules, and of modules that changed since their document was written. A run continues where an interrupted run stopped.',
  sections: ['reverseSpec'],
  options: {
    force: { type: 'boolean', doc: 'write unchanged modules again' },
    ...WRITING_OPTIONS,
    'max-cost': {
      type: 'string',
      placeholder: 'USD',
      doc: 'maximum cost of the run; needs --price if the price of the model is not known',
    },
    json: { type: 'boolean', doc: 'the result as JSON' },
  },
  positionals: { min: 0, max: 1 },
  examples: [
    { line: 'reverse-spec batch --dry-run', does: 'prints what a run would cost' },
    { line: 'reverse-spec batch . --concurrency 6', does: 'writes specs/, six modules at a time' },
  ],
  exitCodes: {
    [FAILURE]: 'a module failed; standard error and the summary contain the reason',
    [INCOMPLETE]:
      'modules were written without all of their prose, or left out because of the cost limit; the next run writes them again',
  },
  run: async (call) => {
    const { parts, messages, finish } = openSpecCall(call);
    const { options, terminal } = call;
    const [projectRoot] = call.positionals;
    const { outputDir, concurrency, granularity } = parts;
    const { force, deep, criteria, 'ast-only': astOnly } = options;
    const limits = { concurrency, maxCost: dollars(options['max-cost']) };
    const request = { projectRoot, outputDir, granularity, force, astOnly, deep, criteria, ...limits };
    if (options['dry-run']) {
      const plan = await finish(dryRunBatch(request, parts));
      terminal.line(options.json ? JSON.stringify(plan) : messages.dryRun(plan));
      return SUCCESS;
    }
    const result = await finish(runBatch(request, parts));
    terminal.line(options.json ? JSON.stringify(result) : messages.batch(result));
    for (const { target, reason } of result.failures) terminal.note(printable(`${target}: ${reason}`));
    return exitCodeOf(result);
  },
});

function dollars(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d+(?:\.\d+)?$/.test(given))
    throw usageError(`--max-cost: expected dollars, got ${JSON.stringify(given)}`);
  return Number(given);
}

function exitCodeOf({ failed, degraded, unaffordable }: BatchResult): number {
  if (failed > 0) return FAILURE;
  return degraded + unaffordable > 0 ? INCOMPLETE : SUCCESS;
}
