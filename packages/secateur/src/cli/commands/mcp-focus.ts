import { defineCommand } from '@secateur/serving/commands/command.ts';
import { serveOnStdio } from '@secateur/serving/commands/serve-on-stdio.ts';
import { withHookSocket } from '../hook-socket/serve.ts';
import { redactedLog, withServerParts } from '../server-parts.ts';
import { AGENT_DEFAULTS, openFocusServer } from './focus.ts';

export const mcpFocus = defineCommand({
  usage: '[--root DIR] [--pruner-endpoint URL|embedded]',
  details:
    'Standard output carries only the protocol, events go to standard error; the server exits when standard input ends.',
  sections: ['focus', 'recovery', 'audit', 'pruner', 'hook'],
  flagPrefixes: { pruner: false, hook: false },
  defaults: { recovery: { store: 'embedded' }, focus: AGENT_DEFAULTS },
  examples: [
    { line: 'claude mcp add secateur -- secateur mcp focus', does: 'gives Claude Code read, bash and grep' },
  ],
  run: async ({ config, terminal, origin, self, interrupted }) => {
    const stopped = interrupted();
    const log = redactedLog(terminal.errors, config.focus.logFormat);
    await withServerParts(config, log, async (parts) => {
      const server = await openFocusServer(config, parts, origin.env);
      await withHookSocket(config, { parts, origin, self, errors: terminal.errors }, () =>
        serveOnStdio({ server: server.rpc, terminal, interrupted: stopped }),
      );
    });
  },
});
