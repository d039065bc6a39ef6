import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { expect, it, onTestFinished } from 'vitest';
import { freePort, startRedis } from '../support/redis.ts';
import { startRerankStandIn } from '../support/rerank-stand-in.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

const TEXT = Array.from({ length: 200 }, (_, at) => `line ${at + 1}: ${at === 120 ? 'needle' : 'hay'}`).join(
  '\n',
);

const PRUNE = {
  name: 'prune_text',
  arguments: {
    text: TEXT,
    goal_hint: 'needle',
    source_type: 'logs',
    options: {
      max_prune_ratio: 0.9,
      min_keep_lines: 1,
      timeout_ms: 8000,
      annotate_lines: false,
      include_markers: true,
    },
  },
};

interface Pruned {
  readonly prune_id: string;
  readonly pruned_text: string;
  readonly stats: { elapsed_ms: number };
  readonly warnings: string[];
}

async function call(url: string, token: string | undefined, params: object = PRUNE) {
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const answer = (await response.json()) as { result?: { content: { text: string }[] }; error?: object };
  const text = answer.result?.content[0]?.text;
  return { status: response.status, error: answer.error, text, pruned: text && (JSON.parse(text) as Pruned) };
}

function makeCertificate(openssl: string, folder: string): void {
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync(openssl, ['req', ...kind, ...names, '-days', '2', ...files], { stdio: 'ignore' });
}

function prunedBy(answer: Awaited<ReturnType<typeof call>> | undefined): Pruned {
  if (!answer?.pruned) throw new Error(`nothing was pruned: ${JSON.stringify(answer)}`);
  return answer.pruned;
}

/** Two processes that share a Redis and a data directory. */
async function startPair(env: Readonly<Record<string, string>> = {}) {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const dataDir = temporaryFolder();
  const start = async () => {
    const server = await startSecateur(['pruner', '--store', 'redis'], {
      env: { SECATEUR_DATA_DIR: dataDir, SECATEUR_REDIS_URL: redis.url, ...env },
    });
    onTestFinished(() => server.stop());
    return server.url;
  };
  const addToken = async (...args: string[]) =>
    (await secateur(['token', 'add', ...args], { dataDir })).stdout.trim();
  return { redis, addToken, urls: async () => Promise.all([start(), start()]) };
}

describeWith(['redis-server'], 'two processes with one Redis', () => {
  it('[T10] two processes with one Redis return the same bytes for the same request, and each recovers lines of the other', async () => {
    const pair = await startPair();
    const [one, two] = await pair.urls();
    const answers = await Promise.all([one, two].map((url) => call(url ?? '', undefined)));
    const texts = answers.map(({ text }) => text?.replace(/"elapsed_ms":\d+/, ''));
    expect(texts[0]).toContain('prn_');
    expect(texts[1]).toBe(texts[0]);
    const recovery = {
      prune_id: prunedBy(answers[0]).prune_id,
      ranges: [{ start_line: 1, end_line: 1 }],
      include_line_numbers: false,
    };
    const back = await call(two ?? '', undefined, { name: 'recover_text', arguments: recovery });
    expect(back.text).toContain('line 1: hay');
  });

  it('[P43] [T6] two processes with one Redis reuse a rerank response only for the user that caused it', async () => {
    const reranker = await startRerankStandIn();
    onTestFinished(() => reranker.close());
    const pair = await startPair({
      KIMI_PRUNING_BACKEND: 'deepinfra',
      DEEPINFRA_API_KEY: 'sk_key',
      DEEPINFRA_ENDPOINT_URL: reranker.url,
      DEEPINFRA_MAX_DOCS: '1000',
    });
    const [alice, bob] = [await pair.addToken('alice'), await pair.addToken('bob')];
    const [one = '', two = ''] = await pair.urls();
    const first = await call(one, alice);
    expect(first.pruned).toMatchObject({ warnings: [], stats: { backend: 'deepinfra' } });
    await expect
      .poll(async () => (await call(two, alice)).pruned)
      .toMatchObject({ warnings: ['cache_hit'], pruned_text: prunedBy(first).pruned_text });
    const paid = reranker.calls.length;
    expect((await call(two, bob)).pruned).toMatchObject({ warnings: [] });
    expect((await call(one, bob)).pruned).toMatchObject({ warnings: ['cache_hit'] });
    expect(reranker.calls.length).toBe(paid + 1);
    const admin = await createClient({ url: pair.redis.url }).connect();
    onTestFinished(() => admin.destroy());
    const cached = (await admin.keys('*')).filter((key) => key.startsWith('secateur:cache:'));
    expect(cached.length).toBe(2);
    for (const key of cached) expect(await admin.pTTL(key)).toBeGreaterThan(0);
  });

  it('[T7] two processes with one Redis count calls per minute together', async () => {
    const pair = await startPair();
    const token = await pair.addToken('alice', '--calls-per-minute', '3');
    const [one = '', two = ''] = await pair.urls();
    // The limit counts calendar minutes, so all calls must be in one.
    const intoMinute = Date.now() % 60_000;
    if (intoMinute > 45_000) await setTimeout(60_000 - intoMinute);
    const statuses: number[] = [];
    for (const url of [one, two, one, two, one]) statuses.push((await call(url, token)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  }, 60_000);

  it('[T9] prune_text returns texts unchanged without Redis, fails no call, and prunes again when Redis is back', async () => {
    const pair = await startPair();
    const [one = ''] = await pair.urls();
    expect((await call(one, undefined)).pruned).toMatchObject({ warnings: [] });
    await pair.redis.stop();
    const without = await call(one, undefined);
    expect(without).toMatchObject({ status: 200, error: undefined });
    expect(without.pruned).toMatchObject({ pruned_text: TEXT, warnings: ['recovery_unavailable'] });
    const again = await startRedis(pair.redis.port);
    onTestFinished(() => again.stop());
    await expect
      .poll(async () => (await call(one, undefined)).pruned, { timeout: 20_000 })
      .toMatchObject({ warnings: [] });
  });
});

describeWith(['redis-server', 'openssl'], 'a Redis over TLS', ({ openssl }) => {
  it('[T9] the pruner uses a Redis over TLS only if its certificate is trusted', async () => {
    const folder = temporaryFolder();
    makeCertificate(openssl, folder);
    const files = ['--tls-cert-file', join(folder, 'cert.pem'), '--tls-key-file', join(folder, 'key.pem')];
    const port = await freePort();
    const tls = ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'];
    const redis = await startRedis(undefined, tls);
    onTestFinished(() => redis.stop());
    const admin = await createClient({ url: redis.url }).connect();
    await admin.sendCommand(['ACL', 'SETUSER', 'sec', 'on', '>p%w', '~secateur:*', '+@all']);
    admin.destroy();
    const start = async (env: Readonly<Record<string, string>>) => {
      const url = `rediss://sec:p%25w@127.0.0.1:${port}`;
      const server = await startSecateur(['pruner', '--store', 'redis'], {
        env: { SECATEUR_REDIS_URL: url, ...env },
      });
      onTestFinished(() => server.stop());
      return server;
    };
    const trusting = await start({ NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') });
    await expect
      .poll(async () => (await call(trusting.url, undefined)).pruned)
      .toMatchObject({ warnings: [] });
    const wary = await start({});
    expect((await call(wary.url, undefined)).pruned).toMatchObject({ warnings: ['recovery_unavailable'] });
    expect(wary.said() + trusting.said()).not.toContain('p%');
  });
});
