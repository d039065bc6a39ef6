import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LineReader } from '@secateur/base/runtime/bounded-reading.ts';
import { httpUrl, probeHealth } from '@secateur/base/runtime/probe-health.ts';
import { ProcessGroup } from '@secateur/base/runtime/process-group.ts';
import { type Clock, type Deadline, deadlineIn } from '@secateur/base/runtime/time.ts';
import { parsedFields } from '@secateur/base/text/json.ts';
import type { FocusRunOptions } from '../focus-run.ts';

export interface ServerCommand {
  file: string;
  args: readonly string[];
}

export interface StartRequest extends Pick<FocusRunOptions, 'root' | 'env' | 'command' | 'onServerLine'> {
  timeoutMs: number;
  clock: Clock;
}

export type StartOutcome =
  | { kind: 'ready'; server: ProcessGroup; endpoint: McpEndpoint }
  | { kind: 'spawn_error' | 'start_timeout' | 'exited'; message: string };

const POLL_MS = 25;

/** Starts the server on a free port and waits until `/healthz` responds. If this fails, stops the server. */
export async function startServer(request: StartRequest): Promise<StartOutcome> {
  let announced: McpEndpoint | undefined;
  const onLine = (line: string) => {
    announced ??= announcedEndpoint(line);
    request.onServerLine?.(line);
  };
  const server = spawnServer(request, onLine);
  const deadline = deadlineIn(request.timeoutMs, request.clock);
  const endpoint = await untilHealthy(server, deadline, () => announced);
  if (endpoint !== undefined) return { kind: 'ready', server, endpoint };
  const { end } = server;
  await server.kill();
  if (end === undefined)
    return { kind: 'start_timeout', message: `no healthy answer within ${request.timeoutMs} ms` };
  if (end.kind === 'not_started') return { kind: 'spawn_error', message: `could not start: ${end.errno}` };
  return {
    kind: 'exited',
    message: `the server ended during start (${end.signal ?? `exit code ${end.code}`})`,
  };
}

/** Maximum bytes of a log line. Longer lines in the server's output are not log lines. */
const MAX_LINE_BYTES = 1_048_576;

/** Starts the server with a pipe as stdin. The server exits when the pipe closes, so it ends with this process. */
function spawnServer({ command, root, env }: StartRequest, onLine: (line: string) => void): ProcessGroup {
  const { file, args } = command ?? packagedServer();
  const flags = ['--root', root, '--port', '0', '--log-format', 'json', '--exit-with-stdin'];
  const server = new ProcessGroup({ command: [file, ...args, ...flags], cwd: root, env, stdio: 'pipe' });
  server.stdin?.on('error', () => {});
  for (const stream of [server.stdout, server.stderr]) {
    const lines = new LineReader(MAX_LINE_BYTES, { line: (bytes) => onLine(bytes.toString()) });
    stream?.on('data', (chunk: Buffer) => lines.push(chunk)).once('end', () => lines.end());
  }
  return server;
}

function packagedServer(): ServerCommand {
  const script = fileURLToPath(new URL('../../main/jeeves-mcp-pruner.js', import.meta.url));
  return { file: process.execPath, args: [script] };
}

/** Reads the port from a log line. `/healthz` is then requested to see whether the server is ready. */
function announcedEndpoint(line: string): McpEndpoint | undefined {
  if (!line.includes('mcp_pruner.ready')) return undefined;
  const { event, data } = (parsedFields(line) ?? {}) as { event?: string; data?: Partial<McpEndpoint> };
  if (event !== 'mcp_pruner.ready' || data?.host === undefined || data.port === undefined) return undefined;
  const { host, port } = data;
  return { host, port, url: `${httpUrl(host, port)}/mcp` };
}

async function untilHealthy(
  server: ProcessGroup,
  deadline: Deadline,
  announced: () => McpEndpoint | undefined,
): Promise<McpEndpoint | undefined> {
  while (server.end === undefined && !deadline.passed()) {
    const endpoint = announced();
    if (endpoint !== undefined && (await isEndpointUp(endpoint))) return endpoint;
    await delay(POLL_MS);
  }
  return undefined;
}

/** Address of a running focus server. */
export interface McpEndpoint {
  host: string;
  port: number;
  /** The MCP endpoint: `http://127.0.0.1:8008/mcp`. */
  url: string;
}

/** Resolves to whether `GET /healthz` answers 200 in time. */
export function isEndpointUp({ host, port }: McpEndpoint): Promise<boolean> {
  return probeHealth({ url: `${httpUrl(host, port)}/healthz`, timeoutMs: 2000 });
}

/** Probes the server until too many consecutive failures. Returns a function that stops the probes. */
export function watchReachability(watch: {
  readonly probe: () => Promise<boolean>;
  readonly intervalMs: number;
  readonly maxFailures: number;
  readonly onUnreachable: () => void;
}): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;

  const probeOnce = async () => {
    failures = (await watch.probe()) ? 0 : failures + 1;
    if (stopped) return;
    if (failures >= watch.maxFailures) return watch.onUnreachable();
    schedule();
  };
  const schedule = () => {
    timer = setTimeout(probeOnce, watch.intervalMs);
    // The timer must not keep the process alive if the run ended without a call of `shutdown`.
    timer.unref();
  };

  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
