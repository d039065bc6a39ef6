import type { Pruner } from '../../pruning/pruner.ts';
import { createPrunerServer, PRUNER_RPC_PATHS, type PrunerServer } from '../../servers/pruner/server.ts';
import { serveHttp } from '../../wire/http-host.ts';
import { type Launch, listen } from '../launch.ts';
import type { ServerParts } from '../server-parts.ts';

export const launchPruner: Launch<'pruner' | 'wire'> = async ({ pruner: config, wire }, parts) => {
  const { host, port } = config;
  const server = openPrunerServer(await parts.pruner(config), parts);
  const http = await listen('pruner', () =>
    serveHttp({
      host,
      port,
      rpc: { server: server.rpc, paths: PRUNER_RPC_PATHS },
      routes: server.routes,
      ...wire,
      onError: (error) =>
        parts.log.emit({ level: 'error', event: 'pruner.crashed', data: { error: String(error) } }),
    }),
  );
  return { name: 'pruner', url: http.url, close: () => http.close() };
};

export function openPrunerServer(
  pruner: Pruner,
  { recovery, ledger, clock, version }: ServerParts,
): PrunerServer {
  return createPrunerServer({ pruner, recovery, ledger, clock, version });
}
