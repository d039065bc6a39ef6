import { afterAll, beforeAll, expect, it } from 'vitest';
import { pruneArguments, rpcClient } from '../secateur/servers/pruner/running-pruner.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';

let server: SecateurProcess;
beforeAll(async () => {
  server = await startSecateur(['pruner']);
});
afterAll(() => server.stop());

const words = ['retry', 'policy', 'timeout', 'socket', 'parse', 'render', 'cache', 'index', 'merge', 'token'];
const large = Array.from(
  { length: 40_000 },
  (_, line) => `    ${words[line % 10]}_${line} = compute(${words[(line * 7) % 10]}, ${line})`,
)
  .join('\n')
  .slice(0, 2_000_000);

async function prune(text: string, timeoutMs: number) {
  const args = {
    ...pruneArguments,
    text,
    source_type: 'code',
    options: { ...pruneArguments.options, timeout_ms: timeoutMs },
  };
  const { result } = await rpcClient(`${server.url}/rpc`)('tools/call', {
    name: 'prune_text',
    arguments: args,
  });
  return JSON.parse(result?.content?.[0]?.text ?? 'null');
}

it('[P23] the pruner responds to /health while it prunes large texts', async () => {
  let finished = 0;
  const slow = Array.from({ length: 6 }, () => prune(large, 120_000).finally(() => (finished += 1)));
  let healthy = 0;
  while (finished < slow.length) {
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    healthy += 1;
  }
  for (const { stats } of await Promise.all(slow)) expect(stats.used_fallback).toBe(false);
  expect(healthy).toBeGreaterThan(slow.length);
});

it('[P23] prune_text returns the text with the warning timeout after its time limit, and recover_text recovers this text', async () => {
  const outcome = await prune(large, 1);
  expect(outcome).toMatchObject({
    pruned_text: large,
    annotations: [],
    warnings: ['timeout'],
    stats: { used_fallback: true },
  });
  const asked = {
    prune_id: outcome.prune_id,
    ranges: [{ start_line: 1, end_line: 99_999 }],
    include_line_numbers: false,
  };
  const { result } = await rpcClient(`${server.url}/rpc`)('tools/call', {
    name: 'recover_text',
    arguments: asked,
  });
  expect(JSON.parse(result?.content?.[0]?.text ?? '').raw_text).toBe(large);
});

it('[P22] prune_text returns a text above MCP_PRUNER_MAX_INPUT_CHARS with the warning input_too_large', async () => {
  const small = await startSecateur(['pruner'], {
    env: { MCP_PRUNER_MAX_INPUT_CHARS: '1000' },
  });
  const { result } = await rpcClient(`${small.url}/rpc`)('tools/call', {
    name: 'prune_text',
    arguments: pruneArguments,
  });
  expect(JSON.parse(result?.content?.[0]?.text ?? '')).toMatchObject({
    pruned_text: pruneArguments.text,
    annotations: [],
    warnings: ['input_too_large'],
    stats: { used_fallback: true },
  });
  await small.stop();
});
