import { homedir } from 'node:os';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { HookDeps } from '../../servers/hooks/hook.ts';
import { hookRoutes } from '../../servers/hooks/routes.ts';
import type { ClientHome } from '../../servers/hooks/transcript.ts';
import { createPrunerServer, PRUNER_RPC_PATHS } from '../../servers/pruner/server.ts';
import { cutLimitsOf, usdPerMillionTokens } from '../cut-settings.ts';
import { type Launch, openPage, serveAlone, serveRoutes } from '../launch.ts';
import type { ServerDeps } from '../server-deps.ts';

export const pruner = defineCommand({
  usage: '[--host HOST] [--port N] [--store memory|embedded|redis] [--backend heuristic|deepinfra]',
  details: 'JSON-RPC at /rpc and /mcp, plain HTTP at /health, /prune and /hooks/CLIENT.',
  sections: ['pruner', 'recovery', 'audit', 'wire', 'hook'],
  flagPrefixes: { hook: 'hook' },
  readsWorkingDirectory: true,
  examples: [
    { line: 'secateur pruner', does: 'serves on 127.0.0.1:8006' },
    { line: 'secateur pruner --store redis --port 0', does: 'shares ids with other pruners, on a free port' },
  ],
  run: (call) => serveAlone('pruner', launchPruner, call),
});

export const launchPruner: Launch<'pruner' | 'wire' | 'hook' | 'audit' | 'recovery'> = async (
  config,
  parts,
  env,
) => {
  const server = createPrunerServer({
    ...parts,
    pruner: await parts.pruner(config.pruner),
    usdPerMillionTokens: usdPerMillionTokens(config.audit),
  });
  const tokens = await parts.tokens();
  const hooks = hookRoutes(hookDeps(config, parts, { env, homeDir: homedir() }));
  const routes = [...server.routes, ...hooks, ...(await openPage(config, { ...parts, tokens }))];
  const { pruner: at, wire } = config;
  return serveRoutes(
    { name: 'pruner', at, wire, parts, routes },
    {
      rpc: { server: server.rpc, paths: PRUNER_RPC_PATHS },
      maxCalls: Math.min(wire.maxCalls, MAX_CALLS),
      maxBodyBytes: maxBodyBytes(config),
    },
  );
};

const MIN_BODY_BYTES = 32 * 1024 * 1024;
/** Maximum bytes of UTF-8 per character. */
const BYTES_PER_CHARACTER = 4;

/** Returns the maximum bytes of a request body. Texts above the pruner's limit are returned unchanged. */
function maxBodyBytes({ pruner, wire }: Pick<Config, 'pruner' | 'wire'>): number {
  const wanted = Math.max(MIN_BODY_BYTES, BYTES_PER_CHARACTER * pruner.maxInputChars, wire.maxBodyBytes);
  return Math.min(wanted, wire.maxHeldBytes);
}

/** Maximum concurrent calls. More calls would exceed the time limits of their callers. */
const MAX_CALLS = 64;

/** Returns the dependencies of hooks. A shell finds the installed program as `secateur`. */
export function hookDeps(
  { hook: settings, pruner: config }: Pick<Config, 'hook' | 'pruner'>,
  { pruner, ledger, clock, log }: ServerDeps,
  home: ClientHome,
): Omit<HookDeps, 'access'> {
  const own = { pruner: () => pruner(config), ...cutLimitsOf(config), program: 'secateur' };
  return { ...own, ledger, clock, log, settings, home };
}
