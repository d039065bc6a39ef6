import { setTimeout as delay } from 'node:timers/promises';
import { type Detached, startDetached } from '../../runner/detached-process.ts';
import type { Clock } from '../../runtime/clock.ts';
import { deadlineIn } from '../../runtime/deadline.ts';
import { DomainError } from '../../runtime/domain-error.ts';
import { probeHealth } from '../probe-health.ts';
import { lastLines } from './last-lines.ts';
import { readLiveState, type UpState } from './state-file.ts';

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

type Outcome = { kind: 'ready'; state: UpState } | { kind: 'failed'; reason: string };

async function waitUntilReady(child: Detached, start: DetachedStart): Promise<Outcome> {
  const deadline = deadlineIn(start.readyTimeoutMs, start.clock);
  while (!deadline.passed()) {
    const state = await readLiveState(start.statePath);
    if (state !== undefined && state.pid === child.pid && (await allAnswer(state, start.bearerToken))) {
      child.letGo();
      return { kind: 'ready', state };
    }
    if (child.exitCode() !== undefined) {
      return { kind: 'failed', reason: `the servers ended with exit code ${child.exitCode()}:` };
    }
    await delay(PROBE_EVERY_MS);
  }
  return {
    kind: 'failed',
    reason: `the servers did not answer within ${start.readyTimeoutMs} ms (SECATEUR_READY_TIMEOUT_MS):`,
  };
}

async function allAnswer({ servers }: UpState, bearerToken: string | undefined): Promise<boolean> {
  const answers = await Promise.all(
    servers.map(({ healthUrl }) => probeHealth({ url: healthUrl, timeoutMs: 1000, bearerToken })),
  );
  return answers.every(Boolean);
}
