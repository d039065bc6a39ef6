import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openRegularFile, readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { attempt, DomainError } from '@secateur/base/runtime/domain-error.ts';
import { ProcessGroup } from '@secateur/base/runtime/process-group.ts';
import { type Clock, deadlineIn, systemClock } from '@secateur/base/runtime/time.ts';
import { makeFolder, replaceFile } from '@secateur/base/runtime/writing-files.ts';
import type { CommandCall, CommandDefinition, OptionTable } from '@secateur/serving/commands/command.ts';
import type { Terminal } from '@secateur/serving/commands/terminal.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import type { HttpHost } from '@secateur/serving/wire/http-host.ts';
import { AGENT_DEFAULTS } from '../cut-settings.ts';
import type { Launch } from '../launch.ts';
import type { ServerDeps } from '../server-deps.ts';
import { describeUp, healthOf, logPath, readLiveState, statePath, type UpState } from './running.ts';

/** The settings and flags that `up`, `start` and `restart` share. */
export const UP_SETTINGS = {
  sections: ['up', 'pruner', 'focus', 'gateway', 'hook', 'recovery', 'audit', 'wire'],
  readsWorkingDirectory: true,
  flagPrefixes: { pruner: 'pruner', focus: 'focus', gateway: 'gateway', hook: 'hook' },
  defaults: { recovery: { store: 'embedded' }, focus: { port: 8008, ...AGENT_DEFAULTS } },
} as const satisfies Pick<
  CommandDefinition<keyof UpConfig, OptionTable>,
  'sections' | 'flagPrefixes' | 'defaults' | 'readsWorkingDirectory'
>;

export type UpCall = Pick<
  CommandCall<keyof UpConfig, OptionTable>,
  'config' | 'terminal' | 'origin' | 'argv' | 'self'
>;

/** Starts the servers in a separate process, waits until all of them answer, and prints their addresses. */
export async function startInBackground(call: UpCall, like?: UpState): Promise<void> {
  const { config, terminal, origin, self } = call;
  const argv = like?.arguments ?? call.argv;
  const foregroundArguments = argv.filter((word) => word !== '--detach' && word !== '-d');
  const state = await startAndWait({
    command: [...self, 'up', ...foregroundArguments],
    cwd: like?.cwd ?? origin.cwd,
    logPath: logPath(config.recovery),
    statePath: statePath(config.recovery),
    readyTimeoutMs: config.up.readyTimeoutMs,
    bearerToken: config.wire.bearerToken,
    clock: systemClock,
  });
  sayUp(state, { config, terminal, fromNpm: isStartedByNpm(origin.env) });
}

export function sayUp(
  state: UpState,
  { config, terminal, fromNpm }: { config: UpConfig; terminal: Terminal; fromNpm: boolean },
): void {
  const needsToken = config.wire.bearerToken !== undefined;
  terminal.line(describeUp(state, { paint: terminal.paint, fromNpm, needsToken }));
}

/** Whether `npm start` runs this program. Then `secateur` may not be on the PATH, and signals may get lost. */
export function isStartedByNpm(env: Environment): boolean {
  return env.npm_lifecycle_event === 'start';
}

/** Throws if servers of this data directory are already running. */
export async function refuseSecond({ recovery }: UpConfig): Promise<void> {
  // A damaged state file is replaced.
  const running = attempt(() => readLiveState(statePath(recovery)));
  if (running === undefined) return;
  throw new DomainError('already_up', `secateur is up already (process ${running.pid})`, {
    hint: '`secateur status` shows it, `secateur stop` ends it, `secateur restart` starts it again; another SECATEUR_DATA_DIR allows a second one.',
  });
}

interface DetachedStart {
  /** Program and arguments that run `up` in the foreground. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly logPath: string;
  readonly statePath: string;
  readonly readyTimeoutMs: number;
  readonly bearerToken: string | undefined;
  readonly clock: Clock;
}

const PROBE_EVERY_MS = 50;
const LOG_LINES = 80;

/** Resolves when all servers answer. If one fails, stops all of them and throws an error that quotes the log. */
export async function startAndWait(start: DetachedStart): Promise<UpState> {
  const child = await startDetached(start);
  const outcome = await waitUntilReady(child, start);
  if (typeof outcome === 'object') return outcome;
  await child.kill();
  const log = await lastLines(start.logPath, LOG_LINES);
  const hint = `The whole log: ${start.logPath}`;
  throw new DomainError('not_ready', `${outcome}\n${log}`.trimEnd(), { hint });
}

/** Starts the process. Its output goes to the log, which is emptied first. */
async function startDetached({ command, cwd, logPath }: DetachedStart): Promise<ProcessGroup> {
  makeFolder(dirname(logPath));
  const log = await open(logPath, 'w', 0o600);
  const group = new ProcessGroup({ command, cwd, stdio: ['ignore', log.fd, log.fd] });
  await log.close();
  return group;
}

/** Returns the state of the servers when they are ready; otherwise a string, the reason. */
async function waitUntilReady(child: ProcessGroup, start: DetachedStart): Promise<UpState | string> {
  const deadline = deadlineIn(start.readyTimeoutMs, start.clock);
  const probe = { timeoutMs: 1000, bearerToken: start.bearerToken };
  while (!deadline.passed()) {
    const state = attempt(() => readLiveState(start.statePath));
    if (state !== undefined && state.pid === child.pid && (await healthOf(state, probe)).every(Boolean)) {
      child.unref();
      return state;
    }
    const { end } = child;
    if (end?.kind === 'not_started') return `the servers could not be started (${end.errno}):`;
    if (end !== undefined) return `the servers ended with exit code ${end.code ?? end.signal}:`;
    await delay(PROBE_EVERY_MS);
  }
  return `the servers did not answer within ${start.readyTimeoutMs} ms (SECATEUR_READY_TIMEOUT_MS):`;
}

/** Number of bytes read from the end of the log. They contain eighty long lines. */
const TAIL_BYTES = 65_536;

async function lastLines(path: string, count: number): Promise<string> {
  const file = openRegularFile(path, { followLinks: true });
  if (file.kind === 'refused') return '';
  const start = Math.max(0, file.size - TAIL_BYTES);
  const bytes = await file.readAt(start, TAIL_BYTES).finally(() => file.close());
  return bytes.toString('utf8').trimEnd().split('\n').slice(-count).join('\n');
}

export type UpConfig = Pick<
  Config,
  'pruner' | 'focus' | 'gateway' | 'hook' | 'recovery' | 'audit' | 'wire' | 'up'
>;

export interface UpServer {
  readonly name: string;
  readonly healthPath: string;
  /** Path at which clients connect. */
  readonly endpointPath: string;
  readonly offers: string;
  load(): Promise<Launch<keyof UpConfig>>;
}

/** Servers in the order in which they are started. The pruner is first, because the gateway may call it. */
export const upServers: readonly UpServer[] = [
  {
    name: 'pruner',
    healthPath: '/health',
    endpointPath: '/mcp',
    offers: 'prune_text, recover_text',
    load: async () => (await import('../commands/pruner.ts')).launchPruner,
  },
  {
    name: 'focus',
    healthPath: '/healthz',
    endpointPath: '/mcp',
    offers: 'read, bash, grep, recover_text',
    load: async () => (await import('../commands/focus.ts')).launchFocus,
  },
  {
    name: 'gateway',
    healthPath: '/health',
    endpointPath: '/api/mcp-gateway/NAME/rpc',
    offers: 'your MCP servers by NAME, recover_text',
    load: async () => (await import('../commands/gateway.ts')).launchGateway,
  },
];

export interface StartedServer extends UpServer {
  readonly running: HttpHost;
}

/** Starts all servers. If one cannot start, the servers started before it are closed again. */
export async function startAll(
  config: UpConfig,
  parts: ServerDeps,
  env: Environment,
): Promise<StartedServer[]> {
  const launches = await Promise.all(upServers.map((server) => server.load()));
  const started: StartedServer[] = [];
  try {
    for (const [index, server] of upServers.entries()) {
      const launch = launches[index];
      if (launch !== undefined)
        started.push({ ...server, running: await launch(withPruner(config, started), parts, env) });
    }
    return started;
  } catch (error) {
    for (const { running } of started.toReversed()) await running.close();
    throw error;
  }
}

/** Makes the pruner of this process the gateway's upstream `pruner`, unless the user configured another one. */
function withPruner(config: UpConfig, started: readonly StartedServer[]): UpConfig {
  const pruner = started.find(({ name }) => name === 'pruner');
  const named = config.gateway.servers.pruner;
  if (pruner === undefined || named?.url !== DEFAULT_PRUNER_URL) return config;
  const token = config.wire.bearerToken;
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const own = { ...named, url: `${pruner.running.url}/rpc`, headers };
  const servers = { ...config.gateway.servers, pruner: own };
  return { ...config, gateway: { ...config.gateway, servers } };
}

const DEFAULT_PRUNER_URL = 'http://127.0.0.1:8006/rpc';

/**
 * Returns the token for callers of the focus tools, on systems that cannot tell the user of a loopback
 * caller. Only a caller that can read files of this user has the token. The token is stored, so that it stays
 * valid after a restart.
 */
export async function focusToken(
  { wire, recovery }: Pick<UpConfig, 'wire' | 'recovery'>,
  platform: NodeJS.Platform,
): Promise<{ path: string; token: string } | undefined> {
  if (platform === 'linux' || wire.loopbackUsers === 'any' || wire.bearerToken !== undefined)
    return undefined;
  const path = join(recovery.dataDir, 'focus-token');
  const file = readRegularFile(path, { maxBytes: MAX_TOKEN_BYTES, followLinks: true });
  const written = file.kind === 'read' ? file.bytes.toString('utf8').trim() : '';
  return { path, token: written || (await made(path)) };
}

const MAX_TOKEN_BYTES = 4096;

async function made(path: string): Promise<string> {
  const token = randomBytes(32).toString('hex');
  try {
    await replaceFile(path, `${token}\n`);
    return token;
  } catch (cause) {
    throw new DomainError(
      'cannot_write',
      `${path} cannot be written, so any user of this machine could run commands here`,
      {
        hint: 'Set SECATEUR_DATA_DIR to a folder of yours, or SECATEUR_BEARER_TOKEN.',
        cause,
      },
    );
  }
}
