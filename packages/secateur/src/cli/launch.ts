import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { CommandCall, OptionTable } from '@secateur/serving/commands/command.ts';
import { configProblem } from '@secateur/serving/config/config-file.ts';
import { type Config, type SectionName, settings } from '@secateur/serving/config/settings.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import { type HttpHost, type HttpHostOptions, serveHttp } from '@secateur/serving/wire/http-host.ts';
import type { HttpRoute } from '@secateur/serving/wire/http-route.ts';
import type { Tokens } from '@secateur/serving/wire/tokens.ts';
import type { Traces } from '../savings/traces.ts';
import { pricesOf } from './cut-settings.ts';
import { savingsDirectory } from './open-stores.ts';
import { redactedLog, type ServerDeps, withServerDeps } from './server-deps.ts';

/** Starts a server. The function of each server is in `commands/SERVER.ts`, and is called by `secateur SERVER` and `secateur up`. */
export type Launch<Section extends SectionName> = (
  config: Pick<Config, Section>,
  parts: ServerDeps,
  /** Environment of the processes that the server starts. */
  env: Environment,
) => Promise<HttpHost>;

/** Runs one server until the user interrupts it. Events are printed on standard error. */
export async function serveAlone<Section extends SectionName>(
  name: string,
  launch: Launch<Section>,
  {
    config,
    terminal,
    origin,
    interrupted,
  }: CommandCall<NoInfer<Section> | 'recovery' | 'audit' | 'wire', OptionTable>,
): Promise<undefined> {
  const stopped = interrupted();
  await withServerDeps(config, redactedLog(terminal.errors), async (parts) => {
    const server = await launch(config, parts, origin.env);
    terminal.note(`${name}: ${server.url}`);
    await serveUntilInterrupted({ servers: [server], interrupted: stopped, drainMs: config.wire.drainMs });
  });
}

type ListeningSection = 'pruner' | 'focus' | 'gateway';

interface Serving {
  readonly name: ListeningSection;
  readonly at: Pick<HttpHostOptions, 'host' | 'port'>;
  readonly wire: Config['wire'];
  readonly parts: ServerDeps;
  readonly routes: readonly HttpRoute[];
}

/** Serves at the configured address, with metrics and tokens. Errors name the setting that is wrong. */
export async function serveRoutes(
  { name, at: { host, port }, wire, parts, routes }: Serving,
  options: Partial<HttpHostOptions> = {},
): Promise<HttpHost> {
  try {
    return await serveHttp({
      host,
      port,
      tokens: await parts.tokens(),
      readiness: parts.readiness,
      ...withMetrics(name, routes, parts),
      ...wire,
      onError: (error) =>
        parts.log.emit({ level: 'error', event: `${name}.crashed`, data: { error: String(error) } }),
      ...options,
    });
  } catch (error) {
    throw error instanceof DomainError ? inTermsOfSettings(error, name) : error;
  }
}

const SETTING_BEHIND = { port_in_use: 'port', port_forbidden: 'port', host_not_available: 'host' } as const;

const EXPOSURE_ADVICE: Readonly<Record<string, string>> = {
  remote_not_allowed: 'listen on 127.0.0.1, or add --allow-remote',
  bearer_token_required:
    'make tokens with `secateur token add`, or set SECATEUR_BEARER_TOKEN to a long secret',
  tls_required: 'put a proxy that speaks TLS in front and set SECATEUR_TLS_TERMINATED=true',
};

function inTermsOfSettings(error: DomainError, section: ListeningSection): DomainError {
  const advice = EXPOSURE_ADVICE[error.code];
  if (advice !== undefined)
    return configProblem(`${settings[section].host.env}: ${error.message}; ${advice}`);
  const key = SETTING_BEHIND[error.code as keyof typeof SETTING_BEHIND];
  if (key === undefined) return error;
  const { env, toml } = settings[section][key];
  return new DomainError(error.code, `${section}: ${error.message}`, {
    hint: `Set ${env} (${toml} in config.toml) to another ${key}${key === 'port' ? ', or stop that program' : ''}.`,
    data: { ...error.data, setting: env },
    cause: error,
  });
}

/** Adds `GET /metrics` and the recording of metrics and traces to the options of a host, unless switched off. */
export function withMetrics(
  server: string,
  routes: readonly HttpRoute[],
  { metrics, traces, owner }: Pick<ServerDeps, 'metrics' | 'traces' | 'owner'>,
): Pick<HttpHostOptions, 'routes' | 'onAnswered' | 'around'> {
  if (metrics === undefined) return { routes };
  metrics.serve();
  const route: HttpRoute = {
    method: 'GET',
    path: '/metrics',
    handle: async () => {
      const { contentType, body } = await metrics.text(owner());
      return { headers: { 'content-type': contentType }, body };
    },
  };
  return {
    routes: [...routes, route],
    around: traces && tracedBy(server, traces),
    onAnswered: (answer) => metrics.answered(server, answer),
  };
}

function tracedBy(server: string, traces: Traces): NonNullable<HttpHostOptions['around']> {
  return (exchange, work) => {
    const { request, response } = exchange;
    const { traceparent } = request.headers;
    const call = {
      server,
      // The header has priority, because the last proxy set it after the message was written.
      traceparent: () => (typeof traceparent === 'string' ? traceparent : exchange.traceparent),
      requestBytes: Number(request.headers['content-length'] ?? 0),
      status: () => response.statusCode,
    };
    return traces.around(call, work);
  };
}

/** Returns the routes of the dashboard; none if it is switched off. */
export async function openPage(
  { audit, recovery, wire }: Pick<Config, 'audit' | 'recovery' | 'wire'>,
  {
    tokens,
    ...parts
  }: Omit<ServerDeps, 'tokens'> & {
    /** Named tokens. Each sees only its own figures. `undefined` if only the user that runs the server may call. */
    readonly tokens?: Tokens | undefined;
  },
): Promise<HttpRoute[]> {
  if (audit.level === 'off') return [];
  const { dashboardRoutes } = await import('../servers/dashboard/dashboard.ts');
  return dashboardRoutes({
    ...parts,
    directory: savingsDirectory(recovery),
    prices: pricesOf(audit),
    assets: new URL('../web/', import.meta.url),
    bearerToken: wire.bearerToken,
    tlsTerminated: wire.tlsTerminated,
    tokens,
  });
}

/**
 * Waits for Ctrl-C or a stop signal, and closes the servers in reverse order of their start. For `drainMs`
 * before that, they still answer calls, while `GET /ready` reports 503.
 */
export async function serveUntilInterrupted({
  servers,
  interrupted,
  drainMs = 0,
}: {
  readonly servers: readonly HttpHost[];
  readonly interrupted: AbortSignal;
  readonly drainMs?: number;
}): Promise<void> {
  if (!interrupted.aborted) await once(interrupted, 'abort');
  for (const server of servers) server.drain();
  if (drainMs > 0) await setTimeout(drainMs);
  for (const server of servers.toReversed()) await server.close();
}
