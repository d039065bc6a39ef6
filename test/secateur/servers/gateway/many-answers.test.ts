import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { Recovery } from '../../../../packages/engine/src/recovery/recovery.ts';
import { numberedLines, startGateway, startUpstream } from '../../../support/gateway.ts';

const CALLS = 10;

it('[X7] the gateway shortens long responses that arrive together in different event-loop iterations', async () => {
  const held: ServerResponse[] = [];
  const upstream = await startUpstream((_, response) => void held.push(response));
  const turns = countTurns();
  const shortenedIn: number[] = [];
  const recovery: Pick<Recovery, 'remember'> = {
    remember: async () => {
      shortenedIn.push(turns());
      return { kind: 'unavailable', id: 'prn_0000000000', cause: undefined };
    },
  };
  const gateway = await startGateway({
    servers: { files: { url: upstream.url } },
    recovery: recovery as Recovery,
  });
  const calls = Array.from({ length: CALLS }, () => gateway.call('files', 'tools/call', { name: 'read' }));
  await expect.poll(() => held.length).toBe(CALLS);
  const result = { content: [{ type: 'text', text: numberedLines(1000) }] };
  // Sends all responses together, so that the gateway reads them in one event-loop iteration.
  for (const response of held) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  }
  await Promise.all(calls);
  expect(new Set(shortenedIn).size).toBe(CALLS);
});

function countTurns(): () => number {
  let turn = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turn += 1;
    next = setImmediate(count);
  };
  count();
  onTestFinished(() => clearImmediate(next));
  return () => turn;
}
