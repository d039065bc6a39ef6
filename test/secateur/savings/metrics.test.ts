import { expect, it } from 'vitest';
import { Histogram, Metric, Metrics } from '../../../packages/secateur/src/savings/metrics.ts';

it('[AU13] each bucket of a histogram counts all smaller values, and the last bucket counts all values', () => {
  const seconds = new Histogram('s', 'Time', [0.1, 1]);
  for (const value of [0.1, 0.5, 7]) seconds.observe({ server: 'a' }, value);
  expect(seconds.text()).toBe(
    [
      '# HELP s Time',
      '# TYPE s histogram',
      's_bucket{le="0.1",server="a"} 1',
      's_bucket{le="1",server="a"} 2',
      's_bucket{le="+Inf",server="a"} 3',
      's_sum{server="a"} 7.6',
      's_count{server="a"} 3',
    ].join('\n'),
  );
});

it('[AU13] label values of metrics are escaped, so that a quote cannot end a label early', () => {
  const metric = new Metric('counter', 'c', 'Count');
  metric.add({ user: 'a"b\\c\nd' });
  metric.add({ user: 'a"b\\c\nd' }, 2);
  expect(metric.text().split('\n')[2]).toBe('c{user="a\\"b\\\\c\\nd"} 3');
});

it('[AU13] metrics for a named token contain the totals and the figures of its user, but no figures of other users', async () => {
  const metrics = new Metrics(async () => ({ storeBytes: 5, waitingCuts: 0 }));
  metrics.serve();
  for (const user of ['ann', 'bob', undefined])
    metrics.answered('pruner', { status: 200, seconds: 0.2, user });
  const { body } = await metrics.text('ann');
  expect(body).toContain('secateur_user_calls_total{user="ann",status="2xx"} 1\n');
  expect(body).not.toContain('bob');
  expect(body).toContain('secateur_calls_total{server="pruner",status="2xx"} 3\n');
  expect(body).toContain('secateur_store_bytes 5\n');
});
