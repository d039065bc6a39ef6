import type { Environment } from '../../config/origin.ts';
import type { Config } from '../../config/settings.ts';
import { workerEngine } from '../../pruning/engine.ts';
import { focusBackend } from '../../pruning/focus-backend.ts';
import type { FocusBackend } from '../../pruning/focus-request.ts';
import { createPruner } from '../../pruning/pruner.ts';
import { createFocusServer, FOCUS_RPC_PATHS, type FocusServer } from '../../servers/focus/server.ts';
import { serveHttp } from '../../wire/http-host.ts';
import { plainTroubleBody } from '../../wire/http-trouble.ts';
import { openRoot } from '../../workspace/root.ts';
import { type Launch, listen } from '../launch.ts';
import type { ServerParts } from '../server-parts.ts';

/** Commands the tools run get `env`, less what looks like a secret. */
export const launchFocus: Launch<'focus' | 'wire'> = async ({ focus: config, wire }, parts, env) => {
  const { host, port } = config;
  return listen('focus', async () => {
    const opened = await openFocusServer(config, parts, env);
    const http = await serveHttp({
      host,
      port,
      rpc: { server: opened.server.rpc, paths: FOCUS_RPC_PATHS },
      routes: opened.server.routes,
      troubleBody: plainTroubleBody,
      ...wire,
      onError: (error) =>
        parts.log.emit({ level: 'error', event: 'tool.internal_error', data: { stack: String(error) } }),
    }).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
    const data = { host, port: http.port, root: config.rootDir };
    parts.log.emit({ level: 'info', event: 'mcp_pruner.ready', data });
    return {
      name: 'focus',
      url: http.url,
      close: async () => {
        await http.close();
        await opened.close();
      },
    };
  });
};

export interface OpenedFocusServer {
  readonly server: FocusServer;
  close(): Promise<void>;
}

export async function openFocusServer(
  config: Config['focus'],
  parts: ServerParts,
  env: Environment,
): Promise<OpenedFocusServer> {
  const root = await openRoot(config.rootDir);
  const { backend, close } = openBackend(config, parts);
  const { maxPruneInputBytes } = config;
  const { recovery, ledger, clock, log, version } = parts;
  return {
    server: createFocusServer({
      root,
      backend,
      maxPruneInputBytes,
      ownEnv: env,
      recovery,
      ledger,
      clock,
      log,
      version,
    }),
    close,
  };
}

/** More than any output that is ever pruned. */
const MAX_INPUT_CHARS = 2_097_152;

function openBackend(
  { prunerEndpoint: endpoint, prunerTimeoutMs: timeoutMs }: Config['focus'],
  { recovery, clock }: ServerParts,
): { backend: FocusBackend | undefined; close(): Promise<void> } {
  if (endpoint === undefined) return { backend: undefined, close: async () => {} };
  if (endpoint !== 'embedded') {
    return {
      backend: focusBackend({ kind: 'http', url: endpoint, timeoutMs, recovery, fetch }),
      close: async () => {},
    };
  }
  const engine = workerEngine();
  const pruner = createPruner({ recovery, engine, clock, maxInputChars: MAX_INPUT_CHARS });
  return { backend: focusBackend({ kind: 'embedded', pruner, timeoutMs }), close: () => engine.close() };
}
