import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { readRegularFile } from '@secateur/base/runtime/open-regular-file.ts';
import { replaceFile } from '@secateur/base/runtime/replace-file.ts';
import type { Config } from '@secateur/serving/config/settings.ts';

/** State that `up` stores for `status`, `stop` and `restart` in another terminal. */
export interface UpState {
  readonly pid: number;
  /** Distinguishes this process from a later one with the same PID, if the system can. */
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
  /** Address at which clients connect. */
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

const MAX_STATE_BYTES = 1_048_576;

/**
 * Returns the state of the `up` that runs; what an ended one left does not count. Throws `state_unreadable` if the file
 * is damaged: then nothing can be said about servers that may run.
 */
export function readLiveState(path: string): UpState | undefined {
  const file = readRegularFile(path, { maxBytes: MAX_STATE_BYTES, followLinks: true });
  if (file.kind === 'refused') {
    if (file.code === 'missing') return undefined;
    throw unreadable(path, file.reason);
  }
  const state = parseState(file.bytes.toString('utf8'));
  if (state === undefined) throw unreadable(path, 'is damaged');
  return isAlive(state) ? state : undefined;
}

/** Does what `readLiveState` does for `up` itself, which replaces a damaged file. */
export function readLiveStateIfSound(path: string): UpState | undefined {
  try {
    return readLiveState(path);
  } catch {
    return undefined;
  }
}

function unreadable(path: string, reason: string): DomainError {
  return new DomainError('state_unreadable', `${path} ${reason}: servers of \`up\` may run unseen`, {
    hint: 'End the process of `secateur up`, if there is one (Ctrl-C or its PID), and delete the file; the next `secateur up` writes it again.',
  });
}

function parseState(text: string): UpState | undefined {
  try {
    const state: UpState | null = JSON.parse(text);
    return Number.isSafeInteger(state?.pid) && Array.isArray(state?.servers) ? state : undefined;
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
