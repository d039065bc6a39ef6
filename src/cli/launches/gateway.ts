import type { Config } from '../../config/settings.ts';
import { openLifeline } from '../../runtime/lifeline.ts';
import { withSecrets } from '../../servers/gateway/credentials.ts';
import { createGateway } from '../../servers/gateway/gateway.ts';
import { rulesOf } from '../../wire/tokens.ts';
import { cutPolicyOf, leastSizeOf } from '../cut-settings.ts';
import { type Launch, listen } from '../launch.ts';

/** A caller waits for its answer, pruned or not. */
const PRUNING_MS = 1500;

/** Stdio servers behind the gateway get `env`, less the gateway's own token. */
export const launchGateway: Launch<'gateway' | 'pruner' | 'wire' | 'audit'> = async (config, parts, env) => {
  const { SECATEUR_BEARER_TOKEN: _, ...inherited } = env;
  const pruning = prunesAnywhere(config.gateway)
    ? {
        pruner: await parts.pruner(config.pruner),
        least: leastSizeOf(config.pruner),
        policy: cutPolicyOf(config.pruner),
        timeoutMs: PRUNING_MS,
      }
    : undefined;
  const tokens = await parts.tokens();
  const servers = await withSecrets(config.gateway.servers, {
    env,
    oauth: parts.signIns(() => tokens.current()?.name),
  });
  const { breakerFailures: failures, breakerCooldownMs: cooldownMs } = config.gateway;
  const { maxBodyBytes } = config.wire;
  const options = { servers, defaults: config.gateway, breaker: { failures, cooldownMs }, maxBodyBytes };
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
  const http = await listen({
    name: 'gateway',
    at: config.gateway,
    wire: config.wire,
    parts,
    routes: gateway.routes,
  });
  const close = async () => {
    await http.close();
    await gateway.close();
  };
  return { ...http, close };
};

/** The engine is loaded only where it has something to do. */
function prunesAnywhere({ pruneBeforeMask, servers }: Config['gateway']): boolean {
  return Object.values(servers).some(
    (server) =>
      (server.pruneBeforeMask ?? pruneBeforeMask) ||
      Object.values(server.tools?.each ?? {}).some((tool) => tool.pruneBeforeMask),
  );
}
