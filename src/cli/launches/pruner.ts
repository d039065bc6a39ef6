import type { Config } from '../../config/settings.ts';
import type { Pruner } from '../../pruning/pruner.ts';
import type { HookParts } from '../../servers/hooks/hook.ts';
import { hookRoutes } from '../../servers/hooks/routes.ts';
import { createPrunerServer, PRUNER_RPC_PATHS, type PrunerServer } from '../../servers/pruner/server.ts';
import { serveHttp } from '../../wire/http-host.ts';
import { type Launch, listen } from '../launch.ts';
import { leastSizeOf } from '../least-size.ts';
import { withMetrics } from '../open-metrics.ts';
import { openPage } from '../open-page.ts';
import type { ServerParts } from '../server-parts.ts';

export const launchPruner: Launch<'pruner' | 'wire' | 'hook' | 'audit' | 'recovery'> = async (
  config,
  parts,
) => {
  const { host, port } = config.pruner;
  const pruner = await parts.pruner(config.pruner);
  const server = openPrunerServer(pruner, parts);
  const tokens = await parts.tokens();
  const hooks = hookRoutes(hookParts(config, parts));
  const routes = [...server.routes, ...hooks, ...(await openPage(config, { ...parts, tokens }))];
  const http = await listen('pruner', () =>
    serveHttp({
      host,
      port,
      tokens,
      rpc: { server: server.rpc, paths: PRUNER_RPC_PATHS },
      ...withMetrics('pruner', routes, parts),
      ...config.wire,
      maxCalls: Math.min(config.wire.maxCalls, MOST_CALLS),
      onError: (error) =>
        parts.log.emit({ level: 'error', event: 'pruner.crashed', data: { error: String(error) } }),
    }),
  );
  return { name: 'pruner', url: http.url, drain: () => http.drain(), close: () => http.close() };
};

/** More would wait longer than the time their callers give them, and pass whole. */
const MOST_CALLS = 64;

export function openPrunerServer(
  pruner: Pruner,
  { recovery, ledger, clock, version }: ServerParts,
): PrunerServer {
  return createPrunerServer({ pruner, recovery, ledger, clock, version });
}

/** Who runs a server has installed it: `secateur` is where a shell finds it. */
export function hookParts(
  { hook: settings, pruner: config }: Pick<Config, 'hook' | 'pruner'>,
  { pruner, ledger, clock, log }: ServerParts,
): HookParts {
  const least = leastSizeOf(config);
  return { pruner: () => pruner(config), ledger, clock, log, settings, least, program: 'secateur' };
}
