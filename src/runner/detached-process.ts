import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../runtime/make-folder.ts';

/** A process that goes on when its starter ends. */
export interface Detached {
  readonly pid: number | undefined;
  /** Undefined while it runs. */
  exitCode(): number | string | undefined;
  /** Ends it and whatever it started, and waits for that. */
  kill(): Promise<void>;
  /** Lets the starter end before it. */
  letGo(): void;
}

export interface DetachedOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  /** Gets what the process prints; emptied first. */
  readonly logPath: string;
}

export async function startDetached({ command, cwd, logPath }: DetachedOptions): Promise<Detached> {
  await makeFolder(dirname(logPath));
  const log = await open(logPath, 'w', 0o600);
  const [program = process.execPath, ...args] = command;
  const child = spawn(program, args, {
    cwd,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  await log.close();
  return {
    pid: child.pid,
    exitCode: () =>
      child.exitCode ?? child.signalCode ?? (child.pid === undefined ? 'not started' : undefined),
    kill: async () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        endGroup(child.pid);
      await exited;
    },
    letGo: () => child.unref(),
  };
}

/** A detached process leads its own group, so that one signal reaches its children too; Windows has no groups. */
function endGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
