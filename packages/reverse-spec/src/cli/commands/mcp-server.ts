import { defineCommand } from '@secateur/serving/commands/command.ts';
import { serveOnStdio } from '@secateur/serving/commands/serve-on-stdio.ts';
import { reverseSpecServer } from '../../server/server.ts';
import { reverseSpecParts } from '../spec-call.ts';

export const specMcpServer = defineCommand({
  usage: '',
  details: 'Writes only protocol messages to standard output. Ends when standard input ends.',
  sections: ['reverseSpec'],
  examples: [
    { line: 'claude mcp add reverse-spec -- reverse-spec mcp-server', does: 'gives Claude Code the tools' },
  ],
  run: async ({ config, origin, terminal, interrupted }) => {
    const server = reverseSpecServer(reverseSpecParts(config.reverseSpec, origin, terminal));
    await serveOnStdio({ server, terminal, interrupted: interrupted() });
  },
});
