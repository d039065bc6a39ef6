import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { silentLog } from '@secateur/base/runtime/event-log.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import { printableJson } from '@secateur/serving/commands/printable.ts';
import { usageError } from '@secateur/serving/commands/usage-error.ts';
import { cutRecords } from '../../savings/cut-records.ts';
import { LedgerView } from '../../savings/ledger-view.ts';
import { type CutView, viewCut } from '../../servers/dashboard/cut-view.ts';
import { describeCut, describeLine, numbersOf } from '../explain/describe.ts';
import { type PartsConfig, savingsDirectory } from '../open-stores.ts';
import { withServerParts } from '../server-parts.ts';

export const explain = defineCommand({
  usage: 'ID [--line N] [--json]',
  details:
    'Shows the reason and the best score of each removed block, and the rule or score that kept each other line. Available as long as the text can be recovered.',
  sections: ['recovery', 'audit'],
  defaults: { recovery: { store: 'embedded' } },
  options: {
    line: { type: 'string', placeholder: 'N', doc: 'only this line' },
    json: { type: 'boolean', doc: 'the response of GET /api/cuts/ID as JSON' },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    { line: 'secateur explain prn_7ZK3…', does: 'why each block was removed and each range of lines kept' },
    { line: 'secateur explain prn_7ZK3… --line 42', does: 'the same for one line' },
  ],
  run: async ({ config, options, positionals, terminal }) => {
    const view = await readCut(positionals[0] ?? '', config);
    if (options.json) terminal.line(printableJson(JSON.stringify(view)));
    else if (options.line === undefined) terminal.line(describeCut(view, terminal.paint));
    else terminal.line(describeLine(...lineOf(view, options.line)));
  },
});

function readCut(id: string, config: PartsConfig): Promise<CutView> {
  return withServerParts(config, silentLog, async ({ notes }) => {
    const ledger = new LedgerView(savingsDirectory(config.recovery));
    await ledger.refresh();
    const view = await viewCut(id, { notes, records: await cutRecords(ledger.entries) });
    if (view !== undefined) return view;
    throw new DomainError('unknown_cut', `neither the ledger nor the store knows ${id}`, {
      hint: 'Ids stand in markers and in `secateur page`; texts expire (MCP_PRUNER_PRUNE_ID_TTL_S).',
    });
  });
}

function lineOf({ text }: CutView, asked: string): [NonNullable<CutView['text']>, number] {
  if (text === null) throw usageError('--line: the text can no longer be recovered');
  const number = /^\d+$/.test(asked) ? Number(asked) : 0;
  const { first, last, linesOf } = numbersOf(text);
  const line = number < 1 ? undefined : linesOf({ start: number, end: number })?.start;
  if (line === undefined) throw usageError(`--line: expected a line from ${first} to ${last}`);
  return [text, line];
}
