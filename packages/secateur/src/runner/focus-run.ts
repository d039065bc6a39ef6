import { homedir } from 'node:os';
import { type EventLog, silentLog } from '@secateur/base/runtime/event-log.ts';
import type { GroupEnd, ProcessGroup } from '@secateur/base/runtime/process-group.ts';
import { type Clock, systemClock } from '@secateur/base/runtime/time.ts';
import { loadConfig } from '@secateur/serving/config/load.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import {
  isEndpointUp,
  type McpEndpoint,
  type ServerCommand,
  startServer,
  watchReachability,
} from './focus-run/server-process.ts';

export type RunState =
  | 'run:init'
  | 'run:mcp_pruner_disabled'
  | 'run:mcp_pruner_starting'
  | 'run:mcp_pruner_running'
  | 'run:mcp_pruner_degraded'
  | 'run:shutdown';

export interface FocusRunOptions {
  /** Working directory of the run. The tools have no access to files outside of it. */
  root: string;
  /** Environment of the server. Its variable `JEEVES_MCP_PRUNER_ENABLED` decides whether the tools start. */
  env: Environment;
  log?: EventLog;
  /** Called whenever the state of the run changes. */
  onState?: (state: RunState) => void;
  /** Called with each line that the server prints. */
  onServerLine?: (line: string) => void;
  /** The program to start. Default: the packaged server. */
  command?: ServerCommand;
  limits?: Partial<FocusRunLimits>;
  clock?: Clock;
}

export interface FocusRunLimits {
  startupTimeoutMs: number;
  shutdownTimeoutMs: number;
  /** Interval between health checks of the running server, in ms. */
  probeIntervalMs: number;
  /** Number of consecutive failed health checks after which the state of the run is degraded. */
  maxConnectFailures: number;
}

/** Server name that agents see in tool names such as `mcp__pruner__read`. */
const SERVER_NAME = 'pruner';

const DEFAULT_LIMITS: FocusRunLimits = {
  startupTimeoutMs: 12_000,
  shutdownTimeoutMs: 5000,
  probeIntervalMs: 500,
  maxConnectFailures: 10,
};

/**
 * Starts the focus tools for one agent run. Never rejects because of the tools: if they are switched off, do
 * not start or end later, the run continues without them, and the event log contains the reason. Call
 * `shutdown` when the run ends.
 */
export async function startFocusRun(options: FocusRunOptions): Promise<FocusRun> {
  const run = new FocusRun(options);
  await run.start();
  return run;
}

export class FocusRun {
  readonly #options: FocusRunOptions;
  readonly #limits: FocusRunLimits;
  readonly #log: EventLog;
  readonly #clock: Clock;
  #state: RunState = 'run:init';
  #server: ProcessGroup | undefined;
  #endpoint: McpEndpoint | undefined;
  #stopWatching: () => void = () => {};
  #starting: Promise<void> | undefined;
  #ending: Promise<void> | undefined;

  constructor(options: FocusRunOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#log = options.log ?? silentLog;
    this.#clock = options.clock ?? systemClock;
    options.onState?.(this.#state);
  }

  get state(): RunState {
    return this.#state;
  }

  /** Address of the tools; `undefined` if the tools are not available. */
  get endpoint(): McpEndpoint | undefined {
    return this.#state === 'run:mcp_pruner_running' ? this.#endpoint : undefined;
  }

  get serverPid(): number | undefined {
    return this.#server?.pid;
  }

  /**
   * Returns servers for the Claude Agent SDK: `query({ options: { mcpServers: run.claudeMcpServers() } })`.
   * Empty if the tools are not available.
   */
  claudeMcpServers(): Record<string, { type: 'http'; url: string }> {
    const { endpoint } = this;
    return endpoint === undefined ? {} : { [SERVER_NAME]: { type: 'http', url: endpoint.url } };
  }

  /** Returns arguments for `codex exec`; empty if the tools are not available. */
  codexArguments(): string[] {
    const { endpoint } = this;
    // Codex parses each value as TOML, and a JSON string is valid TOML.
    return endpoint === undefined
      ? []
      : ['--config', `mcp_servers.${SERVER_NAME}.url=${JSON.stringify(endpoint.url)}`];
  }

  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  /** Ends the run. May be called during the start, and more than once. Resolves when all processes of the run have ended. */
  shutdown(): Promise<void> {
    this.#ending ??= this.#shutDown();
    return this.#ending;
  }

  async #start(): Promise<void> {
    const wanted = this.#readSwitch();
    if (wanted !== 'enabled') return this.#disable(wanted);
    this.#enter('run:mcp_pruner_starting');
    const timeoutMs = this.#limits.startupTimeoutMs;
    const outcome = await startServer({ ...this.#options, timeoutMs, clock: this.#clock });
    if (outcome.kind !== 'ready') return this.#failStart(outcome);
    this.#serve(outcome.server, outcome.endpoint);
  }

  #readSwitch(): 'enabled' | 'config_disabled' | 'config_invalid' {
    const { env, root } = this.#options;
    const origin = { env, cwd: root, platform: process.platform, homeDir: env.HOME ?? homedir() };
    try {
      const { config, warnings } = loadConfig(['focus'], { origin, flags: new Map() });
      for (const message of warnings) this.#emitInvalidConfig(message);
      return config.focus.enabled ? 'enabled' : 'config_disabled';
    } catch (error) {
      this.#emitInvalidConfig(error instanceof Error ? error.message : 'configuration unreadable');
      return 'config_invalid';
    }
  }

  #emitInvalidConfig(message: string): void {
    this.#log.emit({ level: 'warn', event: 'mcp_pruner.config_invalid', data: { message } });
  }

  #disable(reason: 'config_disabled' | 'config_invalid' | 'start_failed'): void {
    this.#log.emit({ level: 'info', event: 'mcp_pruner.disabled', data: { reason } });
    this.#enter('run:mcp_pruner_disabled');
  }

  #failStart({ kind, message }: { kind: 'spawn_error' | 'start_timeout' | 'exited'; message: string }): void {
    if (kind !== 'exited') this.#log.emit({ level: 'error', event: `mcp_pruner.${kind}`, data: { message } });
    this.#log.emit({ level: 'error', event: 'mcp_pruner.start_failed', data: { message } });
    this.#disable('start_failed');
  }

  #serve(server: ProcessGroup, endpoint: McpEndpoint): void {
    this.#server = server;
    this.#endpoint = endpoint;
    this.#enter('run:mcp_pruner_running');
    const data = { host: endpoint.host, port: endpoint.port, root: this.#options.root };
    this.#log.emit({ level: 'info', event: 'mcp_pruner.ready', data });
    server.ended.then((end) => this.#degrade({ reason: 'exited', ...exitFields(end) }));
    this.#stopWatching = watchReachability({
      probe: () => isEndpointUp(endpoint),
      intervalMs: this.#limits.probeIntervalMs,
      maxFailures: this.#limits.maxConnectFailures,
      onUnreachable: () => this.#degrade({ reason: 'unreachable' }),
    });
  }

  #degrade(why: { reason: 'exited' | 'unreachable'; exit_code?: number; signal?: string }): void {
    if (this.#state !== 'run:mcp_pruner_running') return;
    this.#stopWatching();
    this.#log.emit({ level: 'warn', event: `mcp_pruner.${why.reason}`, data: why });
    this.#log.emit({ level: 'warn', event: 'mcp_pruner.degraded', data: why });
    this.#enter('run:mcp_pruner_degraded');
  }

  async #shutDown(): Promise<void> {
    if (this.#state === 'run:mcp_pruner_starting') await this.#starting;
    const from = this.#state;
    this.#stopWatching();
    this.#enter('run:shutdown');
    const startedAt = this.#clock.monotonic();
    const graceful = (await this.#server?.stop(this.#limits.shutdownTimeoutMs)) ?? true;
    const duration_ms = Math.round(this.#clock.monotonic() - startedAt);
    if (!graceful) {
      const data = { shutdown_timeout_ms: this.#limits.shutdownTimeoutMs };
      this.#log.emit({ level: 'warn', event: 'mcp_pruner.kill_escalated', data });
    }
    this.#log.emit(closingEvent(from, { graceful, duration_ms }));
  }

  #enter(state: RunState): void {
    this.#state = state;
    this.#options.onState?.(state);
  }
}

function exitFields(end: GroupEnd): { exit_code?: number; signal?: string } {
  if (end.kind === 'not_started') return {};
  const { code, signal } = end;
  return { ...(code === null ? {} : { exit_code: code }), ...(signal === null ? {} : { signal }) };
}

function closingEvent(from: RunState, data: { graceful: boolean; duration_ms: number }) {
  const level = 'info' as const;
  if (from === 'run:mcp_pruner_running') return { level, event: 'mcp_pruner.stopped', data };
  if (from === 'run:mcp_pruner_degraded') return { level, event: 'mcp_pruner.shutdown_after_degraded', data };
  return { level, event: 'mcp_pruner.not_running' };
}
