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
const GROWTH = 1.5;
const ALLOWANCE_BYTES = 64 * 2 ** 20;
const READINGS = 5;
/** Descriptors of deleted files that the last calls of four clients hold for a while: 28 were counted. */
const HELD_BY_CALLS = 32;
/** Short runs have at least four rounds, so that each half has several samples. */
const ROUND_SECONDS = Math.min(5, Math.max(0.4, minutes * 6));

interface Sample {
  readonly bytes: number;
  readonly descriptors: number;
}

const { servers, close } = await startServers({
  MCP_PRUNER_PRUNE_ID_TTL_S: '2',
  SECATEUR_STORE_MAX_BYTES: '8388608',
});
// The time counts from here: a slow start must not leave too few rounds.
const endsAt = performance.now() + minutes * 60_000;
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
    const { latencies, shed, failed } = await load(server, { clients: 4, seconds: ROUND_SECONDS });
    sum.calls += latencies.length;
    sum.shed += shed;
    sum.failed += failed;
    const readings: number[] = [];
    for (let reading = 0; reading < READINGS; reading += 1) {
      await pause(50);
      readings.push(descriptorsOf(server.pid));
    }
    samples.push({ bytes: residentBytes(server.pid), descriptors: Math.min(...readings) });
  }
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const first = largest(samples.slice(0, tenth));
  const last = largest(samples.slice(-tenth));
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const cells = [server.name, sum.calls, sum.shed, sum.failed, mib(first.bytes), mib(last.bytes)];
  // A leak of one descriptor per call exceeds this even in three seconds: the servers answer 60 calls and more.
  const half = Math.floor(samples.length / 2);
  const isLeaking =
    fewestIn(samples.slice(half)) > fewestIn(samples.slice(0, Math.max(1, half))) + HELD_BY_CALLS;
  const isGrown = last.bytes > first.bytes * GROWTH + ALLOWANCE_BYTES || isLeaking;
  return { row: `| ${[...cells, first.descriptors, last.descriptors].join(' | ')} |`, isGrown };
}

function fewestIn(samples: readonly Sample[]): number {
  return Math.min(...samples.map(({ descriptors }) => descriptors));
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
