import { expect, it, onTestFinished } from 'vitest';
import { hookRoutes } from '../../../../packages/secateur/src/servers/hooks/routes.ts';
import { serveHttp } from '../../../../packages/serving/src/wire/http-host.ts';
import { bashEvent, TEST_RUN, testHook } from '../../../support/hook-events.ts';
import { waitingPruner } from '../../../support/pruner.ts';

it('[X2] the hook aborts pruning when the agent disconnects', async () => {
  const pruner = waitingPruner();
  const routes = hookRoutes(testHook({ pruner: async () => pruner }));
  const host = await serveHttp({ host: '127.0.0.1', port: 0, routes, closeGraceMs: 100 });
  onTestFinished(() => host.close());
  const agent = new AbortController();
  const call = fetch(`${host.url}/hooks/claude-code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bashEvent(TEST_RUN)),
    signal: agent.signal,
  });
  await expect.poll(() => pruner.waiting).toBe(1);
  agent.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => pruner.givenUp).toBe(1);
});
