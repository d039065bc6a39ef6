import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import { type Command, defineCommand } from '@secateur/serving/commands/command.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import { AGENT_DEFAULTS, launchFocus } from '../launches/focus.ts';
import { serveUntilInterrupted } from '../serve-until-interrupted.ts';
import { redactedLog, type ServerParts, withServerParts } from '../server-parts.ts';

/** The whole of `jeeves-mcp-pruner`, whose programs read structured results. */
export const focus = defineCommand({
  usage: '[--host IP] [--port N] [--root DIR] [--log-format json|text]',
  details:
    'MCP at /mcp, health at /healthz. Events go to standard output, one per line; the first, mcp_pruner.ready, names the port.',
  sections: ['focus', 'recovery', 'audit', 'wire', 'pruner'],
  flagPrefixes: { pruner: false },
  options: {
    'exit-with-stdin': {
      type: 'boolean',
      doc: 'exit when standard input ends, with the process that started it',
    },
  },
  examples: [
    { line: 'secateur focus --root . --pruner-endpoint embedded', does: 'serves this folder on a free port' },
    { line: 'jeeves-mcp-pruner --root /src/app --port 8008', does: 'the same server as an executable' },
  ],
  run: async ({ config, options, terminal, origin, interrupted }) => {
    const stopped = interrupted();
    const log = redactedLog(terminal.output, config.focus.logFormat);
    let isReady = false;
    const serve = async (parts: ServerParts) => {
      const server = await launchFocus(config, parts, origin.env);
      isReady = true;
      const ending = options['exit-with-stdin'] ? AbortSignal.any([stopped, ended(terminal.input)]) : stopped;
      await serveUntilInterrupted({ servers: [server], interrupted: ending, drainMs: config.wire.drainMs });
    };
    await withServerParts(config, log, serve).catch((error: unknown) => {
      if (!isReady) startFailed(log, error);
      throw error;
    });
    // A standard input that is still read from would keep the process alive.
    terminal.input.pause();
  },
  notStarted: (error, { terminal, origin, argv }) =>
    startFailed(redactedLog(terminal.output, askedFormat(argv, origin.env)), error),
});

/** Emits the event for every failure before the server is ready. */
function startFailed(log: EventLog, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  log.emit({ level: 'error', event: 'mcp_pruner.start_failed', data: { message } });
}

/** Returns the log format that was asked for, also if other settings are wrong. */
function askedFormat(argv: readonly string[], env: Environment): 'text' | 'json' {
  const flag = argv.findLastIndex((word) => word.startsWith('--log-format'));
  const [, inWord] = argv[flag]?.split('=', 2) ?? [];
  const asked = flag === -1 ? env.JEEVES_MCP_PRUNER_LOG_FORMAT : (inWord ?? argv[flag + 1]);
  return asked === 'text' ? 'text' : 'json';
}

const { answer, maxPruneInputBytes } = AGENT_DEFAULTS;

/** `secateur focus`: the same server for agents, who read text. */
export const secateurFocus: Command = {
  ...focus,
  defaults: { focus: { answer, maxPruneInputBytes } },
  readsWorkingDirectory: true,
};

function ended(input: NodeJS.ReadableStream): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  input.once('end', end).once('close', end).once('error', end).resume();
  return controller.signal;
}
