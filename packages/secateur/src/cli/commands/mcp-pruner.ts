import { defineCommand } from '@secateur/serving/commands/command.ts';
import { createPrunerServer } from '../../servers/pruner/server.ts';
import { usdPerMillionTokens } from '../cut-settings.ts';
import { serveSession } from '../hook-socket/serve.ts';
import { redactedLog } from '../server-deps.ts';

export const mcpPruner = defineCommand({
  usage: '[--store memory|embedded|redis] [--backend heuristic|deepinfra]',
  details: 'Standard output carries only the protocol; the server exits when standard input ends.',
  sections: ['pruner', 'recovery', 'audit', 'hook'],
  flagPrefixes: { hook: false },
  examples: [{ line: 'claude mcp add secateur -- secateur mcp pruner', does: 'gives Claude Code the tools' }],
  run: (call) =>
    serveSession(call, redactedLog(call.terminal.errors), async (parts) => {
      const { audit, pruner } = call.config;
      const price = usdPerMillionTokens(audit);
      const own = { pruner: await parts.pruner(pruner), usdPerMillionTokens: price };
      return createPrunerServer({ ...parts, ...own }).rpc;
    }),
});
