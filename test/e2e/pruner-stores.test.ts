import { afterEach, describe, expect, it } from 'vitest';
import { type RpcAnswer, rpcClient } from '../secateur/servers/pruner/running-pruner.ts';
import { freePort, startRedis } from '../support/redis.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

const running: SecateurProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.kill()));
});

async function startPruner(args: string[]): Promise<SecateurProcess> {
  const server = await startSecateur(['pruner', ...args]);
  running.push(server);
  return server;
}

const textNumber = (number: number) =>
  Array.from(
    { length: 80 },
    (_, line) => `Text ${number}, line ${line + 1}: details of no great importance here.`,
  ).join('\n');

async function prune(server: SecateurProcess, text: string) {
  const options = {
    max_prune_ratio: 0.7,
    min_keep_lines: 1,
    timeout_ms: 60_000,
    annotate_lines: false,
    include_markers: true,
  };
  const args = { text, goal_hint: 'line 40', source_type: 'docs', options };
  return contentOf(
    await rpcClient(`${server.url}/rpc`)('tools/call', { name: 'prune_text', arguments: args }),
  );
}

async function recover(server: SecateurProcess, id: string): Promise<RpcAnswer> {
  const args = { prune_id: id, ranges: [{ start_line: 1, end_line: 1000 }], include_line_numbers: false };
  return rpcClient(`${server.url}/rpc`)('tools/call', { name: 'recover_text', arguments: args });
}

function contentOf(answer: RpcAnswer) {
  return JSON.parse(answer.result?.content?.[0]?.text ?? JSON.stringify(answer));
}

describe('the embedded store', () => {
  it('[P35] the embedded store recovers every id that a client has received, after kill -9 during 200 calls', async () => {
    const folder = temporaryFolder();
    const first = await startPruner(['--store', 'embedded', '--data-dir', folder]);
    const received = new Map<string, string>();
    let killed: Promise<void> | undefined;
    const calls = Array.from({ length: 200 }, async (_, number) => {
      const text = textNumber(number);
      const { prune_id } = await prune(first, text);
      // Above its limit of concurrent calls the server refuses, and gives no id.
      if (prune_id === undefined) return;
      received.set(prune_id, text);
      if (received.size === 60) killed = first.kill();
    });
    const settled = await Promise.allSettled(calls);
    await killed;
    expect(settled.some(({ status }) => status === 'rejected')).toBe(true);
    expect(received.size).toBeGreaterThanOrEqual(60);

    const second = await startPruner(['--store', 'embedded', '--data-dir', folder]);
    for (const [id, text] of received) expect(contentOf(await recover(second, id)).raw_text).toBe(text);
  });

  it('[P25] the pruner returns the same ids for the same requests after a restart', async () => {
    const folder = temporaryFolder();
    const first = await startPruner(['--store', 'embedded', '--data-dir', folder]);
    const before = await prune(first, textNumber(1));
    await first.stop();
    expect(first.exitCode()).toBe(0);
    const second = await startPruner(['--store', 'embedded', '--data-dir', folder]);
    const after = await prune(second, textNumber(1));
    expect(after.pruned_text).toBe(before.pruned_text);
    expect(after.prune_id).toBe(before.prune_id);
  });
});

describeWith(['redis-server'], 'the Redis store', () => {
  it('[P35] two pruners with one Redis share ids, and [P34] pruning continues after Redis was down', async () => {
    const port = await freePort();
    const args = ['--store', 'redis', '--redis-url', `redis://127.0.0.1:${port}`];
    let redis = await startRedis(port);
    const [one, two] = await Promise.all([startPruner(args), startPruner(args)]);
    const { prune_id, warnings } = await prune(one, textNumber(1));
    expect(warnings).toEqual([]);
    expect(contentOf(await recover(two, prune_id)).raw_text).toBe(textNumber(1));

    await redis.stop();
    const whole = await prune(one, textNumber(2));
    expect(whole).toMatchObject({
      pruned_text: textNumber(2),
      annotations: [],
      warnings: ['recovery_unavailable'],
      stats: { used_fallback: true },
    });
    expect((await recover(two, prune_id)).error).toMatchObject({ data: { code: 'recovery_unavailable' } });

    redis = await startRedis(port);
    const back = await untilPruned(one, textNumber(3));
    expect(contentOf(await untilRecovered(two, back.prune_id)).raw_text).toBe(textNumber(3));
    await redis.stop();
  });

  async function untilPruned(server: SecateurProcess, text: string) {
    for (;;) {
      const outcome = await prune(server, text);
      if (outcome.warnings.length === 0) return outcome;
    }
  }

  async function untilRecovered(server: SecateurProcess, id: string): Promise<RpcAnswer> {
    for (;;) {
      const answer = await recover(server, id);
      if (answer.error?.data?.code !== 'recovery_unavailable') return answer;
    }
  }
});
