import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { parsedJson } from '@secateur/base/text/json.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import { readBytes } from '@secateur/serving/commands/terminal.ts';
import { applyObservationMasking } from '../../masking/mask.ts';

export const mask = defineCommand({
  usage: '[FILE] [--max-chars N]',
  details:
    'Reads JSON from FILE, or standard input without one, and prints it with every long string cut to its head and ' +
    'tail, as the gateway does. Nothing is stored.',
  sections: ['gateway'],
  positionals: { min: 0, max: 1 },
  examples: [{ line: 'curl -s …/rpc -d @call.json | secateur mask', does: 'what an agent would be shown' }],
  run: async ({ config, positionals, terminal }) => {
    const bytes = await readBytes(positionals[0], terminal);
    const payload = parsedJson(bytes.toString('utf8'));
    if (payload === undefined) throw new DomainError('not_json', 'the input is not valid JSON');
    terminal.line(JSON.stringify(applyObservationMasking(payload, config.gateway)));
  },
});
