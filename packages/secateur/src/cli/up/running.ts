import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { attempt, DomainError } from '@secateur/base/runtime/domain-error.ts';
import { probeHealth } from '@secateur/base/runtime/probe-health.ts';
import { deadlineIn, systemClock } from '@secateur/base/runtime/time.ts';
import { parsedFields } from '@secateur/base/text/json.ts';
import type { Paint, Terminal } from '@secateur/serving/commands/terminal.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import { processFields } from '../own-program.ts';
import type { UpConfig } from './start.ts';

/** State that `secateur up` stores for `status`, `stop` and `restart` in another terminal. */
export interface UpState {
  readonly pid: number;
  /** Start time of the process, if known. Another process may have the same PID later. */
  readonly processStart: string | undefined;
  readonly startedAt: string;
  readonly version: string;
  readonly servers: readonly ServerState[];
  /** Flags and working directory with which `restart` starts the servers again. */
  readonly arguments?: readonly string[];
  readonly cwd?: string;
  /** File with the token that a caller of the focus tools must send if the system cannot tell its user. */
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

/** Removes the state file. If that fails, later commands ignore it as soon as its process has ended. */
export async function removeState(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

const MAX_STATE_BYTES = 1_048_576;

/**
 * Returns the state of the running `up`. `undefined` if its process has ended; throws `state_unreadable` if
 * the file is damaged, because the servers named in it may still run.
 */
export function readLiveState(path: string): UpState | undefined {
  const file = readRegularFile(path, { maxBytes: MAX_STATE_BYTES, followLinks: true });
  if (file.kind === 'refused') {
    if (file.code === 'missing') return undefined;
    throw unreadable(path, file.reason);
  }
  const fields = parsedFields(file.bytes.toString('utf8'));
  if (!Number.isSafeInteger(fields?.pid) || !Array.isArray(fields?.servers))
    throw unreadable(path, 'is damaged');
  const state = fields as unknown as UpState;
  return isAlive(state) ? state : undefined;
}

function unreadable(path: string, reason: string): DomainError {
  return new DomainError('state_unreadable', `${path} ${reason}: servers of \`up\` may still run`, {
    hint: 'End the process of `secateur up`, if there is one (Ctrl-C or its PID), and delete the file; the next `secateur up` writes it again.',
  });
}

function isAlive({ pid, processStart }: Pick<UpState, 'pid' | 'processStart'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return processStart === undefined || processStart === processStartOf(pid);
}

/** Returns the start time of a process in clock ticks since boot; `undefined` outside of Linux. */
export function processStartOf(pid: number): string | undefined {
  const fields = processFields(pid);
  // A zombie process has ended, but its parent has not collected its exit status yet.
  return fields[0] === 'Z' ? 'ended' : fields[19];
}

const LOOK_EVERY_MS = 25;

/** Stops the servers that `up` started. Returns their state; `undefined` if no server was running. */
export async function stopRunning(
  { up, recovery }: Pick<UpConfig, 'up' | 'recovery'>,
  terminal: Terminal,
): Promise<UpState | undefined> {
  const state = readLiveState(statePath(recovery));
  if (state === undefined) return undefined;
  attempt(() => process.kill(state.pid, 'SIGTERM'));
  if (!(await hasEnded(state, up.stopTimeoutMs))) {
    attempt(() => process.kill(state.pid, 'SIGKILL'));
    terminal.note(`it did not end within ${up.stopTimeoutMs} ms and was killed`);
    await hasEnded(state, up.stopTimeoutMs);
  }
  await removeState(statePath(recovery));
  terminal.line(`secateur has stopped (process ${state.pid}).`);
  return state;
}

async function hasEnded(state: UpState, withinMs: number): Promise<boolean> {
  const deadline = deadlineIn(withinMs, systemClock);
  while (isAlive(state)) {
    if (deadline.passed()) return false;
    await delay(LOOK_EVERY_MS);
  }
  return true;
}

/** Returns for each server whether it answers its health check. */
export function healthOf(
  { servers }: Pick<UpState, 'servers'>,
  probe: Omit<Parameters<typeof probeHealth>[0], 'url'>,
): Promise<boolean[]> {
  return Promise.all(servers.map(({ healthUrl }) => probeHealth({ ...probe, url: healthUrl })));
}

const NEXT = 'secateur status | stats | stop, from any terminal';
const NEXT_IN_CHECKOUT = 'node dist/main/secateur.js status | stats | stop, in this folder';

export function describeUp(
  state: UpState,
  { paint, fromNpm, needsToken }: { paint: Paint; fromNpm: boolean; needsToken: boolean },
): string {
  const { version, pid, servers } = state;
  return [
    `${paint('bold', `secateur ${version}`)} is up (process ${pid})`,
    '',
    ...serverRows(servers, paint).map((row) => `  ${row}`),
    '',
    paint('bold', 'Next'),
    ...[...connectSteps(state, needsToken), fromNpm ? NEXT_IN_CHECKOUT : NEXT].map((step) => `  ${step}`),
  ].join('\n');
}

export function serverRows(servers: readonly ServerState[], paint: Paint): string[] {
  const nameWidth = Math.max(...servers.map(({ name }) => name.length));
  const endpointWidth = Math.max(...servers.map(({ endpoint }) => endpoint.length));
  return servers.map(({ name, endpoint, offers }) =>
    [name.padEnd(nameWidth), paint('cyan', endpoint.padEnd(endpointWidth)), paint('dim', offers)].join('  '),
  );
}

const TOKEN = 'SECATEUR_BEARER_TOKEN';

/**
 * Returns the steps that connect a client to the focus tools. They contain the path of the token file and not
 * the token, because terminals are logged and shared.
 */
function connectSteps({ servers, tokenFile }: UpState, needsToken: boolean): string[] {
  const { endpoint } = servers.find(({ name }) => name === 'focus') ?? servers[0] ?? { endpoint: '' };
  const claude = `claude mcp add --transport http secateur ${endpoint}`;
  const codex = `codex mcp add secateur --url ${endpoint}`;
  // Codex reads a token only from a variable. After `secateur connect` it needs none.
  if (tokenFile !== undefined)
    return [
      `${claude} --header "Authorization: Bearer $(cat '${tokenFile}')"`,
      'secateur connect codex --write',
    ];
  if (!needsToken) return [claude, codex];
  return [`${claude} --header "Authorization: Bearer $${TOKEN}"`, `${codex} --bearer-token-env-var ${TOKEN}`];
}
