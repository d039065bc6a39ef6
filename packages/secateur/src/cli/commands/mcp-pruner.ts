import { defineCommand } from '@secateur/serving/commands/command.ts';
import { serveOnStdio } from '@secateur/serving/commands/serve-on-stdio.ts';
import { createPrunerServer } from '../../servers/pruner/server.ts';
import { usdPerMillionTokens } from '../cut-settings.ts';
import { withHookSocket } from '../hook-socket/serve.ts';
import { redactedLog, withServerParts } from '../server-parts.ts';

export const mcpPruner = defineCommand({
  usage: '[--store memory|embedded|redis] [--backend heuristic|deepinfra]',
  details: 'Standard output carries only the protocol; the server exits when standard input ends.',
  sections: ['pruner', 'recovery', 'audit', 'hook'],
  flagPrefixes: { hook: false },
  examples: [{ line: 'claude mcp add secateur -- secateur mcp pruner', does: 'gives Claude Code the tools' }],
  run: async ({ config, terminal, origin, self, interrupted }) => {
    const stopped = interrupted();
    const log = redactedLog(terminal.errors);
    await withServerParts(config, log, async (parts) => {
      const server = createPrunerServer({
        ...parts,
        pruner: await parts.pruner(config.pruner),
        usdPerMillionTokens: usdPerMillionTokens(config.audit),
      });
      await withHookSocket(config, { parts, origin, self, errors: terminal.errors }, () =>
        serveOnStdio({ server: server.rpc, terminal, interrupted: stopped }),
      );
    });
  },
});
