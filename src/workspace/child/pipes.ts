import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A pipe: what a program writes at one end, we read at the other. */
export interface Pipe {
  readonly reader: Socket;
  /** Ours until the program has its own copy; as long as anybody holds one, the reader does not end. */
  readonly writerFd: number;
}

export interface OutputPipes {
  readonly stdout: Pipe;
  readonly stderr: Pipe;
}

/**
 * Node connects programs by sockets, which Linux cannot open by name: `echo … > /dev/stderr` and `tee /dev/stdout`
 * fail there. Node has no call for a pipe, but opens one that has a name. Nothing where that does not work either.
 */
export async function openOutputPipes(): Promise<OutputPipes | undefined> {
  if (process.platform !== 'linux') return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'secateur-pipe-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  const names = ['stdout', 'stderr'].map((name) => join(folder, name));
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', ...names]);
    const [stdout, stderr] = names.map(openPipe);
    return stdout === undefined || stderr === undefined ? undefined : { stdout, stderr };
  } catch {
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function openPipe(path: string): Pipe {
  // The reader first, without waiting for a writer: a writer would wait for a reader.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return {
    reader: new Socket({ fd, readable: true, writable: false }),
    writerFd: openSync(path, constants.O_WRONLY),
  };
}

/** Once the program runs, or could not be started. */
export function releaseWriters({ stdout, stderr }: OutputPipes): void {
  closeSync(stdout.writerFd);
  closeSync(stderr.writerFd);
}
