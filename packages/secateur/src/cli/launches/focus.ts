import { homedir } from 'node:os';
import { openLifeline } from '@secateur/base/runtime/lifeline.ts';
import { switchedOff } from '@secateur/serving/config/off-switch.ts';
import { type Config, withoutOwnVariables } from '@secateur/serving/config/settings.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import { plainFailureBody } from '@secateur/serving/wire/http-failure.ts';
import { openPipeSupply } from '@secateur/serving/workspace/output-pipes.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import { embeddedBackend, type FocusBackend } from '../../servers/focus/backend.ts';
import { httpBackend } from '../../servers/focus/http-backend.ts';
import { createFocusServer, FOCUS_RPC_PATHS, type FocusServer } from '../../servers/focus/server.ts';
import { cutPolicyOf, leastSizeOf } from '../cut-settings.ts';
import { type Launch, listen } from '../launch.ts';
import type { ServerParts } from '../server-parts.ts';

/** Defaults for agents: the engine in this process, answers as text, and no output too large for it. */
export const AGENT_DEFAULTS = {
  prunerEndpoint: 'embedded',
  answer: 'text',
  maxPruneInputBytes: Number.POSITIVE_INFINITY,
} as const;

/** Most bytes sent to a service, unless a setting says otherwise. */
const MAX_BYTES_FOR_A_SERVICE = 262_144;

/** Commands the tools run get `env` without our own variables and without what looks like a secret. */
export const launchFocus: Launch<'focus' | 'pruner' | 'wire'> = async (config, parts, env) => {
  const server = await openFocusServer(config, parts, env);
  const { log } = parts;
  const http = await listen(
    { name: 'focus', at: config.focus, wire: config.wire, parts, routes: server.routes },
    {
      localToken: parts.localToken,
      rpc: { server: server.rpc, paths: FOCUS_RPC_PATHS },
      failureBody: plainFailureBody,
      onError: (error) =>
        log.emit({ level: 'error', event: 'tool.internal_error', data: { stack: String(error) } }),
    },
  );
  const data = { host: http.host, port: http.port, root: config.focus.rootDir };
  log.emit({ level: 'info', event: 'mcp_pruner.ready', data });
  return http;
};

export async function openFocusServer(
  config: Pick<Config, 'focus' | 'pruner'>,
  parts: ServerParts,
  env: Environment,
): Promise<FocusServer> {
  return createFocusServer({
    ...parts,
    root: await openRoot(config.focus.rootDir),
    backend: await openBackend(config, parts),
    isOff: (folder) => switchedOff({ env, homeDir: homedir() }, folder) !== undefined,
    maxPruneInputBytes: mostInputBytes(config.focus),
    textOnly: config.focus.answer === 'text',
    ownEnv: withoutOwnVariables(env),
    lifeline: openLifeline(),
    pipes: openPipeSupply(),
  });
}

function mostInputBytes({ maxPruneInputBytes, prunerEndpoint }: Config['focus']): number {
  const isUnset = maxPruneInputBytes === AGENT_DEFAULTS.maxPruneInputBytes;
  return isUnset && prunerEndpoint !== 'embedded' ? MAX_BYTES_FOR_A_SERVICE : maxPruneInputBytes;
}

async function openBackend(
  { focus, pruner }: Pick<Config, 'focus' | 'pruner'>,
  parts: ServerParts,
): Promise<FocusBackend | undefined> {
  const { prunerEndpoint: endpoint, prunerTimeoutMs: timeoutMs } = focus;
  if (endpoint === undefined) return undefined;
  if (endpoint === 'embedded')
    return embeddedBackend({
      pruner: await parts.pruner(pruner),
      timeoutMs,
      least: leastSizeOf(pruner),
      policy: cutPolicyOf(pruner),
    });
  return httpBackend({ url: endpoint, timeoutMs, recovery: parts.recovery, fetch });
}
