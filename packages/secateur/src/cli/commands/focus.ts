import { homedir } from 'node:os';
import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import { openProcessWatchdog } from '@secateur/base/runtime/process-watchdog.ts';
import { type Command, defineCommand } from '@secateur/serving/commands/command.ts';
import { switchedOff } from '@secateur/serving/config/off-switch.ts';
import { type Config, withoutOwnVariables } from '@secateur/serving/config/settings.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import { plainFailureBody } from '@secateur/serving/wire/http-route.ts';
import { openPipeSupply } from '@secateur/serving/workspace/output-pipes.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import { embeddedBackend, httpBackend } from '../../servers/focus/backend.ts';
import { createFocusServer, FOCUS_RPC_PATHS, type FocusServer } from '../../servers/focus/server.ts';
import { AGENT_DEFAULTS, cutLimitsOf } from '../cut-settings.ts';
import { type Launch, serveRoutes, serveUntilInterrupted } from '../launch.ts';
import { redactedLog, type ServerDeps, withServerDeps } from '../server-deps.ts';

/** The only command of the executable `jeeves-mcp-pruner`. Its clients read structured results. */
export const focus = defineCommand({
  usage: '[--host IP] [--port N] [--root DIR] [--log-format json|text]',
  details:
    'MCP at /mcp, health at /healthz. Events go to standard output, one per line; the first event, mcp_pruner.ready, contains the port.',
  sections: ['focus', 'recovery', 'audit', 'wire', 'pruner'],
  flagPrefixes: { pruner: false },
  options: {
    'exit-with-stdin': {
      type: 'boolean',
      doc: 'exit when standard input ends, which happens when the parent process exits',
    },
  },
  examples: [
    { line: 'secateur focus --root . --pruner-endpoint embedded', does: 'serves this folder on a free port' },
    {
      line: 'jeeves-mcp-pruner --root /src/app --port 8008',
      does: 'serves the same tools with another executable',
    },
  ],
  run: async ({ config, options, terminal, origin, interrupted }) => {
    const stopped = interrupted();
    const log = redactedLog(terminal.output, config.focus.logFormat);
    let isReady = false;
    const serve = async (parts: ServerDeps) => {
      const server = await launchFocus(config, parts, origin.env);
      isReady = true;
      const ending = options['exit-with-stdin'] ? AbortSignal.any([stopped, ended(terminal.input)]) : stopped;
      await serveUntilInterrupted({ servers: [server], interrupted: ending, drainMs: config.wire.drainMs });
    };
    await withServerDeps(config, log, serve).catch((error: unknown) => {
      if (!isReady) startFailed(log, error);
      throw error;
    });
    // Pauses the input, because Node does not exit while it reads.
    terminal.input.pause();
  },
  notStarted: (error, { terminal, origin, argv }) =>
    startFailed(redactedLog(terminal.output, askedFormat(argv, origin.env)), error),
});

/** Logs `mcp_pruner.start_failed` if anything fails before the server is ready. */
function startFailed(log: EventLog, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  log.emit({ level: 'error', event: 'mcp_pruner.start_failed', data: { message } });
}

/** Returns the log format that the caller requested. Works even if other settings are invalid. */
function askedFormat(argv: readonly string[], env: Environment): 'text' | 'json' {
  const flag = argv.findLastIndex((word) => word.startsWith('--log-format'));
  const [, inWord] = argv[flag]?.split('=', 2) ?? [];
  const asked = flag === -1 ? env.JEEVES_MCP_PRUNER_LOG_FORMAT : (inWord ?? argv[flag + 1]);
  return asked === 'text' ? 'text' : 'json';
}

/** `secateur focus`: the server of `focus` with defaults for agents that read text. */
export const secateurFocus: Command = {
  ...focus,
  defaults: { focus: { answer: 'text', maxPruneInputBytes: AGENT_DEFAULTS.maxPruneInputBytes } },
  readsWorkingDirectory: true,
};

function ended(input: NodeJS.ReadableStream): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  input.once('end', end).once('close', end).once('error', end).resume();
  return controller.signal;
}

/** Default maximum bytes of an output that is sent to a pruning service. */
const MAX_BYTES_FOR_A_SERVICE = 262_144;

/** Starts the focus tools. Their commands get `env` without secrets and without variables of Sécateur. */
export const launchFocus: Launch<'focus' | 'pruner' | 'wire'> = async (config, parts, env) => {
  const server = await openFocusServer(config, parts, env);
  const { log } = parts;
  const http = await serveRoutes(
    { name: 'focus', at: config.focus, wire: config.wire, parts, routes: server.routes },
    {
      localToken: parts.localToken,
      rpc: { server: server.rpc, paths: FOCUS_RPC_PATHS },
      failureBody: plainFailureBody,
      onError: (error) =>
        log.emit({ level: 'error', event: 'tool.internal_error', data: { stack: String(error) } }),
    },
  );
  const data = { host: http.host, port: http.port, root: config.focus.rootDir };
  log.emit({ level: 'info', event: 'mcp_pruner.ready', data });
  return http;
};

export async function openFocusServer(
  config: Pick<Config, 'focus' | 'pruner'>,
  parts: ServerDeps,
  env: Environment,
): Promise<FocusServer> {
  return createFocusServer({
    ...parts,
    root: await openRoot(config.focus.rootDir),
    backend: await openBackend(config, parts),
    isOff: (folder) => switchedOff({ env, homeDir: homedir() }, folder) !== undefined,
    maxPruneInputBytes: mostInputBytes(config.focus),
    textOnly: config.focus.answer === 'text',
    ownEnv: withoutOwnVariables(env),
    watchdog: openProcessWatchdog(),
    pipes: openPipeSupply(),
  });
}

function mostInputBytes({ maxPruneInputBytes, prunerEndpoint }: Config['focus']): number {
  const isUnset = maxPruneInputBytes === AGENT_DEFAULTS.maxPruneInputBytes;
  return isUnset && prunerEndpoint !== 'embedded' ? MAX_BYTES_FOR_A_SERVICE : maxPruneInputBytes;
}

async function openBackend({ focus, pruner }: Pick<Config, 'focus' | 'pruner'>, parts: ServerDeps) {
  const { prunerEndpoint: endpoint, prunerTimeoutMs: timeoutMs } = focus;
  if (endpoint === undefined) return undefined;
  if (endpoint !== 'embedded')
    return httpBackend({ url: endpoint, timeoutMs, recovery: parts.recovery, fetch });
  return embeddedBackend({ pruner: await parts.pruner(pruner), timeoutMs, ...cutLimitsOf(pruner) });
}
