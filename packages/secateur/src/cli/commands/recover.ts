import type { LineRange } from '@secateur/base/text/lines.ts';
import { type CharacterRange, numberedRanges, pieceOf } from '@secateur/engine/recovery/ranges.ts';
import { defineCommand, usageError } from '@secateur/serving/commands/command.ts';
import { recordRecovered } from '../../servers/prune-outcome.ts';
import { redactedLog, withServerDeps } from '../server-deps.ts';

export const recover = defineCommand({
  usage: 'ID [START-END,…] [--chars START-END] [--json]',
  details:
    'ID and line numbers are in the markers: ⟦PRUNÉ: prune_id=ID lignes START-END …⟧, or ✂ START-END below ✂ ID. Without line numbers, prints the whole text. Several ranges are printed with line numbers, each below a line that names it. For a line that is shown in part, --chars takes the range in [START-END].',
  sections: ['recovery', 'audit'],
  defaults: { recovery: { store: 'embedded' } },
  options: {
    'line-numbers': { type: 'boolean', short: 'n', doc: 'prefix lines with their number' },
    chars: { type: 'string', doc: 'only these characters of the lines: START-END, counted from 1' },
    json: { type: 'boolean', doc: 'text and ranges as JSON' },
  },
  positionals: { min: 1, max: Number.POSITIVE_INFINITY },
  examples: [
    { line: 'secateur recover prn_7ZK3… 120-154,200', does: 'lines 120 to 154, and line 200' },
    { line: 'secateur recover prn_7ZK3…', does: 'the whole text' },
  ],
  run: async ({ config, options, positionals, terminal }) => {
    const [id = '', ...asked] = positionals;
    const ranges = asked.flatMap((list) => list.split(',').map((range) => rangeOf(range)));
    const characters = options.chars === undefined ? {} : charactersOf(options.chars);
    await withServerDeps(config, redactedLog(terminal.errors), async ({ recovery, ledger }) => {
      const recovered = await recovery.recover(id, ranges.length === 0 ? 'all' : ranges);
      const pieces = recovered.texts.map((lines) => pieceOf(lines, characters));
      const isSeparated = !options.json;
      const isNumbered = options['line-numbers'] || (isSeparated && pieces.length > 1);
      const text = isNumbered
        ? numberedRanges({ recovered, pieces, isSeparated })
        : pieces.map((piece) => piece.text).join('\n');
      recordRecovered(ledger, { system: 'cli', tool: 'recover' })({ pruneId: id, text });
      terminal.line(options.json ? JSON.stringify({ raw_text: text, ranges: recovered.ranges }) : text);
    });
  },
});

function charactersOf(text: string): CharacterRange {
  const { start, end } = rangeOf(text, 'characters');
  return { start_char: start, end_char: end };
}

function rangeOf(text: string, what = 'lines'): LineRange {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text);
  if (match === null) throw usageError(`${text}: expected ${what} as START-END or one number`);
  const start = Number(match[1]);
  return { start, end: match[2] === undefined ? start : Number(match[2]) };
}
