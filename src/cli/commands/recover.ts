import { recordRecovered } from '../../servers/record-outcome.ts';
import { type CharacterRange, pieceOf } from '../../servers/recover-text/characters.ts';
import type { LineRange } from '../../text/lines.ts';
import { defineCommand } from '../command.ts';
import { redactedLog } from '../redacted-log.ts';
import { withServerParts } from '../server-parts.ts';
import { usageError } from '../usage-error.ts';

export const recover = defineCommand({
  usage: 'ID START-END… [--chars START-END] [--json]',
  details:
    'ID and lines as markers give them: ⟦PRUNÉ: prune_id=ID lignes START-END …⟧, or ✂ START-END below ✂ ID. Of a line shown in part, the characters in [START-END].',
  sections: ['recovery', 'audit'],
  defaults: { recovery: { store: 'embedded' } },
  options: {
    'line-numbers': { type: 'boolean', short: 'n', doc: 'prefix lines with their number' },
    chars: { type: 'string', doc: 'only these characters of the lines, START-END, from 1' },
    json: { type: 'boolean', doc: 'text and ranges as JSON' },
  },
  positionals: { min: 2, max: Number.POSITIVE_INFINITY },
  examples: [{ line: 'secateur recover prn_7ZK3… 120-154 200', does: 'lines 120 to 154, and line 200' }],
  run: async ({ config, options, positionals, terminal }) => {
    const [id = '', ...asked] = positionals;
    const ranges = asked.map((range) => rangeOf(range));
    const characters = options.chars === undefined ? {} : charactersOf(options.chars);
    await withServerParts(config, redactedLog(terminal.errors), async ({ recovery, ledger }) => {
      const recovered = await recovery.recover(id, ranges);
      const texts = recovered.texts.map((lines, index) => {
        const piece = pieceOf(lines, characters);
        return options['line-numbers']
          ? numbered(piece.text, recovered.lineAt(index, piece.offset))
          : piece.text;
      });
      const text = texts.join('\n');
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

function numbered(text: string, first: number): string {
  return text
    .split('\n')
    .map((line, offset) => `${first + offset}│ ${line}`)
    .join('\n');
}
