import type { Config } from '../../config/settings.ts';
import { openLifeline } from '../../runtime/lifeline.ts';
import { withSecrets } from '../../servers/gateway/credentials.ts';
import { createGateway, type GatewayOptions } from '../../servers/gateway/gateway.ts';
import { serveHttp } from '../../wire/http-host.ts';
import { rulesOf } from '../../wire/tokens.ts';
import { type Launch, listen } from '../launch.ts';
import { leastSizeOf } from '../least-size.ts';
import { withMetrics } from '../open-metrics.ts';

/** A caller waits for its answer, pruned or not. */
const PRUNING_MS = 1500;

/** Stdio servers behind the gateway get `env`, less the gateway's own token. */
export const launchGateway: Launch<'gateway' | 'pruner' | 'wire' | 'audit'> = async (config, parts, env) => {
  const { host, port } = config.gateway;
  const { SECATEUR_BEARER_TOKEN: _, ...inherited } = env;
  const pruning = prunesAnywhere(config.gateway)
    ? { pruner: await parts.pruner(config.pruner), least: leastSizeOf(config.pruner), timeoutMs: PRUNING_MS }
    : undefined;
  const tokens = await parts.tokens();
  const servers = await withSecrets(config.gateway.servers, {
    env,
    oauth: parts.signIns(() => tokens.current()?.name),
  });
  const options = { ...gatewayOptions(config), servers };
  const gateway = createGateway(options, {
    ...parts,
    notes: config.audit.level === 'full' ? parts.notes : undefined,
    pruning,
    env: inherited,
    lifeline: openLifeline(),
    callerRules: () => rulesOf(tokens.current()),
    callerServers: () => tokens.current()?.servers,
  });
  parts.metrics?.watchUpstreams(() => gateway.upstreams());
  const http = await listen('gateway', () =>
    serveHttp({
      host,
      port,
      tokens,
      ...withMetrics('gateway', gateway.routes, parts),
      ...config.wire,
      onError: (error) =>
        parts.log.emit({ level: 'error', event: 'gateway.crashed', data: { error: String(error) } }),
    }),
  );
  const close = async () => {
    await http.close();
    await gateway.close();
  };
  return { name: 'gateway', url: http.url, drain: () => http.drain(), close };
};

function gatewayOptions({
  gateway,
  wire,
}: Pick<Config, 'gateway' | 'wire'>): Omit<GatewayOptions, 'servers'> {
  return {
    defaults: gateway,
    breaker: { failures: gateway.breakerFailures, cooldownMs: gateway.breakerCooldownMs },
    maxBodyBytes: wire.maxBodyBytes,
  };
}

/** The engine is loaded only where it has something to do. */
function prunesAnywhere({ pruneBeforeMask, servers }: Config['gateway']): boolean {
  return Object.values(servers).some(
    (server) =>
      (server.pruneBeforeMask ?? pruneBeforeMask) ||
      Object.values(server.tools?.each ?? {}).some((tool) => tool.pruneBeforeMask),
  );
}
