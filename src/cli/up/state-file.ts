import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/settings.ts';
import { replaceFile } from '../../runtime/replace-file.ts';

/** What `up` leaves for `status`, `stop` and `restart` in another terminal. */
export interface UpState {
  readonly pid: number;
  /** Tells this process from a later one with the same number, where the system can. */
  readonly processStart: string | undefined;
  readonly startedAt: string;
  readonly version: string;
  readonly servers: readonly ServerState[];
  /** Flags and working directory that `restart` starts the servers with again. */
  readonly arguments?: readonly string[];
  readonly cwd?: string;
  /** Holds what callers of the focus tools must show, where the system does not tell whose they are. */
  readonly tokenFile?: string | undefined;
}

export interface ServerState {
  readonly name: string;
  /** Where clients connect. */
  readonly endpoint: string;
  readonly healthUrl: string;
  readonly offers: string;
}

export function statePath({ dataDir }: Config['recovery']): string {
  return join(dataDir, 'up.json');
}

export function logPath({ dataDir }: Config['recovery']): string {
  return join(dataDir, 'up.log');
}

export async function writeState(path: string, state: UpState): Promise<void> {
  await replaceFile(path, JSON.stringify(state));
}

/** A file that stays counts for nothing once its process has ended. */
export async function removeState(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

/** The state of a process that is still there; what a dead one left does not count. */
export async function readLiveState(path: string): Promise<UpState | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const state = parseState(text);
  return state !== undefined && isAlive(state) ? state : undefined;
}

function parseState(text: string): UpState | undefined {
  try {
    const state: UpState = JSON.parse(text);
    return Number.isSafeInteger(state.pid) && Array.isArray(state.servers) ? state : undefined;
  } catch {
    return undefined;
  }
}

export function isAlive({ pid, processStart }: Pick<UpState, 'pid' | 'processStart'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return processStart === undefined || processStart === processStartOf(pid);
}

/** On Linux, the moment the process started, in ticks; elsewhere unknown. */
export function processStartOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold spaces; the start is the 20th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not looked yet.
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}
