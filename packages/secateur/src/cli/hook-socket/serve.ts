import { isAbsolute, join } from 'node:path';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import { parsedFields } from '@secateur/base/text/json.ts';
import type { CommandCall, OptionTable } from '@secateur/serving/commands/command.ts';
import { serveOnStdio } from '@secateur/serving/commands/serve-on-stdio.ts';
import { faultsIn, type LoadedConfig, loadConfig } from '@secateur/serving/config/load.ts';
import { withoutOwnVariables } from '@secateur/serving/config/settings.ts';
import type { Environment, LaunchContext } from '@secateur/serving/config/values.ts';
import { type RawRoute, readBody } from '@secateur/serving/wire/http-route.ts';
import type { RpcServer } from '@secateur/serving/wire/protocol.ts';
import { serveSocket } from '@secateur/serving/wire/socket.ts';
import { textAt } from '../../servers/hooks/client.ts';
import { answerEvent, type HookDeps } from '../../servers/hooks/hook.ts';
import { clientRoutes, hookRoutes } from '../../servers/hooks/routes.ts';
import { hookDeps } from '../commands/pruner.ts';
import { cutLimitsOf } from '../cut-settings.ts';
import { failureLog, type HookConfig, type HookProcess } from '../hook-deps.ts';
import { ownProgram, shellLine } from '../own-program.ts';
import { type ServerDeps, withServerDeps } from '../server-deps.ts';
import { DIGEST_HEADER, mayUseSocket, RECOVER_TOOL, settingsDigest, socketFolder } from './socket.ts';

/** Maximum number of concurrent calls. One agent makes fewer; a refused hook cuts in its own process. */
const MAX_CALLS = 16;

/** Serves a session on stdin and stdout. If a socket can be opened, also serves hooks that have the same settings. */
export async function serveSession(
  { config, terminal, origin, self, interrupted }: CommandCall<keyof HookConfig, OptionTable>,
  log: EventLog,
  open: (parts: ServerDeps) => Promise<RpcServer>,
): Promise<undefined> {
  const stopped = interrupted();
  await withServerDeps(config, log, async (parts) => {
    const server = await open(parts);
    const surroundings = { parts, origin, self, errors: terminal.errors };
    const socket = mayUseSocket(config, surroundings) ? await openSocket(config, surroundings) : undefined;
    // Starts the worker threads, which load the engine, so that the first event does not wait for this.
    const load = () => void parts.pruner(config.pruner).catch(() => undefined);
    const loading = socket && setTimeout(load, IDLE_MS).unref();
    await serveOnStdio({ server, terminal, interrupted: stopped }).finally(() => {
      clearTimeout(loading);
      socket?.close();
    });
  });
}

/** Time in ms before the engine is loaded, so that the client can read the list of tools first. */
const IDLE_MS = 500;

function openSocket(config: HookConfig, { parts, ...surroundings }: HookProcess & { parts: ServerDeps }) {
  const { origin } = surroundings;
  const digest = settingsDigest(config, surroundings);
  const hook = {
    ...hookDeps(config, parts, origin),
    log: failureLog(config, surroundings.errors),
    program: shellLine(ownProgram(surroundings)),
  };
  return serveSocket({
    path: join(socketFolder(config.recovery), `hook-${process.pid}.sock`),
    routes: [...hookRoutes(hook), ...shellEventRoutes({ config, origin, parts: hook })],
    maxCalls: MAX_CALLS,
    accepts: ({ headers, url = '' }) => url.startsWith(SHELL_EVENTS) || headers[DIGEST_HEADER] === digest,
  });
}

const SHELL_EVENTS = '/events/';

/** A server that answers hook events: its settings, and the dependencies that all events share. */
interface EventServer {
  readonly config: HookConfig;
  readonly origin: LaunchContext;
  readonly parts: Omit<HookDeps, 'access'>;
}

/**
 * Creates `POST /events/CLIENT` for the shell script of a client (`connect/scripts.ts`), which cannot read
 * settings. In the body, lines `NAME=value` set folders and `RECOVER_TOOL`; an empty line and the event
 * follow. The response is that of `secateur hook CLIENT` in the event's directory. It is 409 if the server
 * cannot know that.
 */
function shellEventRoutes(server: EventServer): RawRoute[] {
  const path = `${SHELL_EVENTS}:client`;
  return clientRoutes({ path }, async (client, { request, response, signal, maxBodyBytes }) => {
    const body = await readBody(request, maxBodyBytes);
    const sent = body.kind === 'read' ? readSent(body.bytes.toString('utf8')) : undefined;
    const loaded = sent && hookConfigOf(sent, server);
    if (sent === undefined || loaded === undefined) return void response.writeHead(409).end();
    const { event, env } = sent;
    const { hook: settings, pruner } = loaded.config;
    const home = { env, homeDir: env.HOME ?? '' };
    const own = { settings, ...cutLimitsOf(pruner), home, access: 'all', signal } as const;
    return answerEvent(client, event, { ...server.parts, ...own, faults: faultsIn(loaded) });
  });
}

interface SentEvent {
  readonly env: Environment;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Returns `undefined` if the body is not from the script or the event is not an object. */
function readSent(body: string): SentEvent | undefined {
  const end = body.indexOf('\n\n');
  const event = parsedFields(body.slice(end + 2));
  if (end === -1 || event === undefined) return undefined;
  const variables = body
    .slice(0, end)
    .split('\n')
    .map((line) => /^([A-Z_]+)=(.*)$/.exec(line));
  if (variables.includes(null)) return undefined;
  const set = variables.flatMap((found) => (found?.[2] ? [[found[1] ?? '', found[2]]] : []));
  return { env: Object.fromEntries(set), event };
}

/** Returns a hook's settings in the event's directory. `undefined` if this server would answer differently. */
function hookConfigOf(
  { env, event }: SentEvent,
  { config, origin }: EventServer,
): LoadedConfig<keyof HookConfig> | undefined {
  const cwd = textAt(event, 'cwd');
  // The start of a session reports wrong settings, which only the program itself can do.
  if (event.hook_event_name === 'SessionStart' || event.hook === 'session') return undefined;
  if (cwd === undefined || !isAbsolute(cwd) || env.HOME === undefined) return undefined;
  const { [RECOVER_TOOL]: recoverTool } = env;
  const caller = {
    platform: origin.platform,
    env: { ...withoutOwnVariables(env), ...(recoverTool && { [RECOVER_TOOL]: recoverTool }) },
    cwd,
    homeDir: env.HOME,
  };
  const defaults = { recovery: { store: 'embedded' } } as const;
  const loaded = attempt(() =>
    loadConfig(['hook', 'pruner', 'recovery', 'audit'], { flags: new Map(), defaults, origin: caller }),
  );
  const isSame =
    loaded !== undefined &&
    mayUseSocket(loaded.config, { origin: caller, self: [] }) &&
    fixedSettings(loaded.config) === fixedSettings(config);
  return isSame ? loaded : undefined;
}

/** Returns the settings that a running server cannot change: those of store, ledger and engine. */
function fixedSettings({ recovery, audit, pruner: { maxInputChars, structure } }: HookConfig): string {
  return JSON.stringify({ recovery, audit, maxInputChars, structure });
}
