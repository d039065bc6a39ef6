import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** Descriptors of a pipe: what a program writes at one end, we read at the other. */
export interface Pipe {
  readonly reader: number;
  /** Ours until the program has its own copy; as long as a copy is open, the reader does not end. */
  readonly writer: number;
}

export interface OutputPipes {
  readonly stdout: Pipe;
  readonly stderr: Pipe;
}

/**
 * Pipes for the output of commands. Node connects programs by sockets, which Linux cannot open by name:
 * `echo … > /dev/stderr` and `tee /dev/stdout` fail there.
 */
export interface PipeSupply {
  /** `undefined` if no pipes can be made; sockets are used then. */
  take(): Promise<OutputPipes | undefined>;
  /** Makes the next ones in advance. */
  prepare(): void;
}

/** Gives none: for systems that open anything by name, and for tests. */
export const noPipes: PipeSupply = { take: async () => undefined, prepare: () => {} };

export function openPipeSupply(): PipeSupply {
  if (process.platform !== 'linux') return noPipes;
  const ready: OutputPipes[] = [];
  let making: Promise<boolean> | undefined;
  const make = () => {
    making ??= makePipes().then((made) => {
      making = undefined;
      return ready.push(...made) > 0;
    });
    return making;
  };
  return {
    take: async () => {
      // Others may have waited for the same ones, and been faster.
      while (ready.length === 0 && (await make()));
      return ready.shift();
    },
    prepare: () => {
      if (ready.length === 0) void make();
    },
  };
}

/** Number of commands that pipes are made for in one go: each making starts a program. */
const BATCH = 8;

/** Node has no call for a pipe, but opens one that has a name; the names are removed before any writing. */
async function makePipes(): Promise<OutputPipes[]> {
  const folder = await mkdtemp(join(tmpdir(), 'secateur-pipe-')).catch(() => undefined);
  if (folder === undefined) return [];
  const numbers = Array.from({ length: BATCH }, (_, index) => index);
  const names = numbers.map(
    (number) => [join(folder, `${number}.out`), join(folder, `${number}.err`)] as const,
  );
  const made: OutputPipes[] = [];
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', ...names.flat()]);
    for (const [stdout, stderr] of names) made.push(openBoth(stdout, stderr));
  } catch {
    // As many as there are descriptors for.
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return made;
}

function openBoth(first: string, second: string): OutputPipes {
  const stdout = openPipe(first);
  try {
    return { stdout, stderr: openPipe(second) };
  } catch (cause) {
    closePipe(stdout);
    throw cause;
  }
}

function openPipe(path: string): Pipe {
  // The reader first, without waiting for a writer: a writer would wait for a reader.
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { reader, writer: openSync(path, constants.O_WRONLY) };
  } catch (cause) {
    closeSync(reader);
    throw cause;
  }
}

function closePipe({ reader, writer }: Pipe): void {
  closeSync(reader);
  closeSync(writer);
}

/** For a program that is not going to be started. */
export function closePipes({ stdout, stderr }: OutputPipes): void {
  closePipe(stdout);
  closePipe(stderr);
}

/** Reads without a thread: a file stream would hold one of the few there are for as long as the program runs. */
export function readerOf({ reader }: Pipe): Readable {
  return new Socket({ fd: reader, writable: false });
}

/** Once the program has its own copies, or could not be started. */
export function closeWriters({ stdout, stderr }: OutputPipes): void {
  closeSync(stdout.writer);
  closeSync(stderr.writer);
}
