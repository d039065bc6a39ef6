import { homedir } from 'node:os';
import { openProcessWatchdog } from '@secateur/base/runtime/process-watchdog.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import { switchedOff } from '@secateur/serving/config/off-switch.ts';
import { type Config, withoutOwnVariables } from '@secateur/serving/config/settings.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import { rulesOf } from '@secateur/serving/wire/tokens.ts';
import { createGateway, type Gateway } from '../../servers/gateway/gateway.ts';
import { withSecrets } from '../../servers/gateway/server-table.ts';
import { cutLimitsOf } from '../cut-settings.ts';
import { type Launch, serveAlone, serveRoutes } from '../launch.ts';
import type { ServerDeps } from '../server-deps.ts';

export const gateway = defineCommand({
  usage: '[--host HOST] [--port N] [--max-chars N] [--store memory|embedded|redis]',
  details:
    'Forwards POST /api/mcp-gateway/NAME/rpc to the server NAME of config.toml and shortens long results; ' +
    'GET /api/mcp-gateway/servers lists the servers. `secateur connect` configures a client to use it.',
  sections: ['gateway', 'pruner', 'recovery', 'audit', 'wire'],
  flagPrefixes: { pruner: false },
  readsWorkingDirectory: true,
  examples: [
    { line: 'secateur gateway', does: 'serves on 127.0.0.1:8000' },
    {
      line: 'secateur gateway --max-chars 20000 --store embedded',
      does: 'masks only longer strings, and keeps removed text for a week',
    },
  ],
  run: (call) => serveAlone('gateway', launchGateway, call),
});

/** Time limit of pruning in ms. The client of the gateway waits during this time. */
const PRUNING_MS = 1500;

export const launchGateway: Launch<'gateway' | 'pruner' | 'wire' | 'audit'> = async (config, parts, env) => {
  const gateway = await createConfiguredGateway(config, parts, env);
  parts.metrics?.watchUpstreams(() => gateway.upstreams());
  const { gateway: at, wire } = config;
  const http = await serveRoutes({ name: 'gateway', at, wire, parts, routes: gateway.routes });
  const close = async () => {
    await http.close();
    await gateway.close();
  };
  return { ...http, close };
};

/** Opens the configured gateway. Its stdio servers get variables of Sécateur only if a table names them. */
export async function createConfiguredGateway(
  config: Pick<Config, 'gateway' | 'pruner' | 'wire' | 'audit'>,
  parts: ServerDeps,
  env: Environment,
): Promise<Gateway> {
  const pruning = prunesAnywhere(config.gateway) && {
    pruner: await parts.pruner(config.pruner),
    ...cutLimitsOf(config.pruner),
    timeoutMs: PRUNING_MS,
  };
  const tokens = await parts.tokens();
  const oauth = parts.signIns(() => tokens.current()?.name);
  const servers = await withSecrets(config.gateway.servers, { env, oauth });
  const { breakerFailures: failures, breakerCooldownMs: cooldownMs } = config.gateway;
  const { maxBodyBytes } = config.wire;
  const options = { servers, defaults: config.gateway, breaker: { failures, cooldownMs }, maxBodyBytes };
  return createGateway(options, {
    ...parts,
    notes: config.audit.level === 'full' ? parts.notes : undefined,
    pruning: pruning || undefined,
    isOff: () => switchedOff({ env, homeDir: homedir() }) !== undefined,
    env: withoutOwnVariables(env),
    watchdog: openProcessWatchdog(),
    callerRules: () => rulesOf(tokens.current()),
    callerServers: () => tokens.current()?.servers,
  });
}

/** Whether pruning is switched on for any server. If not, the engine is not loaded. */
function prunesAnywhere({ pruneBeforeMask, servers }: Config['gateway']): boolean {
  return Object.values(servers).some(
    (server) =>
      (server.pruneBeforeMask ?? pruneBeforeMask) ||
      Object.values(server.tools?.each ?? {}).some((tool) => tool.pruneBeforeMask),
  );
}
