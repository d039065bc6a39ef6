import { expect, it } from 'vitest';
import { DEFAULT_LEAST } from '../../../../packages/engine/src/request.ts';
import { pruneFirst } from '../../../../packages/secateur/src/servers/gateway/prune-first.ts';
import { answering, numberedLines, startGateway, startUpstream, textOf } from '../../../support/gateway.ts';
import { testPruner, waitingPruner } from '../../../support/pruner.ts';

const NEEDED = 'the retry budget is spent after seven attempts';
const lines = numberedLines(2000).split('\n');
lines[1200] = NEEDED;
const text = lines.join('\n');

it('[G17] the gateway with prune_before_mask keeps the lines that a call searched for, which masking alone would remove', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text }] }));
  const pruner = testPruner();
  const servers = {
    pruning: { url: upstream.url, pruneBeforeMask: true },
    masking: { url: upstream.url },
  };
  const gateway = await startGateway({
    servers,
    pruning: { pruner, least: DEFAULT_LEAST, timeoutMs: 60_000 },
    recovery: pruner.recovery,
  });
  const params = {
    name: 'search',
    arguments: { query: 'how many attempts until the retry budget is spent' },
  };
  const masked = await gateway.call('masking', 'tools/call', params);
  expect(textOf(masked)).not.toContain(NEEDED);
  const pruned = await gateway.call('pruning', 'tools/call', params);
  expect(textOf(pruned)).toContain(NEEDED);
  expect(textOf(pruned).length).toBeLessThan(6000);
  expect(textOf(pruned, 1)).toContain('2000 lines, hidden: see its markers');
  const prune_id = /prune_id=(prn_[0-9A-Z]{10,26})/.exec(textOf(pruned))?.[1];
  const ranges = [{ start_line: 700, end_line: 700 }];
  const recovered = await gateway.call('pruning', 'tools/call', {
    name: 'recover_text',
    arguments: { prune_id, ranges, include_line_numbers: false },
  });
  expect(JSON.parse(textOf(recovered))).toMatchObject({ raw_text: lines[699] });
});

it('[G17] the gateway masks a text if pruning cannot shorten it or the call contains no words', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: 'x'.repeat(50_000) }] }));
  const pruner = testPruner();
  const servers = { pruning: { url: upstream.url, pruneBeforeMask: true } };
  const gateway = await startGateway({
    servers,
    pruning: { pruner, least: DEFAULT_LEAST, timeoutMs: 60_000 },
    recovery: pruner.recovery,
  });
  for (const args of [{ query: 'anything' }, {}]) {
    const answer = await gateway.call('pruning', 'tools/call', { name: 'read', arguments: args });
    expect(textOf(answer)).toContain('KIMI_PROXY_OBSERVATION_MASKED');
  }
});

it('[P29] the gateway masks a text that pruning would hardly shorten', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text }] }));
  const pruner = testPruner();
  const least = { ...DEFAULT_LEAST, savedShare: 0.999 };
  const servers = { pruning: { url: upstream.url, pruneBeforeMask: true } };
  const gateway = await startGateway({
    servers,
    pruning: { pruner, least, timeoutMs: 60_000 },
    recovery: pruner.recovery,
  });
  const params = {
    name: 'search',
    arguments: { query: 'how many attempts until the retry budget is spent' },
  };
  expect(textOf(await gateway.call('pruning', 'tools/call', params))).toContain(
    'KIMI_PROXY_OBSERVATION_MASKED',
  );
});

const asking = {
  params: { name: 'search', arguments: { query: 'how many attempts until the retry budget is spent' } },
  signal: new AbortController().signal,
};
const within = (maxChars: number, timeoutMs = 60_000) =>
  pruneFirst(
    { pruner: testPruner(), least: DEFAULT_LEAST, timeoutMs },
    { maxChars, headChars: 0, tailChars: 0 },
  );

it.each([3000, 6000, 12_000])(
  '[G17] [P50] pruning to %d characters removes whole sections and observes the limit',
  async (maxChars) => {
    const pruned = await within(maxChars)(text, asking);
    expect(pruned?.text).toContain(NEEDED);
    expect(pruned?.text.length).toBeLessThanOrEqual(maxChars);
  },
);

it('[G17] the gateway masks a text if pruning takes too long or the call has no question', async () => {
  expect(await within(6000, 0)(text, asking)).toBeUndefined();
  expect(await within(6000)(text, { ...asking, params: { name: 'search' } })).toBeUndefined();
});

it('[X2] the gateway aborts pruning when the client disconnects', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text }] }));
  const pruner = waitingPruner();
  const gateway = await startGateway({
    servers: { pruning: { url: upstream.url, pruneBeforeMask: true } },
    pruning: { pruner, least: DEFAULT_LEAST, timeoutMs: 60_000 },
  });
  const client = new AbortController();
  const params = { name: 'search', arguments: { query: 'when is the retry budget spent' } };
  const call = fetch(gateway.url('pruning'), {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: client.signal,
  });
  await expect.poll(() => pruner.waiting).toBe(1);
  expect(pruner.givenUp).toBe(0);
  client.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => pruner.givenUp).toBe(1);
});
