import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RerankStandIn, startRerankStandIn } from '../support/rerank-stand-in.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

/** The shell commands of the specification, to the letter; only the port is ours. */
const LIST_TOOLS = `curl -sS \\
  -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}' \\
  http://127.0.0.1:8006/rpc | jq`;

const pruneCurl = (text: string, goal: string) => `curl -sS \\
  -H 'Content-Type: application/json' \\
  -d '{
    "jsonrpc":"2.0",
    "id":2,
    "method":"tools/call",
    "params":{
      "name":"prune_text",
      "arguments":{
        "text":"${text}",
        "goal_hint":"${goal}",
        "source_type":"docs",
        "options":{
          "max_prune_ratio":0.75,
          "min_keep_lines":1,
          "timeout_ms":1500,
          "annotate_lines":true,
          "include_markers":true
        }
      }
    }
  }' \\
  http://127.0.0.1:8006/rpc | jq -r '.result.content[0].text' | jq`;

const PRUNE = pruneCurl('L1\\nL2\\nL3\\nL4', 'garder L1');

const RECOVER = `curl -sS \\
  -H 'Content-Type: application/json' \\
  -d '{
    "jsonrpc":"2.0",
    "id":3,
    "method":"tools/call",
    "params":{
      "name":"recover_text",
      "arguments":{
        "prune_id":"prn_...",
        "ranges":[{"start_line":1,"end_line":50}],
        "include_line_numbers":true
      }
    }
  }' \\
  http://127.0.0.1:8006/rpc | jq -r '.result.content[0].text' | jq`;

const HEALTH = 'curl -sS http://127.0.0.1:8006/health | jq';

const PRUNE_WITH_DEEPINFRA = `export KIMI_PRUNING_BACKEND=deepinfra
export DEEPINFRA_API_KEY="sk_deepinfra_..."

${pruneCurl('L1 keep\\nL2 prune\\nL3 prune\\nL4 keep', 'keep')}`;

const DIAGNOSE = `curl -sS http://localhost:8006/health | jq
curl -sS -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"diag","version":"1.0.0"}}}' \\
  http://localhost:8006/rpc | jq`;

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

describeWith(['curl', 'jq'], '[P2] the curl examples of the specification', () => {
  let server: SecateurProcess;
  beforeAll(async () => {
    server = await startSecateur(['pruner']);
  });
  afterAll(() => server.stop());

  /** Runs a command of the specification; its output as JSON values. */
  async function shell(command: string, at = server): Promise<Record<string, unknown>[]> {
    const port = new URL(at.url).port;
    const { stdout } = await run('bash', [
      '-c',
      `set -o pipefail\n${command.replaceAll(':8006/', `:${port}/`)}`,
    ]);
    return stdout
      .trim()
      .split(/\n(?=\{)/)
      .map((value) => JSON.parse(value));
  }

  it('§10.1 lists the tools', async () => {
    const [answer] = await shell(LIST_TOOLS);
    expect(answer).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [{ name: 'prune_text' }, { name: 'recover_text' }, { name: 'health' }] },
    });
  });

  it('§10.2 and §10.3 prune and recover', async () => {
    const [pruned] = await shell(PRUNE);
    expect(pruned).toMatchObject({ stats: { original_lines: 4, used_fallback: false }, warnings: [] });
    const [recovered] = await shell(RECOVER.replace('prn_...', String(pruned?.prune_id)));
    expect(recovered).toEqual({
      raw_text: '1│ L1\n2│ L2\n3│ L3\n4│ L4',
      metadata: {
        prune_id: pruned?.prune_id,
        ranges: [{ start_line: 1, end_line: 4 }],
        line_numbering: 'original',
      },
    });
  });

  it('[P46] §13 and §14 ask for health and initialize without capabilities', async () => {
    const [health] = await shell(HEALTH);
    expect(health).toMatchObject({ status: 'healthy', server: 'mcp-pruner', version });
    const [again, initialized] = await shell(DIAGNOSE);
    expect(again).toMatchObject({ status: 'healthy' });
    expect(initialized).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'mcp-pruner' } },
    });
  });

  it('§13 prunes with the DeepInfra backend', async () => {
    const service: RerankStandIn = await startRerankStandIn();
    const env = {
      KIMI_PRUNING_BACKEND: 'deepinfra',
      DEEPINFRA_API_KEY: 'sk_deepinfra_...',
      DEEPINFRA_ENDPOINT_URL: service.url,
    };
    const remote = await startSecateur(['pruner'], { env });
    const [answer] = await shell(PRUNE_WITH_DEEPINFRA, remote);
    expect(answer).toMatchObject({
      stats: {
        backend: 'deepinfra',
        deepinfra_http_status: 200,
        deepinfra_docs_scored: 4,
        deepinfra_cached: false,
      },
    });
    const [cached] = await shell(PRUNE_WITH_DEEPINFRA, remote);
    expect(cached).toMatchObject({
      stats: { deepinfra_cached: true, deepinfra_latency_ms: 0 },
      warnings: ['cache_hit'],
    });
    await remote.stop();
    await service.close();
  });
});
