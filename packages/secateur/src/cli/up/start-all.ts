import type { Environment } from '@secateur/serving/config/origin.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { HttpHost } from '@secateur/serving/wire/http-host.ts';
import type { Launch } from '../launch.ts';
import type { ServerParts } from '../server-parts.ts';

export type UpConfig = Pick<
  Config,
  'pruner' | 'focus' | 'gateway' | 'hook' | 'recovery' | 'audit' | 'wire' | 'up'
>;

/** One of the servers `up` runs. */
export interface UpServer {
  readonly name: string;
  readonly healthPath: string;
  /** Path at which clients connect. */
  readonly endpointPath: string;
  readonly offers: string;
  load(): Promise<Launch<keyof UpConfig>>;
}

/** In the order they start: the gateway's upstream `pruner` is the first one. */
export const upServers: readonly UpServer[] = [
  {
    name: 'pruner',
    healthPath: '/health',
    endpointPath: '/mcp',
    offers: 'prune_text, recover_text',
    load: async () => (await import('../launches/pruner.ts')).launchPruner,
  },
  {
    name: 'focus',
    healthPath: '/healthz',
    endpointPath: '/mcp',
    offers: 'read, bash, grep, recover_text',
    load: async () => (await import('../launches/focus.ts')).launchFocus,
  },
  {
    name: 'gateway',
    healthPath: '/health',
    endpointPath: '/api/mcp-gateway/NAME/rpc',
    offers: 'your MCP servers by NAME, recover_text',
    load: async () => (await import('../launches/gateway.ts')).launchGateway,
  },
];

export interface StartedServer extends UpServer {
  readonly running: HttpHost;
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
    for (const { running } of started.toReversed()) await running.close();
    throw error;
  }
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
