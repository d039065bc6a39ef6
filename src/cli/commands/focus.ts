import { type Command, defineCommand } from '../command.ts';
import { AGENT_DEFAULTS, launchFocus } from '../launches/focus.ts';
import { redactedLog } from '../redacted-log.ts';
import { serveUntilInterrupted } from '../serve-until-interrupted.ts';
import { withServerParts } from '../server-parts.ts';

/** The whole of `jeeves-mcp-pruner`, whose programs read structured results. */
export const focus = defineCommand({
  usage: '[--host IP] [--port N] [--root DIR] [--log-format json|text]',
  details:
    'MCP at /mcp, health at /healthz. Events go to standard output, one a line; the first, mcp_pruner.ready, names the port.',
  sections: ['focus', 'recovery', 'audit', 'wire', 'pruner'],
  flagPrefixes: { pruner: false },
  options: {
    'exit-with-stdin': { type: 'boolean', doc: 'end when standard input ends, with whoever started it' },
  },
  examples: [
    { line: 'secateur focus --root . --pruner-endpoint embedded', does: 'serves this folder on a free port' },
    { line: 'jeeves-mcp-pruner --root /src/app --port 8008', does: 'the same server under its own name' },
  ],
  run: async ({ config, options, terminal, origin, interrupted }) => {
    const stopped = interrupted();
    const log = redactedLog(terminal.output, config.focus.logFormat);
    await withServerParts(config, log, async (parts) => {
      const server = await launchFocus(config, parts, origin.env).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        log.emit({ level: 'error', event: 'mcp_pruner.start_failed', data: { message } });
        throw error;
      });
      const ending = options['exit-with-stdin'] ? AbortSignal.any([stopped, ended(terminal.input)]) : stopped;
      await serveUntilInterrupted({ servers: [server], interrupted: ending, drainMs: config.wire.drainMs });
    });
    // A standard input that is still read from would keep the process alive.
    terminal.input.pause();
  },
});

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
