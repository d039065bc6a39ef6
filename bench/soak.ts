/**
 * The three servers under a steady load with a short time to live, so that every text that is stored also expires. Says
 * how memory, descriptors and children of each changed from the first tenth to the last, and fails when they grew.
 *
 *   npm run soak [-- MINUTES]        20 minutes by default; CI runs a tenth of a minute
 */
import { readdirSync } from 'node:fs';
import { load, pause } from './load/clients.ts';
import { type LoadedServer, residentBytes, startServers } from './load/servers.ts';

const minutes = Number(process.argv[2] ?? 20);
const endsAt = performance.now() + minutes * 60_000;
const GROWTH = 1.5;
const ALLOWANCE_BYTES = 64 * 2 ** 20;

interface Sample {
  readonly bytes: number;
  readonly descriptors: number;
}

const { servers, close } = await startServers({
  MCP_PRUNER_PRUNE_ID_TTL_S: '2',
  SECATEUR_STORE_MAX_BYTES: '8388608',
});
try {
  const results = await Promise.all(servers.map(soak));
  console.log('| server | calls | refused | failed | MiB first | MiB last | descriptors first | last |');
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|');
  for (const { row } of results) console.log(row);
  const grown = results.filter(({ isGrown }) => isGrown);
  if (grown.length > 0) process.exitCode = 1;
} finally {
  await close();
}

async function soak(server: LoadedServer): Promise<{ row: string; isGrown: boolean }> {
  const samples: Sample[] = [];
  const sum = { calls: 0, shed: 0, failed: 0 };
  while (performance.now() < endsAt) {
    const seconds = Math.min(5, Math.max(0.5, (endsAt - performance.now()) / 2000));
    const { latencies, shed, failed } = await load(server, { clients: 4, seconds });
    sum.calls += latencies.length;
    sum.shed += shed;
    sum.failed += failed;
    await pause(200);
    samples.push({ bytes: residentBytes(server.pid), descriptors: descriptorsOf(server.pid) });
  }
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const first = largest(samples.slice(0, tenth));
  const last = largest(samples.slice(-tenth));
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const cells = [server.name, sum.calls, sum.shed, sum.failed, mib(first.bytes), mib(last.bytes)];
  const isGrown =
    last.bytes > first.bytes * GROWTH + ALLOWANCE_BYTES || last.descriptors > first.descriptors + 8;
  return { row: `| ${[...cells, first.descriptors, last.descriptors].join(' | ')} |`, isGrown };
}

function largest(samples: readonly Sample[]): Sample {
  return {
    bytes: Math.max(...samples.map(({ bytes }) => bytes)),
    descriptors: Math.max(...samples.map(({ descriptors }) => descriptors)),
  };
}

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
