import { type ChildProcess, exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

export interface AttachedRequest {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether `file` is a command line for the user's shell. */
  readonly isShellLine?: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Input of the program. Default: the caller's standard input. */
  readonly input?: string | Buffer;
  /** Whether the program writes directly to the caller's standard output and error. No output is kept then. */
  readonly inheritsOutput?: boolean;
  /** Time limit in ms after which the program is killed. Default: none. */
  readonly timeoutMs?: number;
  /**
   * Maximum bytes of output that are kept. Above it, all output goes to `onOverflow`, and the program waits
   * for the promises returned. If one rejects with EPIPE, the stream is closed, as it would be without
   * Sécateur; other errors are ignored so that the program can finish.
   */
  readonly maxBytes: number;
  onOverflow?(stream: 'stdout' | 'stderr', chunk: Buffer): Promise<void> | undefined;
}

export type AttachedEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not_started'; readonly errno: string };

export interface AttachedOutcome {
  readonly end: AttachedEnd;
  /** Output of the program; `undefined` if it was longer than `maxBytes`. */
  readonly output: { readonly stdout: Buffer; readonly stderr: Buffer } | undefined;
}

/** Runs a program as the user would: same environment, input and signals. Returns its output. */
export async function runAttached(request: AttachedRequest): Promise<AttachedOutcome> {
  const { file, args, input, cwd, env, isShellLine = false, timeoutMs } = request;
  const outlet = request.inheritsOutput ? 'inherit' : 'pipe';
  const stdio = [input === undefined ? 'inherit' : 'pipe', outlet, outlet] as const;
  const limit = timeoutMs === undefined ? {} : ({ timeout: timeoutMs, killSignal: 'SIGKILL' } as const);
  const child = spawn(file, args, { cwd, env, shell: isShellLine, stdio: [...stdio], ...limit });
  const kept = keepOutput(child, request);
  // A program need not read all of its input.
  child.stdin?.on('error', () => {}).end(input);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    const end: AttachedEnd =
      signal === null ? { kind: 'exited', exitCode: code ?? 1 } : { kind: 'killed', signal };
    return { end, output: kept() };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { end: { kind: 'not_started', errno: code ?? 'unknown' }, output: kept() };
  }
}

function keepOutput({ stdout, stderr }: ChildProcess, { maxBytes, onOverflow }: AttachedRequest) {
  const chunks: { from: 'stdout' | 'stderr'; chunk: Buffer }[] = [];
  let bytes = 0;
  const take = (from: 'stdout' | 'stderr') => (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push({ from, chunk });
    if (bytes > maxBytes) passOn(chunks.splice(0));
  };
  /** If the reader is slower than the program, the program must wait, because this process must not buffer the output. */
  const passOn = (held: typeof chunks) => {
    const streams = held.length > 1 ? [stdout, stderr] : [held[0]?.from === 'stdout' ? stdout : stderr];
    for (const stream of streams) stream?.pause();
    const written = held.map(async ({ from, chunk }) => {
      await onOverflow?.(from, chunk)?.catch(({ code }: NodeJS.ErrnoException) => {
        if (code === 'EPIPE') (from === 'stdout' ? stdout : stderr)?.destroy();
      });
    });
    void Promise.allSettled(written).then(() => {
      for (const stream of streams) stream?.resume();
    });
  };
  stdout?.on('data', take('stdout'));
  stderr?.on('data', take('stderr'));
  const all = (from: string) =>
    Buffer.concat(chunks.filter((each) => each.from === from).map(({ chunk }) => chunk));
  return () => (bytes > maxBytes ? undefined : { stdout: all('stdout'), stderr: all('stderr') });
}

/** Returns the output of a command line in the user's configuration. Rejects if the command fails or takes too long. */
export async function printedBy(
  commandLine: string,
  { env, timeoutMs }: { env: Readonly<Record<string, string | undefined>>; timeoutMs: number },
): Promise<string> {
  const { stdout } = await promisify(exec)(commandLine, { env: { ...env }, timeout: timeoutMs });
  return stdout.trimEnd();
}
