import { defineCommand } from '@secateur/serving/commands/command.ts';
import { launchGateway } from '../launches/gateway.ts';
import { serveUntilInterrupted } from '../serve-until-interrupted.ts';
import { redactedLog, withServerParts } from '../server-parts.ts';

export const gateway = defineCommand({
  usage: '[--host HOST] [--port N] [--max-chars N] [--store memory|embedded|redis]',
  details:
    'Forwards POST /api/mcp-gateway/NAME/rpc to the server NAME of config.toml and shortens long results; ' +
    'GET /api/mcp-gateway/servers lists the servers. `secateur connect` configures a client to use it.',
  sections: ['gateway', 'pruner', 'recovery', 'audit', 'wire'],
  flagPrefixes: { pruner: false },
  readsWorkingDirectory: true,
  examples: [
    { line: 'secateur gateway', does: 'serves on 127.0.0.1:8000' },
    { line: 'secateur gateway --max-chars 20000 --store embedded', does: 'masks less, remembers for a week' },
  ],
  run: async ({ config, terminal, origin, interrupted }) => {
    const stopped = interrupted();
    const log = redactedLog(terminal.errors);
    await withServerParts(config, log, async (parts) => {
      const server = await launchGateway(config, parts, origin.env);
      terminal.note(`gateway: ${server.url}`);
      await serveUntilInterrupted({ servers: [server], interrupted: stopped, drainMs: config.wire.drainMs });
    });
  },
});
