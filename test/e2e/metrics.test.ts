import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { cutLog, LOG } from '../support/page.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { describeWith } from '../support/system-parts.ts';
import { freePort } from '../support/taken-port.ts';
import { startUp } from '../support/up.ts';

describeWith(['prometheus', 'promtool'], 'GET /metrics', ({ prometheus, promtool }) => {
  it('[AU13] GET /metrics of every server is accepted by Prometheus and by promtool without a warning', async () => {
    const up = await startUp();
    onTestFinished(() => up.stop());
    const id = await cutLog(up, LOG, 'why was the payment refused?');
    const ranges = [{ start_line: 1, end_line: 3 }];
    await up.call('recover_text', { prune_id: id, ranges, include_line_numbers: false });
    const text = await (await fetch(`${up.pruner}/metrics`)).text();
    const checked = spawnSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect(checked).toMatchObject({ status: 0, stderr: '' });
    const servers = [up.pruner, up.focus, up.gateway].map((url) => new URL(url).host);
    const query = await startPrometheus(prometheus, servers);
    const scraped = await eventually(async () => {
      const found = await query('up{job="secateur"} == 1');
      return found.length === 3 ? found : undefined;
    }, 'three targets that are up');
    expect(scraped.map(({ metric }) => metric.instance).sort()).toEqual([...servers].sort());
    const value = async (expression: string) => Number((await query(expression))[0]?.value[1]);
    expect(await value('max(secateur_cuts_total{system="pruner",kind="cut"})')).toBe(1);
    expect(await value('max(secateur_recoveries_total)')).toBe(1);
    // The compressed text and the record of its cut use one disk block each.
    expect(await value('max(secateur_store_bytes)')).toBe(2 * 4096);
    expect(await value('max(secateur_calls_total{server="pruner",status="2xx"})')).toBe(2);
    expect(await value('max(secateur_worker_queue)')).toBe(0);
    expect(await value('min(secateur_upstream_up)')).toBe(1);
    const before = 'max(secateur_tokens_total{stage="before"})';
    const after = 'max(secateur_tokens_total{stage="after"})';
    const stats = JSON.parse(await up.run('stats', '--json'));
    expect(await value(`${before} - ${after}`)).toBe(stats.total.tokensBefore - stats.total.tokensAfter);
  });
});

it('[AU13] [AU15] [A17] GET /metrics requires the token if the server has one, and /health and status return a fixed list of fields', async () => {
  const up = await startUp({ SECATEUR_BEARER_TOKEN: 'secret' });
  onTestFinished(() => up.stop());
  const headers = { authorization: 'Bearer secret' };
  for (const url of [up.pruner, up.focus, up.gateway]) {
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(200);
  }
  const health = await (await fetch(`${up.pruner}/health`, { headers })).json();
  expect(Object.keys(health as object)).toEqual(['status', 'server', 'version', 'capabilities', 'timestamp']);
  const status = JSON.parse(await up.run('status', '--json'));
  expect(Object.keys(status)).toEqual([
    'running',
    'pid',
    'startedAt',
    'version',
    'servers',
    'cuts',
    'settings',
    'stored',
  ]);
});

it('[AU16] with SECATEUR_AUDIT=off the servers write, keep and serve no audit data', async () => {
  const up = await startUp({ SECATEUR_AUDIT: 'off' });
  onTestFinished(() => up.stop());
  const id = await cutLog(up, LOG, 'why was the payment refused?');
  for (const path of ['/', '/metrics', '/api/overview', `/api/cuts/${id}`, '/assets/main.js'])
    expect((await fetch(`${up.pruner}${path}`)).status, path).toBe(404);
  expect(existsSync(join(up.dataDir, 'savings'))).toBe(false);
  const { text } = JSON.parse(await up.run('explain', id, '--json'));
  expect(text).toMatchObject({ focus: null, blocks: [] });
});

describeWith(['promtool'], 'alerts and dashboard in examples/', ({ promtool }) => {
  it('[AU13] alerts and dashboard in examples/ are valid, and use only metrics that exist', async () => {
    const rules = fileURLToPath(new URL('../../examples/grafana/alerts.yml', import.meta.url));
    expect(spawnSync(promtool, ['check', 'rules', rules]).status).toBe(0);
    const up = await startUp();
    onTestFinished(() => up.stop());
    const offered = await (await fetch(`${up.pruner}/metrics`)).text();
    const dashboard = fileURLToPath(new URL('../../examples/grafana/secateur.json', import.meta.url));
    const texts = [rules, dashboard].map((path) => readFileSync(path, 'utf8'));
    const asked = new Set(texts.flatMap((text) => text.match(/secateur_[a-z_]+/g) ?? []));
    for (const name of asked) expect(offered).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `);
    expect(() => JSON.parse(texts[1] ?? '')).not.toThrow();
  });
});

type Sample = { metric: Record<string, string>; value: [number, string] };

/** Starts a Prometheus that scrapes these hosts every second. Returns a function that sends a query. */
async function startPrometheus(
  program: string,
  targets: readonly string[],
): Promise<(query: string) => Promise<Sample[]>> {
  const folder = temporaryFolder();
  const port = await freePort();
  const scrape = { job_name: 'secateur', scrape_interval: '1s', static_configs: [{ targets }] };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify({ scrape_configs: [scrape] }));
  const flags = {
    'config.file': join(folder, 'prometheus.yml'),
    'storage.tsdb.path': join(folder, 'data'),
    'web.listen-address': `127.0.0.1:${port}`,
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(program, args, { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return async (query) => {
    const url = `http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query })}`;
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok !== true) return [];
    const { data } = (await answer.json()) as { data: { result: Sample[] } };
    return data.result;
  };
}
