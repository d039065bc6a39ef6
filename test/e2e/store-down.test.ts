import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { freePort, startRedis } from '../support/redis.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

describeWith(['redis-server'], 'a Redis that is down for some time', () => {
  it('[T20] GET /ready stays 200 and says if the store is down, secateur_store_up changes, and each change is logged once', async () => {
    const port = await freePort();
    const env = { SECATEUR_DATA_DIR: temporaryFolder(), SECATEUR_REDIS_URL: `redis://127.0.0.1:${port}` };
    const pruner = await startSecateur(['pruner', '--store', 'redis'], { env });
    onTestFinished(() => pruner.stop());
    const ready = async () => {
      const response = await fetch(`${pruner.url}/ready`);
      const { ready: isReady, store } = (await response.json()) as { ready: boolean; store: string };
      return [response.status, isReady, store];
    };
    const gauge = async () =>
      /^secateur_store_up (\d)$/m.exec(await (await fetch(`${pruner.url}/metrics`)).text())?.[1];
    const logged = (event: string) => pruner.said().split(event).length - 1;
    const patiently = { timeout: 15_000 };

    await expect.poll(ready, patiently).toEqual([200, true, 'down']);
    expect(await gauge()).toBe('0');
    const redis = await startRedis(port);
    await expect.poll(ready, patiently).toEqual([200, true, 'up']);
    expect([await gauge(), logged('store.down'), logged('store.up')]).toEqual(['1', 1, 1]);
    await redis.stop();
    await expect.poll(ready, patiently).toEqual([200, true, 'down']);
    await expect.poll(() => [logged('store.down'), logged('store.up')]).toEqual([2, 1]);
  }, 60_000);
});

const RULE_TEST = `
rule_files: [RULES]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - { series: 'secateur_store_up{instance="one"}', values: '1 1 0 0 0 1 1' }
      - { series: 'secateur_store_up{instance="two"}', values: '1 1 1 1 1 1 1' }
    alert_rule_test:
      - { eval_time: 1m, alertname: SecateurStoreDown, exp_alerts: [] }
      - eval_time: 4m
        alertname: SecateurStoreDown
        exp_alerts:
          - exp_labels: { severity: critical }
            exp_annotations:
              summary: A process of Sécateur cannot reach its Redis
              description: Texts are returned unchanged and nothing can be recovered until the Redis answers again.
      - { eval_time: 6m, alertname: SecateurStoreDown, exp_alerts: [] }
`;

describeWith(['promtool'], 'the alert SecateurStoreDown', ({ promtool }) => {
  it('[T20] the alert SecateurStoreDown fires while one process cannot reach its Redis, and resolves afterwards', () => {
    const rules = fileURLToPath(new URL('../../examples/grafana/alerts.yml', import.meta.url));
    const file = join(temporaryFolder(), 'store-down.test.yml');
    writeFileSync(file, RULE_TEST.replace('RULES', JSON.stringify(rules)));
    const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toContain('SUCCESS');
    expect(status).toBe(0);
  });
});
