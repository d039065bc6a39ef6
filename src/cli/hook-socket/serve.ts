import { join } from 'node:path';
import { hookRoutes } from '../../servers/hooks/routes.ts';
import { serveSocket } from '../../wire/socket-host.ts';
import { failureLog, type HookConfig, type HookSurroundings } from '../hook-parts.ts';
import { DIGEST_HEADER, mayUseSocket, settingsDigest, socketFolder } from '../hook-socket.ts';
import { hookParts } from '../launches/pruner.ts';
import { ownProgram, shellLine } from '../own-program.ts';
import type { ServerParts } from '../server-parts.ts';

interface ServerSurroundings extends HookSurroundings {
  readonly parts: ServerParts;
}

/** More than an agent has calls at once; who is not let in cuts for itself. */
const MOST_CALLS = 16;

/** While `serve` runs, hooks of the same settings get their answers here. Without a socket everything is as it was. */
export async function withHookSocket<Result>(
  config: HookConfig,
  surroundings: ServerSurroundings,
  serve: () => Promise<Result>,
): Promise<Result> {
  const socket = mayUseSocket(config, surroundings) ? await openSocket(config, surroundings) : undefined;
  return serve().finally(() => socket?.close());
}

function openSocket(config: HookConfig, { parts, ...surroundings }: ServerSurroundings) {
  const digest = settingsDigest(config, surroundings);
  return serveSocket({
    path: join(socketFolder(config.recovery), `hook-${process.pid}.sock`),
    routes: hookRoutes({
      ...hookParts(config, parts, surroundings.origin),
      log: failureLog(config, surroundings.errors),
      program: shellLine(ownProgram(surroundings)),
    }),
    maxCalls: MOST_CALLS,
    accepts: ({ headers }) => headers[DIGEST_HEADER] === digest,
  });
}
