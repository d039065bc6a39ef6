import { fileURLToPath } from 'node:url';
import type { Environment } from '../../config/origin.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Deadline, deadlineIn } from '../../runtime/deadline.ts';
import { endpointAt, isEndpointUp, type McpEndpoint } from './endpoint.ts';
import { type ServerCommand, ServerProcess } from './server-process.ts';

export interface StartRequest {
  root: string;
  env: Environment;
  command: ServerCommand | undefined;
  timeoutMs: number;
  clock: Clock;
  onLine: ((line: string) => void) | undefined;
}

export type StartOutcome =
  | { kind: 'ready'; server: ServerProcess; endpoint: McpEndpoint }
  | { kind: 'spawn_error' | 'start_timeout' | 'exited'; message: string };

const POLL_MS = 25;

/** Starts the server on a free port and asks `/healthz` until it answers; whatever fails leaves no process behind. */
export async function startServer(request: StartRequest): Promise<StartOutcome> {
  let announced: McpEndpoint | undefined;
  const onLine = (line: string) => {
    announced ??= announcedEndpoint(line);
    request.onLine?.(line);
  };
  const server = await spawnServer(request, onLine);
  if (server instanceof Error) return { kind: 'spawn_error', message: `could not start: ${codeOf(server)}` };
  const ready = await untilHealthy(server, {
    deadline: deadlineIn(request.timeoutMs, request.clock),
    endpoint: () => announced,
  });
  if (ready !== undefined) return { kind: 'ready', server, endpoint: ready };
  if (server.running) {
    await server.kill();
    return { kind: 'start_timeout', message: `no healthy answer within ${request.timeoutMs} ms` };
  }
  const { exit_code, signal } = await server.exited;
  await server.kill();
  return { kind: 'exited', message: `the server ended during start (${signal ?? `exit code ${exit_code}`})` };
}

function spawnServer({ command, root, env }: StartRequest, onLine: (line: string) => void) {
  const { file, args } = command ?? packagedServer();
  const flags = ['--root', root, '--port', '0', '--log-format', 'json', '--exit-with-stdin'];
  return ServerProcess.spawn({ command: { file, args: [...args, ...flags] }, cwd: root, env, onLine });
}

function packagedServer(): ServerCommand {
  const script = fileURLToPath(new URL('../../main/jeeves-mcp-pruner.js', import.meta.url));
  return { file: process.execPath, args: [script] };
}

/** The log line only tells the port; readiness is what `/healthz` says. */
function announcedEndpoint(line: string): McpEndpoint | undefined {
  if (!line.includes('mcp_pruner.ready')) return undefined;
  try {
    const { event, data } = JSON.parse(line) as { event?: string; data?: { host?: string; port?: number } };
    if (event !== 'mcp_pruner.ready' || data?.host === undefined || data.port === undefined) return undefined;
    return endpointAt(data.host, data.port);
  } catch {
    return undefined;
  }
}

interface Wait {
  deadline: Deadline;
  endpoint: () => McpEndpoint | undefined;
}

async function untilHealthy(server: ServerProcess, wait: Wait): Promise<McpEndpoint | undefined> {
  while (server.running && !wait.deadline.passed()) {
    const endpoint = wait.endpoint();
    if (endpoint !== undefined && (await isEndpointUp(endpoint))) return endpoint;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
