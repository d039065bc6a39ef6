import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { startAndWait } from '../../../packages/secateur/src/cli/up/start.ts';
import { temporaryFolder } from '../../support/secateur-cli.ts';

const PRINT_100_LINES = "for (let n = 1; n <= 100; n += 1) console.log('log line ' + n + '.');";

it('[H6] startAndWait ends a process that does not become ready in time, and shows its last 80 log lines', async () => {
  const failure = await failureOf(
    `${PRINT_100_LINES} console.log('pid', process.pid); setInterval(() => {}, 1000);`,
    700,
  );
  expect(failure.message).toContain('within 700 ms (SECATEUR_READY_TIMEOUT_MS)');
  expect(failure.message).toContain('log line 22.');
  expect(failure.message).not.toContain('log line 21.');
  const pid = Number(failure.message.match(/pid (\d+)/)?.[1]);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('[H6] startAndWait fails immediately if the process exits', async () => {
  const failure = await failureOf(`${PRINT_100_LINES} process.exit(7);`, 600_000);
  expect(failure.message).toContain('ended with exit code 7');
  expect(failure.message).toContain('log line 100.');
});

async function failureOf(program: string, readyTimeoutMs: number): Promise<Error> {
  const folder = temporaryFolder();
  const outcome = await startAndWait({
    command: [process.execPath, '-e', program],
    cwd: folder,
    logPath: join(folder, 'up.log'),
    statePath: join(folder, 'up.json'),
    readyTimeoutMs,
    bearerToken: undefined,
    clock: systemClock,
  }).catch((error: unknown) => error);
  if (outcome instanceof Error) return outcome;
  throw new Error('it did not fail');
}
