import type { StdioOptions } from 'node:child_process';
import { constants as osConstants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { EventLoopQueue } from '@secateur/base/runtime/event-loop-queue.ts';
import { ProcessGroup } from '@secateur/base/runtime/process-group.ts';
import type { ProcessWatchdog } from '@secateur/base/runtime/process-watchdog.ts';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { closePipes, closeWriters, type OutputPipes, type PipeSupply, readerOf } from './output-pipes.ts';

export interface ChildRequest {
  file: string;
  args: readonly string[];
  /**
   * Whether the program reads a line before it starts to work; the line is sent once the watchdog watches its
   * group. Default: its input is at its end.
   */
  awaitsLine?: boolean;
  cwd: string;
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal: AbortSignal;
  clock: Clock;
  /** Open files that the program gets as descriptors 3, 4, … */
  inherit?: readonly number[];
  /** Pipes for programs that open their output by name. Default: node's own sockets. */
  pipes?: PipeSupply | undefined;
  /** Ends the program's process group if this process is killed. */
  watchdog?: ProcessWatchdog;
  /** Limits concurrent programs. Waiting for a slot counts against the time limit. */
  slots?: ProcessSlots | undefined;
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
}

export type ChildEnd = Ending & { durationMs: number };

/**
 * Runs a program as the leader of its own process group, with stdin at its end. When the call ends, for any
 * reason, so does the group: a remaining child can neither block the call nor outlive it.
 */
export async function runChild(request: ChildRequest): Promise<ChildEnd> {
  const startedAt = request.clock.monotonic();
  const stop = stopSignal(request);
  const place = request.slots === undefined ? FREE : request.slots.enter();
  try {
    if (place !== undefined) await Promise.race([place.ready, stop.wanted]);
    if (place === undefined) return { ...TOO_MANY, durationMs: 0 };
    const ending = stop.reason() ?? (await spawnAndWait(request, stop));
    return { ...ending, durationMs: Math.round(request.clock.monotonic() - startedAt) };
  } finally {
    place?.leave();
    stop.dispose();
  }
}

const FREE: ProcessPlace = { ready: Promise.resolve(), leave: () => {} };
/** Error messages if the system cannot start another program. */
const TOO_MANY = {
  kind: 'spawn_error',
  errno: 'EAGAIN',
  cause: new Error('too many programs wait to be started'),
} as const;

type Ending =
  | { kind: 'exited'; exitCode: number; signal: NodeJS.Signals | undefined }
  | { kind: 'timeout' }
  | { kind: 'cancelled' }
  | { kind: 'spawn_error'; errno: string; cause: unknown };

interface Stop {
  reason(): { kind: 'timeout' } | { kind: 'cancelled' } | undefined;
  /** Resolves when the time is up or the caller has disconnected. */
  readonly wanted: Promise<{ kind: 'timeout' } | { kind: 'cancelled' }>;
  dispose(): void;
}

function stopSignal({ signal, timeoutMs }: ChildRequest): Stop {
  let reason: ReturnType<Stop['reason']> = signal.aborted ? { kind: 'cancelled' } : undefined;
  let dispose = () => {};
  const wanted = new Promise<{ kind: 'timeout' } | { kind: 'cancelled' }>((resolve) => {
    const settle = (kind: 'timeout' | 'cancelled') => {
      reason ??= { kind };
      resolve({ kind });
    };
    const cancel = () => settle('cancelled');
    const timer = setTimeout(() => settle('timeout'), timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    dispose = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    };
  });
  return { reason: () => reason, wanted, dispose: () => dispose() };
}

/**
 * Creates the pipes and starts the program. Callers that still wait for a slot have no pipes: these need
 * descriptors, and creating them starts a program.
 */
async function spawnAndWait(request: ChildRequest, stop: Stop): Promise<Ending> {
  const pipes = await request.pipes?.take();
  const stopped = stop.reason();
  if (stopped !== undefined) {
    if (pipes !== undefined) closePipes(pipes);
    return stopped;
  }
  const outputs = readersOf(pipes);
  const group = start(request, pipes);
  if (pipes !== undefined) closeWriters(pipes);
  const [stdout = group.stdout, stderr = group.stderr] = outputs;
  return waitFor({ group, stdout, stderr }, request, stop);
}

function readersOf(pipes: OutputPipes | undefined): Readable[] {
  if (pipes === undefined) return [];
  return [pipes.stdout, pipes.stderr].map(readerOf);
}

async function waitFor(
  { group, stdout, stderr }: { group: ProcessGroup } & Record<'stdout' | 'stderr', Readable | null>,
  request: ChildRequest,
  stop: Stop,
): Promise<Ending> {
  const streams = [stdout, stderr].filter((stream) => stream !== null);
  stdout?.on('data', request.onStdout);
  stderr?.on('data', request.onStderr);
  const drained = Promise.all(streams.map(closed));
  const ending = await Promise.race([exit(group), stop.wanted]);
  // A process behind the leader may still be writing (`exec > >(tee log)`), so the group is ended only after
  // a moment.
  if (ending.kind === 'exited')
    await Promise.race([drained, stop.wanted, pause(DRAIN_MS, undefined, { ref: false })]);
  await group.stop(GRACE_MS);
  if (ending.kind !== 'spawn_error')
    await Promise.race([drained, pause(DRAIN_MS, undefined, { ref: false })]);
  for (const stream of streams) stream.destroy();
  return ending;
}

const DRAIN_MS = 1_000;
const GRACE_MS = 500;

function start(request: ChildRequest, pipes: OutputPipes | undefined): ProcessGroup {
  const { file, args, awaitsLine, cwd, env, inherit, watchdog } = request;
  const outputs = [pipes?.stdout.writer ?? 'pipe', pipes?.stderr.writer ?? 'pipe'] as const;
  const input = awaitsLine === true ? 'pipe' : 'ignore';
  const stdio: StdioOptions = [input, ...outputs, ...(inherit ?? [])];
  const group = new ProcessGroup({ command: [file, ...args], cwd, env, stdio, watchdog });
  // If the program is killed before it reads the line, the pipe breaks.
  group.stdin?.on('error', () => {}).end('\n');
  return group;
}

async function exit(group: ProcessGroup): Promise<Ending> {
  const end = await group.ended;
  if (end.kind === 'not_started') return { kind: 'spawn_error', errno: end.errno, cause: end.cause };
  const { code, signal } = end;
  return { kind: 'exited', exitCode: code ?? signalExitCode(signal), signal: signal ?? undefined };
}

/** Returns the exit code a shell reports for a child ended by a signal. */
function signalExitCode(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : (osConstants.signals[signal] ?? 0));
}

function closed(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
}

/** Returns the path of the package's ripgrep. Throws if this platform's binary was not installed. */
export async function ripgrepPath(): Promise<string> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch (cause) {
    throw new DomainError(
      'ripgrep_missing',
      `ripgrep for ${process.platform}-${process.arch} is not installed`,
      { hint: 'It comes as an optional dependency: install again without --omit=optional.', cause },
    );
  }
}

/** Limits the number of concurrent programs; further ones wait in a queue. */
export interface ProcessSlots {
  /** Returns a place in the queue; `undefined` if it is full. */
  enter(): ProcessPlace | undefined;
}

export interface ProcessPlace {
  /** Resolves when the program may start. */
  readonly ready: Promise<void>;
  /** Returns the slot, or the place in the queue. */
  leave(): void;
}

/**
 * Event-loop iterations between two starts. A start blocks for milliseconds, and an iteration accepts one
 * connection: with iterations in between, new connections wait for few starts.
 */
const TURNS_APART = 8;

export function openProcessSlots({ running, waiting }: { running: number; waiting: number }): ProcessSlots {
  const inside = new Set<object>();
  const queue = new Map<object, () => void>();
  const turns = new EventLoopQueue(TURNS_APART);
  const admitNext = () => {
    for (const [place, start] of queue) {
      if (inside.size >= running) return;
      queue.delete(place);
      inside.add(place);
      start();
    }
  };
  return {
    enter: () => {
      if (inside.size >= running && queue.size >= waiting) return undefined;
      const place = {};
      const admitted = new Promise<void>((resolve) => queue.set(place, resolve));
      admitNext();
      return {
        ready: admitted.then(() => turns.next()),
        leave: () => {
          queue.delete(place);
          if (inside.delete(place)) admitNext();
        },
      };
    },
  };
}
