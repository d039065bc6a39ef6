import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** Descriptors of a pipe: a program writes at one end, this process reads at the other. */
export interface Pipe {
  readonly reader: number;
  /** Writing end. Kept until the program has a copy: a reader gets the end of input when all copies are closed. */
  readonly writer: number;
}

export interface OutputPipes {
  readonly stdout: Pipe;
  readonly stderr: Pipe;
}

/**
 * Creates pipes for the output of commands. Node connects programs by sockets, which Linux cannot open by
 * name, so `echo … > /dev/stderr` and `tee /dev/stdout` would fail.
 */
export interface PipeSupply {
  /** Returns pipes; `undefined` if none can be created, so that sockets are used. */
  take(): Promise<OutputPipes | undefined>;
  /** Creates the next pipes in advance. */
  prepare(): void;
}

/** Supplies no pipes. For systems on which sockets can be opened by name, and for tests. */
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
      // A concurrent caller may have taken all new pipes.
      while (ready.length === 0 && (await make()));
      return ready.shift();
    },
    prepare: () => {
      if (ready.length === 0) void make();
    },
  };
}

/** Number of commands for which pipes are created together. Creating them starts a program. */
const BATCH = 8;

/** Creates named pipes, because Node can create no others. The names are deleted before use. */
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
    // If descriptors run out, the pipes that are already open are used.
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
  // The reader is opened first, without blocking. Opening the writer first would wait for a reader.
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

/** Closes the pipes of a program that will not be started. */
export function closePipes({ stdout, stderr }: OutputPipes): void {
  closePipe(stdout);
  closePipe(stderr);
}

/** Reads without blocking a thread of the pool. A file stream would block one while the program runs. */
export function readerOf({ reader }: Pipe): Readable {
  return new Socket({ fd: reader, writable: false });
}

/** Closes this process's copies of the writers, after the program was started or could not be started. */
export function closeWriters({ stdout, stderr }: OutputPipes): void {
  closeSync(stdout.writer);
  closeSync(stderr.writer);
}
