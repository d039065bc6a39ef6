import { join } from 'node:path';
import { serveSocket } from '@secateur/serving/wire/socket-host.ts';
import { hookRoutes } from '../../servers/hooks/routes.ts';
import { failureLog, type HookConfig, type HookSurroundings } from '../hook-parts.ts';
import { DIGEST_HEADER, mayUseSocket, settingsDigest, socketFolder } from '../hook-socket.ts';
import { hookParts } from '../launches/pruner.ts';
import { ownProgram, shellLine } from '../own-program.ts';
import type { ServerParts } from '../server-parts.ts';
import { SHELL_EVENTS, shellEventRoutes } from './shell-events.ts';

interface ServerSurroundings extends HookSurroundings {
  readonly parts: ServerParts;
}

/** More than an agent has concurrent calls; a hook that is refused cuts for itself. */
const MAX_CALLS = 16;

/** While `serve` runs, hooks of the same settings get their answers here. Without a socket everything is as it was. */
export async function withHookSocket<Result>(
  config: HookConfig,
  surroundings: ServerSurroundings,
  serve: () => Promise<Result>,
): Promise<Result> {
  const socket = mayUseSocket(config, surroundings) ? await openSocket(config, surroundings) : undefined;
  const loading = socket && setTimeout(loadEngine, IDLE_MS, config, surroundings.parts);
  loading?.unref();
  return serve().finally(() => {
    clearTimeout(loading);
    socket?.close();
  });
}

/** Long enough for a client to have read our list of tools. */
const IDLE_MS = 500;

/** Starts the worker threads, which load the engine: the first event does not wait for them. */
function loadEngine({ pruner }: HookConfig, parts: ServerParts): void {
  parts.pruner(pruner).catch(() => undefined);
}

function openSocket(config: HookConfig, { parts, ...surroundings }: ServerSurroundings) {
  const { origin } = surroundings;
  const digest = settingsDigest(config, surroundings);
  const hook = {
    ...hookParts(config, parts, origin),
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
