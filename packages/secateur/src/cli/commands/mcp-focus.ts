import { defineCommand } from '@secateur/serving/commands/command.ts';
import { serveSession } from '../hook-socket/serve.ts';
import { redactedLog } from '../server-deps.ts';
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
  run: (call) => {
    const { config, terminal, origin } = call;
    const log = redactedLog(terminal.errors, config.focus.logFormat);
    return serveSession(call, log, async (parts) => (await openFocusServer(config, parts, origin.env)).rpc);
  },
});
