import type { Config } from '../../config/settings.ts';
import { workerEngine } from '../../pruning/engine.ts';
import { createPruner, type Pruner } from '../../pruning/pruner.ts';
import { deepInfraRanking, type RemoteRanking } from '../../pruning/remote-ranking.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createPrunerServer, PRUNER_RPC_PATHS, type PrunerServer } from '../../servers/pruner/server.ts';
import { serveHttp } from '../../wire/http-host.ts';
import { type Launch, listen } from '../launch.ts';
import type { ServerParts } from '../server-parts.ts';

export const launchPruner: Launch<'pruner' | 'wire'> = async ({ pruner: config, wire }, parts) => {
  const { host, port } = config;
  return listen('pruner', async () => {
    const opened = openPruner(config, parts);
    const server = openPrunerServer(opened.pruner, parts);
    const http = await serveHttp({
      host,
      port,
      rpc: { server: server.rpc, paths: PRUNER_RPC_PATHS },
      routes: server.routes,
      ...wire,
      onError: (error) =>
        parts.log.emit({ level: 'error', event: 'pruner.crashed', data: { error: String(error) } }),
    }).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
    return {
      name: 'pruner',
      url: http.url,
      close: async () => {
        await http.close();
        await opened.close();
      },
    };
  });
};

export interface OpenedPruner {
  readonly pruner: Pruner;
  close(): Promise<void>;
}

/** The engine the settings ask for, on its worker threads. */
export function openPruner(config: Config['pruner'], { recovery, clock }: PrunerSurroundings): OpenedPruner {
  const engine = workerEngine();
  const remote = remoteOf(config, clock);
  const { maxInputChars } = config;
  const pruner = createPruner({ recovery, engine, clock, maxInputChars, ...(remote && { remote }) });
  return { pruner, close: () => engine.close() };
}

function remoteOf(config: Config['pruner'], clock: Clock): RemoteRanking | undefined {
  if (config.backend !== 'deepinfra') return undefined;
  return deepInfraRanking({
    endpointUrl: config.deepinfraEndpointUrl,
    apiKey: config.deepinfraApiKey,
    timeoutMs: config.deepinfraTimeoutMs,
    maxDocuments: config.deepinfraMaxDocs,
    cache: { ttlMs: config.cacheTtlS * 1000, maxEntries: config.cacheMaxItems },
    clock,
  });
}

type PrunerSurroundings = Pick<ServerParts, 'recovery' | 'clock'>;

export function openPrunerServer(
  pruner: Pruner,
  { recovery, ledger, clock, version }: ServerParts,
): PrunerServer {
  return createPrunerServer({ pruner, recovery, ledger, clock, version });
}
