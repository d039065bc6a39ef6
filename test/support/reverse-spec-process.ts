import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const reverseSpecProgram = fileURLToPath(
  new URL('../../packages/reverse-spec/dist/main/reverse-spec.js', import.meta.url),
);

export interface RpcMessage {
  jsonrpc: string;
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface ReverseSpecProcess {
  child: ChildProcessWithoutNullStreams;
  call(method: string, params?: Record<string, unknown>): Promise<RpcMessage>;
  tool(name: string, args: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolAnswer>;
  notifications: RpcMessage[];
  /** Every byte of standard output so far. */
  output(): string;
  errors(): string;
  /** Ends standard input and waits for the process. */
  end(): Promise<number | null>;
}

export interface ToolAnswer {
  content: { type: string; text: string }[];
  isError?: boolean;
}

/** The built server as a client starts it: a child process with pipes. */
export function startReverseSpec(cwd: string, env: Record<string, string> = {}): ReverseSpecProcess {
  const child = spawn(process.execPath, [reverseSpecProgram, 'mcp-server'], { cwd, env: spawnEnv(cwd, env) });
  const chunks: Buffer[] = [];
  const errors: Buffer[] = [];
  const waiting = new Map<number, (message: RpcMessage) => void>();
  const notifications: RpcMessage[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as RpcMessage;
      if (message.id === undefined) notifications.push(message);
      else waiting.get(message.id)?.(message);
    }
  });
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  let nextId = 1;
  const call = (method: string, params: Record<string, unknown> = {}) =>
    new Promise<RpcMessage>((resolve) => {
      const id = nextId++;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  return {
    child,
    call,
    tool: async (name, args, meta) => {
      const { result } = await call('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
      return result as unknown as ToolAnswer;
    },
    notifications,
    output: () => Buffer.concat(chunks).toString(),
    errors: () => Buffer.concat(errors).toString(),
    end: () =>
      new Promise((resolve) => {
        child.once('close', resolve);
        child.stdin.end();
      }),
  };
}

/** Only those variables of the machine's environment that a program needs to start. */
export function spawnEnv(home: string, env: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, XDG_CACHE_HOME: `${home}/.cache`, ...env };
}
