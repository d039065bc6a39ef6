import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@secateur/base/runtime/clock.ts';
import { deadlineIn } from '@secateur/base/runtime/deadline.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { makeFolder } from '@secateur/base/runtime/make-folder.ts';
import { probeHealth } from '@secateur/base/runtime/probe-health.ts';
import { type GroupEnd, ProcessGroup } from '@secateur/base/runtime/process-group.ts';
import { readLiveStateIfSound, type UpState } from './state-file.ts';

export interface DetachedStart {
  /** Program and arguments that run `up` in the foreground. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly logPath: string;
  readonly statePath: string;
  readonly readyTimeoutMs: number;
  readonly bearerToken: string | undefined;
  readonly clock: Clock;
}

const PROBE_EVERY_MS = 50;
const LOG_LINES = 80;

/** Resolves when every server answers; otherwise nothing is left running and the error carries the end of the log. */
export async function startAndWait(start: DetachedStart): Promise<UpState> {
  const child = await startDetached(start);
  const outcome = await waitUntilReady(child, start);
  if (outcome.kind === 'ready') return outcome.state;
  await child.kill();
  const log = await lastLines(start.logPath, LOG_LINES);
  throw new DomainError('not_ready', `${outcome.reason}\n${log}`.trimEnd(), {
    hint: `The whole log: ${start.logPath}`,
  });
}

/** Its log gets what it prints, and is emptied first. */
async function startDetached({ command, cwd, logPath }: DetachedStart): Promise<ProcessGroup> {
  makeFolder(dirname(logPath));
  const log = await open(logPath, 'w', 0o600);
  const group = new ProcessGroup({ command, cwd, stdio: ['ignore', log.fd, log.fd] });
  await log.close();
  return group;
}

type Outcome = { kind: 'ready'; state: UpState } | { kind: 'failed'; reason: string };

async function waitUntilReady(child: ProcessGroup, start: DetachedStart): Promise<Outcome> {
  const deadline = deadlineIn(start.readyTimeoutMs, start.clock);
  while (!deadline.passed()) {
    const state = readLiveStateIfSound(start.statePath);
    if (state !== undefined && state.pid === child.pid && (await allAnswer(state, start.bearerToken))) {
      child.unref();
      return { kind: 'ready', state };
    }
    if (child.end !== undefined) return { kind: 'failed', reason: reasonOf(child.end) };
    await delay(PROBE_EVERY_MS);
  }
  return {
    kind: 'failed',
    reason: `the servers did not answer within ${start.readyTimeoutMs} ms (SECATEUR_READY_TIMEOUT_MS):`,
  };
}

function reasonOf(end: GroupEnd): string {
  if (end.kind === 'not_started') return `the servers could not be started (${end.errno}):`;
  return `the servers ended with exit code ${end.code ?? end.signal}:`;
}

async function allAnswer({ servers }: UpState, bearerToken: string | undefined): Promise<boolean> {
  const answers = await Promise.all(
    servers.map(({ healthUrl }) => probeHealth({ url: healthUrl, timeoutMs: 1000, bearerToken })),
  );
  return answers.every(Boolean);
}

/** Enough for eighty long lines; a log may be large. */
const TAIL_BYTES = 65_536;

async function lastLines(path: string, count: number): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
    return buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').slice(-count).join('\n');
  } finally {
    await file.close();
  }
}
