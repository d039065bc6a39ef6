import { recoverTextTool, recoveryErrorCodes } from '@secateur/engine/recover-text.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import { recordRecovered } from '../../servers/prune-outcome.ts';
import { AGENT_DEFAULTS, usdPerMillionTokens } from '../cut-settings.ts';
import { serveSession } from '../hook-socket/serve.ts';
import { redactedLog } from '../server-deps.ts';

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
    return serveSession(call, log, async (parts) => {
      const { openFocusServer } = await import('./focus.ts');
      return (await openFocusServer(config, parts, origin.env)).rpc;
    });
  },
});

export const mcpPruner = defineCommand({
  usage: '[--store memory|embedded|redis] [--backend heuristic|deepinfra]',
  details: 'Standard output carries only the protocol; the server exits when standard input ends.',
  sections: ['pruner', 'recovery', 'audit', 'hook'],
  flagPrefixes: { hook: false },
  examples: [{ line: 'claude mcp add secateur -- secateur mcp pruner', does: 'gives Claude Code the tools' }],
  run: (call) =>
    serveSession(call, redactedLog(call.terminal.errors), async (parts) => {
      const pruner = await parts.pruner(call.config.pruner);
      const { createPrunerServer } = await import('../../servers/pruner/server.ts');
      const price = usdPerMillionTokens(call.config.audit);
      return createPrunerServer({ ...parts, pruner, usdPerMillionTokens: price }).rpc;
    }),
});

/** The MCP server that `connect` and the plugin add to a client. It only recovers removed lines (A13). */
export const mcpRecover = defineCommand({
  usage: '[--store memory|embedded|redis]',
  details:
    'Serves only recover_text, and handles the hook events of its session. Standard output carries only the protocol; the server exits when standard input ends.',
  sections: ['recovery', 'audit', 'pruner', 'hook'],
  flagPrefixes: { pruner: false, hook: false },
  defaults: { recovery: { store: 'embedded' } },
  examples: [
    { line: 'claude mcp add secateur -- secateur mcp recover', does: 'lets Claude Code recover lines' },
  ],
  run: (call) =>
    serveSession(call, redactedLog(call.terminal.errors), async (parts) => {
      const onRecovered = recordRecovered(parts.ledger, { system: 'hook', tool: 'recover_text' });
      const tools = [recoverTextTool({ ...parts, forAgents: true, asText: true, onRecovered })];
      const { version } = parts;
      return { name: 'secateur', version, instructions: INSTRUCTIONS, tools, errorCodes: recoveryErrorCodes };
    }),
});

const INSTRUCTIONS =
  'Tool outputs may come with lines left out: a first line `✂ prn_…` names the output, and each `✂ 36-47` stands for its lines 36 to 47. recover_text gives them back.';
