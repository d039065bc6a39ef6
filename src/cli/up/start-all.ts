import type { Environment } from '../../config/origin.ts';
import type { RunningServer } from '../launch.ts';
import type { ServerParts } from '../server-parts.ts';
import { type UpConfig, type UpServer, upServers } from './servers.ts';

export interface StartedServer extends UpServer {
  readonly running: RunningServer;
}

/** All servers or none: when one cannot start, those before it are closed again. */
export async function startAll(
  config: UpConfig,
  parts: ServerParts,
  env: Environment,
): Promise<StartedServer[]> {
  const launches = await Promise.all(upServers.map((server) => server.load()));
  const started: StartedServer[] = [];
  try {
    for (const [index, server] of upServers.entries()) {
      const launch = launches[index];
      if (launch !== undefined)
        started.push({ ...server, running: await launch(withPruner(config, started), parts, env) });
    }
    return started;
  } catch (error) {
    await closeAll(started);
    throw error;
  }
}

async function closeAll(started: readonly StartedServer[]): Promise<void> {
  for (const { running } of [...started].reverse()) await running.close();
}

/** The gateway's upstream `pruner` is the pruner of this process, wherever it listens, unless the user named another. */
function withPruner(config: UpConfig, started: readonly StartedServer[]): UpConfig {
  const pruner = started.find(({ name }) => name === 'pruner');
  const named = config.gateway.servers.pruner;
  if (pruner === undefined || named?.url !== DEFAULT_PRUNER_URL) return config;
  const token = config.wire.bearerToken;
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const own = { ...named, url: `${pruner.running.url}/rpc`, headers };
  const servers = { ...config.gateway.servers, pruner: own };
  return { ...config, gateway: { ...config.gateway, servers } };
}

const DEFAULT_PRUNER_URL = 'http://127.0.0.1:8006/rpc';
