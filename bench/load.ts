/**
 * Our three servers under 1, 32 and 256 clients that ask again as soon as they are answered, texts of mixed sizes:
 * throughput, latencies, what was refused, memory, and how long a health check takes meanwhile.
 *
 *   npm run bench:load [-- SECONDS [CLIENTS,… [SERVER,…]]]        10 seconds per step by default
 */
import { load, percentile } from './load/clients.ts';
import { startServers } from './load/servers.ts';

const seconds = Number(process.argv[2] ?? 10);
const levels = (process.argv[3] ?? '1,32,256').split(',').map(Number);
const wanted = (process.argv[4] ?? 'pruner,focus,gateway').split(',');

const { servers, close } = await startServers();
try {
  console.log(
    '| server | clients | calls/s | p50 ms | p99 | p99.9 | refused | fell back | failed | peak MiB | health p99 ms |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (const server of servers.filter(({ name }) => wanted.includes(name))) {
    await load(server, { clients: 4, seconds: Math.min(2, seconds) });
    for (const clients of levels) {
      const figures = await load(server, { clients, seconds });
      const at = (share: number) => percentile(figures.latencies, share).toFixed(1);
      const cells = [
        ...[
          server.name,
          clients,
          (figures.latencies.length / seconds).toFixed(0),
          at(0.5),
          at(0.99),
          at(0.999),
        ],
        ...[figures.shed, figures.fellBack, figures.failed, (figures.peakBytes / 2 ** 20).toFixed(0)],
        percentile(figures.healthLatencies, 0.99).toFixed(1),
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
} finally {
  await close();
}
