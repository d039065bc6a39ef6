import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface AttachedRequest {
  readonly file: string;
  readonly args: readonly string[];
  /** The file is a line for the user's shell. */
  readonly isShellLine?: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the program reads; the caller's own standard input when absent. */
  readonly input?: string;
  /** More than this is not kept: `onOverflow` gets what there is, and everything after it. */
  readonly maxBytes: number;
  onOverflow(stream: 'stdout' | 'stderr', chunk: Buffer): void;
}

export type AttachedEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not_started'; readonly errno: string };

export interface AttachedOutcome {
  readonly end: AttachedEnd;
  /** Absent where it was too long to keep. */
  readonly output: { readonly stdout: Buffer; readonly stderr: Buffer } | undefined;
}

/** Runs a program for somebody who would have run it himself: his environment, his input, his terminal's signals; its output is kept. */
export async function runAttached(request: AttachedRequest): Promise<AttachedOutcome> {
  const { file, args, input, cwd, env, isShellLine = false } = request;
  const stdio = [input === undefined ? 'inherit' : 'pipe', 'pipe', 'pipe'] as const;
  const child = spawn(file, args, { cwd, env, shell: isShellLine, stdio: [...stdio] });
  const kept = keepOutput(child, request);
  // A program that does not read all of its input is no failure of ours.
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

function keepOutput(
  { stdout, stderr }: ChildProcess,
  { maxBytes, onOverflow }: AttachedRequest,
): () => AttachedOutcome['output'] {
  const chunks: { from: 'stdout' | 'stderr'; chunk: Buffer }[] = [];
  let bytes = 0;
  const take = (from: 'stdout' | 'stderr') => (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push({ from, chunk });
    if (bytes > maxBytes) for (const each of chunks.splice(0)) onOverflow(each.from, each.chunk);
  };
  stdout?.on('data', take('stdout'));
  stderr?.on('data', take('stderr'));
  const all = (from: string) =>
    Buffer.concat(chunks.filter((each) => each.from === from).map(({ chunk }) => chunk));
  return () => (bytes > maxBytes ? undefined : { stdout: all('stdout'), stderr: all('stderr') });
}
