import type { StdioOptions } from 'node:child_process';
import { constants as osConstants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { EventLoopQueue } from '@secateur/base/runtime/event-loop-queue.ts';
import { ProcessGroup } from '@secateur/base/runtime/process-group.ts';
import type { ProcessWatchdog } from '@secateur/base/runtime/process-watchdog.ts';
import { type Clock, withDeadline } from '@secateur/base/runtime/time.ts';
import { closePipes, closeWriters, type OutputPipes, type PipeSupply, readerOf } from './output-pipes.ts';

export interface ChildRequest {
  file: string;
  args: readonly string[];
  /** Whether the program waits for a line before it starts its work. The line is sent when the watchdog watches it. */
  awaitsLine?: boolean;
  cwd: string;
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal: AbortSignal;
  clock: Clock;
  /** Open files that are passed to the program as descriptors 3, 4, … */
  inherit?: readonly number[];
  /** Pipes for the output, for programs that open it by name. Default: sockets of Node. */
  pipes?: PipeSupply | undefined;
  /** Watchdog that ends the program's process group if this process is killed. */
  watchdog?: ProcessWatchdog;
  /** Limits the number of concurrent programs. Waiting for a slot counts towards the time limit. */
  slots?: ProcessSlots | undefined;
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
}

export type ChildEnd = Ending & { durationMs: number };

/**
 * Runs a program as the leader of its own process group. Its stdin is at its end. When the call ends for any
 * reason, the group is ended too, so that no remaining child can block the call or outlive it.
 */
export async function runChild(request: ChildRequest): Promise<ChildEnd> {
  const { clock, slots } = request;
  const startedAt = clock.monotonic();
  const place = slots === undefined ? FREE : slots.enter();
  if (place === undefined) return { ...TOO_MANY, durationMs: 0 };
  try {
    const ending = await withDeadline(request, async (signal) => {
      const stop = { signal, wanted: stopped(signal, request) };
      await Promise.race([place.ready, stop.wanted]);
      return signal.aborted ? stop.wanted : spawnAndWait(request, stop);
    });
    return { ...ending, durationMs: Math.round(clock.monotonic() - startedAt) };
  } finally {
    place.leave();
  }
}

const FREE: ProcessPlace = { ready: Promise.resolve(), leave: () => {} };
const CROWDED = new Error('too many programs wait to be started');
const TOO_MANY = { kind: 'spawn_error', errno: 'EAGAIN', cause: CROWDED } as const;

/** `timeout`: the time limit was reached. `cancelled`: the caller disconnected. */
type Stopped = { kind: 'timeout' | 'cancelled' };
type Ending =
  | { kind: 'exited'; exitCode: number; signal: NodeJS.Signals | undefined }
  | Stopped
  | { kind: 'spawn_error'; errno: string; cause: unknown };

interface Stop {
  readonly signal: AbortSignal;
  /** Resolves when the signal aborts. */
  readonly wanted: Promise<Stopped>;
}

function stopped(signal: AbortSignal, { signal: caller }: ChildRequest): Promise<Stopped> {
  return new Promise((resolve) => {
    const settle = () => resolve({ kind: caller.aborted ? 'cancelled' : 'timeout' });
    if (signal.aborted) settle();
    else signal.addEventListener('abort', settle, { once: true });
  });
}

/** Creates the pipes and starts the program. Pipes are created late, because they cost descriptors that waiting calls do not need. */
async function spawnAndWait(request: ChildRequest, stop: Stop): Promise<Ending> {
  const pipes = await request.pipes?.take();
  if (stop.signal.aborted) {
    if (pipes !== undefined) closePipes(pipes);
    return stop.wanted;
  }
  const outputs = pipes === undefined ? [] : [pipes.stdout, pipes.stderr].map(readerOf);
  const group = start(request, pipes);
  if (pipes !== undefined) closeWriters(pipes);
  const [stdout = group.stdout, stderr = group.stderr] = outputs;
  return waitFor({ group, stdout, stderr }, request, stop);
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
  // A child process may still be writing (`exec > >(tee log)`), so the group gets a short time.
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
  // The pipe breaks if the program is killed before it reads the line.
  group.stdin?.on('error', () => {}).end('\n');
  return group;
}

async function exit(group: ProcessGroup): Promise<Ending> {
  const end = await group.ended;
  if (end.kind === 'not_started') return { kind: 'spawn_error', errno: end.errno, cause: end.cause };
  const { code, signal } = end;
  return { kind: 'exited', exitCode: code ?? signalExitCode(signal), signal: signal ?? undefined };
}

/** Returns the exit code by which a shell reports that a signal ended a child. */
function signalExitCode(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : (osConstants.signals[signal] ?? 0));
}

function closed(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
}

/** Returns the path of the packaged ripgrep. Throws if the package contains no binary for this platform. */
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

/** Limits the number of concurrent programs. Further programs wait in a queue. */
export interface ProcessSlots {
  /** Returns a place in the queue, or `undefined` if the queue is full. */
  enter(): ProcessPlace | undefined;
}

export interface ProcessPlace {
  /** Resolves when the program may start. */
  readonly ready: Promise<void>;
  /** Releases the slot, or the place in the queue. */
  leave(): void;
}

/**
 * Event-loop iterations between two starts. A start blocks for milliseconds, and each iteration accepts one
 * connection. A new connection then waits for few starts.
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
