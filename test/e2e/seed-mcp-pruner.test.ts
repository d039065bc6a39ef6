import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Answering, json, startRerankStandIn } from '../support/rerank-stand-in.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';
import { seedBlocks } from '../support/seed-blocks.ts';
import { describeWith } from '../support/system-parts.ts';

const printed = seedBlocks('mcp-pruner');
const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/**
 * Runs a command of the specification byte for byte; its output as JSON values. Tests run beside each other, so the
 * server has a free port: curl's own settings file leads the printed address there.
 */
async function shell(command: string, { url }: SecateurProcess): Promise<Record<string, unknown>[]> {
  const home = temporaryFolder();
  writeFileSync(join(home, '.curlrc'), `connect-to = "::127.0.0.1:${new URL(url).port}"\n`);
  const env = { PATH: process.env.PATH, HOME: home };
  const { stdout } = await run('bash', ['-o', 'pipefail', '-c', command], { env });
  return stdout
    .trim()
    .split(/\n(?=\{)/)
    .map((value) => JSON.parse(value));
}

/** The variables that a block of `export` lines sets. */
async function exported(block: string): Promise<Record<string, string>> {
  const { stdout } = await run('bash', ['-c', `${block}\nenv -0`], { env: { PATH: process.env.PATH } });
  const all = stdout.split('\0').filter((line) => /^(KIMI|DEEPINFRA)_/.test(line));
  return Object.fromEntries(
    all.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

describeWith(['curl', 'jq'], '[P2] commands of the pruner specification', () => {
  let server: SecateurProcess;
  beforeAll(async () => {
    server = await startSecateur(['pruner']);
  });
  afterAll(() => server.stop());

  it('§10.1 tools/list returns the tools and the input schema printed in §4.0', async () => {
    const [answer] = await shell(printed('10.1 tools/list'), server);
    expect(answer).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [{ name: 'prune_text' }, { name: 'recover_text' }, { name: 'health' }] },
    });
    expect(JSON.stringify(answer)).toContain('"timeout_ms":{"type":"integer","minimum":1}');
  });

  it('§10.2 and §10.3 recover_text returns the four lines for the id that prune_text returned', async () => {
    const [pruned] = await shell(printed('10.2 prune_text'), server);
    expect(pruned).toMatchObject({ stats: { original_lines: 4, used_fallback: false }, warnings: [] });
    const recover = printed('10.3 recover_text').replace('prn_...', String(pruned?.prune_id));
    const [recovered] = await shell(recover, server);
    expect(recovered).toEqual({
      raw_text: '1│ L1\n2│ L2\n3│ L3\n4│ L4',
      metadata: {
        prune_id: pruned?.prune_id,
        ranges: [{ start_line: 1, end_line: 4 }],
        line_numbering: 'original',
      },
    });
  });

  it('[P46] §13 and §14 GET /health and initialize without capabilities return results', async () => {
    const [health] = await shell(printed('13 health'), server);
    expect(health).toMatchObject({ status: 'healthy', server: 'mcp-pruner', version });
    const [again, initialized] = await shell(printed('14 diagnosis'), server);
    expect(again).toMatchObject({ status: 'healthy' });
    expect(initialized).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'mcp-pruner' } },
    });
  });
});

describeWith(['curl', 'jq'], 'DeepInfra commands of the pruner specification (§13, §15)', () => {
  /** The pruner with the variables as printed, before a reranker of our own. */
  async function startRemote({
    answer,
    env = {},
  }: {
    answer?: Answering;
    env?: Record<string, string>;
  } = {}) {
    const service = await startRerankStandIn();
    onTestFinished(() => service.close());
    if (answer !== undefined) service.answer(answer);
    const activation = await exported(printed('13 activation'));
    const server = await startSecateur(['pruner'], {
      env: { ...activation, DEEPINFRA_ENDPOINT_URL: service.url, ...env },
    });
    onTestFinished(() => server.stop());
    const prune = async (command = printed('13 prune_text with DeepInfra')) => {
      const [answer] = await shell(command, server);
      return answer as { stats: Record<string, unknown>; warnings: string[]; prune_id: string };
    };
    return { service, server, prune };
  }

  it('[P41] [P43] §13 DeepInfra scores four lines once; a request with other options but the same text and goal causes no second call', async () => {
    const { service, server, prune } = await startRemote();
    const first = await prune();
    expect(first.stats).toMatchObject({
      backend: 'deepinfra',
      deepinfra_http_status: 200,
      deepinfra_docs_scored: 4,
      deepinfra_docs_total: 4,
      deepinfra_cached: false,
    });
    const others = printed('13 prune_text with DeepInfra')
      .replace('"annotate_lines":true', '"annotate_lines":false')
      .replace('"max_prune_ratio":0.75', '"max_prune_ratio":0.5');
    for (const command of [undefined, others]) {
      const hit = await prune(command);
      expect(hit.warnings).toEqual(['cache_hit']);
      expect(hit.stats).toMatchObject({
        backend: 'deepinfra',
        deepinfra_cached: true,
        deepinfra_latency_ms: 0,
      });
      const recover = printed('10.3 recover_text').replace('prn_...', hit.prune_id);
      expect(await shell(recover, server)).toMatchObject([
        { raw_text: '1│ L1 keep\n2│ L2 prune\n3│ L3 prune\n4│ L4 keep' },
      ]);
    }
    expect(service.calls).toHaveLength(1);
    expect(service.calls[0]?.authorization).toBe('Bearer sk_deepinfra_...');
  });

  it.each<[string, { answer: Answering; status?: number; warning: string }]>([
    ['§15.2 status 401', { answer: json(() => ({}), 401), status: 401, warning: 'deepinfra_http_error' }],
    ['§15.3 status 429', { answer: json(() => ({}), 429), status: 429, warning: 'deepinfra_http_error' }],
    ['§15.4 no answer in time', { answer: () => {}, warning: 'deepinfra_http_error' }],
    [
      '§15.5 an answer that is not JSON',
      { answer: (_, response) => response.end('<html>'), status: 200, warning: 'deepinfra_parse_error' },
    ],
  ])('[P42] prune_text returns the local result after %s', async (_what, { answer, status, warning }) => {
    const { prune } = await startRemote({ answer });
    const { stats, warnings } = await prune();
    expect(warnings).toEqual(['deepinfra_error', warning]);
    expect(stats).toMatchObject({ used_fallback: true, backend: 'heuristic' });
    expect(stats.deepinfra_http_status).toBe(status);
  });

  it('[P42] §13 prune_text without DEEPINFRA_API_KEY returns the local result with the warning deepinfra_config_error', async () => {
    const { service, prune } = await startRemote({ env: { DEEPINFRA_API_KEY: '' } });
    expect((await prune()).warnings).toEqual(['deepinfra_error', 'deepinfra_config_error']);
    expect(service.calls).toEqual([]);
  });

  it('[P45] §15.6 after the rollback to the local backend, prune_text calls no service', async () => {
    const { service, prune } = await startRemote({ env: await exported(printed('15.6 rollback')) });
    expect(await prune()).toMatchObject({
      stats: { backend: 'heuristic', used_fallback: false },
      warnings: [],
    });
    expect(service.calls).toEqual([]);
  });
});

describeWith(['curl'], 'the cost estimate of §13', () => {
  it.each([
    [{ SECATEUR_PRICE_INPUT: '12.5' }, 12.5],
    [{ SECATEUR_PRICE_INPUT: '12.5', SECATEUR_PRICE_CURRENCY: 'EUR' }, 3],
  ])('[P26] §13 with %j cost_estimated_usd uses %d US dollars per million tokens', async (env, price) => {
    const server = await startSecateur(['pruner'], { env });
    onTestFinished(() => server.stop());
    const text = Array.from({ length: 200 }, (_, at) => `line ${at} of the manual says nothing new`).join(
      '\n',
    );
    const { answer } = await post(server, JSON.stringify(request(text)));
    const { stats } = JSON.parse(answer.result.content[0].text);
    expect(stats.tokens_saved_est).toBeGreaterThan(0);
    expect(stats.cost_estimated_usd).toBe(Math.round(stats.tokens_saved_est * price) / 1_000_000);
  });
});

describeWith(['curl'], '[P22] §9 prune_text above MCP_PRUNER_MAX_INPUT_CHARS', () => {
  /** Status, answer and text of a `prune_text` request of exactly `bytes` bytes. */
  async function prune(server: SecateurProcess, bytes: number) {
    const text = 'x'.repeat(bytes - JSON.stringify(request('')).length);
    return { ...(await post(server, JSON.stringify(request(text)))), text };
  }

  it('prune_text returns too long texts unchanged in bodies of up to 32 MiB, and refuses larger bodies with 413', async () => {
    const server = await startSecateur(['pruner']);
    onTestFinished(() => server.stop());
    const { status, answer, text } = await prune(server, 32 << 20);
    expect(status).toBe(200);
    const outcome = JSON.parse(answer.result.content[0].text);
    expect(outcome.pruned_text === text).toBe(true);
    expect(outcome).toMatchObject({
      annotations: [],
      stats: { used_fallback: true },
      warnings: ['input_too_large'],
      prune_id: expect.stringMatching(/^prn_/),
    });
    const refused = await prune(server, (32 << 20) + 1);
    expect(refused).toMatchObject({ status: 413, answer: { error: { data: { code: 'input_too_large' } } } });
  });

  it('the server accepts larger bodies if MCP_PRUNER_MAX_INPUT_CHARS is raised, up to its limit of held bytes', async () => {
    const start = async (env: Record<string, string>) => {
      const server = await startSecateur(['pruner'], { env });
      onTestFinished(() => server.stop());
      return server;
    };
    const large = await start({ MCP_PRUNER_MAX_INPUT_CHARS: String(9 << 20) });
    expect((await prune(large, 36 << 20)).status).toBe(200);
    expect((await prune(large, (36 << 20) + 1)).status).toBe(413);
    const small = await start({ SECATEUR_MAX_HELD_BYTES: String(2 << 20) });
    expect((await prune(small, 2 << 20)).status).toBe(200);
    expect((await prune(small, (2 << 20) + 1)).status).toBe(413);
  });
});

function request(text: string) {
  const options = {
    max_prune_ratio: 0.75,
    min_keep_lines: 1,
    timeout_ms: 30_000,
    annotate_lines: false,
    include_markers: true,
  };
  const args = { text, goal_hint: 'x', source_type: 'logs', options };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'prune_text', arguments: args } };
}

/** Posts with curl, which waits for permission before it sends a large body. */
async function post({ url }: SecateurProcess, body: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'request.json'), body);
  const type = 'Content-Type: application/json';
  const sent = ['-sS', '-H', type, '--data-binary', '@request.json'];
  const kept = ['-o', 'answer.json', '-w', '%{http_code}'];
  const { stdout } = await run('curl', [...sent, ...kept, `${url}/rpc`], { cwd: folder });
  const answer = JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8'));
  return { status: Number(stdout), answer };
}
