import { defineCommand } from '@secateur/serving/commands/command.ts';
import { launchPruner } from '../launches/pruner.ts';
import { serveUntilInterrupted } from '../serve-until-interrupted.ts';
import { redactedLog, withServerParts } from '../server-parts.ts';

export const pruner = defineCommand({
  usage: '[--host HOST] [--port N] [--store memory|embedded|redis] [--backend heuristic|deepinfra]',
  details: 'JSON-RPC at /rpc and /mcp, plain HTTP at /health, /prune and /hooks/CLIENT.',
  sections: ['pruner', 'recovery', 'audit', 'wire', 'hook'],
  flagPrefixes: { hook: 'hook' },
  readsWorkingDirectory: true,
  examples: [
    { line: 'secateur pruner', does: 'serves on 127.0.0.1:8006' },
    { line: 'secateur pruner --store redis --port 0', does: 'shares ids with other pruners, on a free port' },
  ],
  run: async ({ config, terminal, origin, interrupted }) => {
    const stopped = interrupted();
    const log = redactedLog(terminal.errors);
    await withServerParts(config, log, async (parts) => {
      const server = await launchPruner(config, parts, origin.env);
      terminal.note(`pruner: ${server.url}`);
      await serveUntilInterrupted({ servers: [server], interrupted: stopped, drainMs: config.wire.drainMs });
    });
  },
});
