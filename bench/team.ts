import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone, type Deployment, team } from './team/machines.ts';
import { redisTime } from './team/redis-time.ts';
import { type CutCost, HABITS, needsOf } from './team/sizing.ts';

/**
 * Measures calls per second of several processes behind one address, and what a cut costs each part of it:
 * `npm run bench -- team`. Needs redis-server and haproxy. CPU time can be compared between
 * machines; calls per second depend on the number of cores.
 */
const ROUNDS = Number(process.argv[2] ?? 6);
const ROUND_SECONDS = 5;
/** Until the workers of every process have seen enough text to be fast. */
const WARM_UP_SECONDS = 15;
const CLIENTS = 12;
/** Number of cuts per request for removed lines. */
const CUTS_A_RECOVERY = 4;
const TEXT_CHARS = 20_000;

const source = sourceText();
let calls = 0;
const rows = [newRow('1 process, memory store, no HAProxy', await alone())];
for (const processes of [1, 2, 3])
  rows.push(newRow(`${processes} behind HAProxy, Redis`, await team(processes)));
for (const { deployment } of rows) await run(deployment, { clients: CLIENTS, seconds: WARM_UP_SECONDS });
// Rounds alternate, so that a busy moment of the machine hits all alike.
for (let round = 0; round < ROUNDS; round += 1) for (const row of rows) await addRound(row);
printThroughput();
printNeeds(costOf(rows[1]));
process.exit(0);

interface Row {
  readonly name: string;
  readonly deployment: Deployment;
  readonly latencies: number[];
  readonly redisWaits: number[];
  readonly sums: Record<keyof CutCost | 'redisClientCpuMs', number>;
  cuts: number;
}

function newRow(name: string, deployment: Deployment): Row {
  const sums = {
    ...{ processCpuMs: 0, redisCpuMs: 0, haproxyCpuMs: 0, redisClientCpuMs: 0 },
    ...{ redisBytes: 0, redisNetBytes: 0, clientNetBytes: 0 },
  };
  return { name, deployment, latencies: [], redisWaits: [], sums, cuts: 0 };
}

async function addRound(row: Row): Promise<void> {
  const { deployment, sums } = row;
  const one = await run(deployment, { clients: 1, seconds: ROUND_SECONDS / 5 });
  row.latencies.push(...one.latencies);
  const [cpuBefore, redisBefore] = [deployment.cpuMs(), await deployment.redis()];
  const many = await run(deployment, { clients: CLIENTS, seconds: ROUND_SECONDS });
  const [cpuAfter, redisAfter] = [deployment.cpuMs(), await deployment.redis()];
  row.cuts += many.cuts;
  sums.processCpuMs += cpuAfter.processes - cpuBefore.processes;
  sums.redisCpuMs += cpuAfter.redis - cpuBefore.redis;
  sums.haproxyCpuMs += cpuAfter.haproxy - cpuBefore.haproxy;
  sums.redisBytes += redisAfter.bytesACut * many.cuts;
  sums.redisNetBytes += redisAfter.netBytes - redisBefore.netBytes;
  sums.clientNetBytes += many.bytes;
  if (deployment.redisUrl === undefined) return;
  const redis = await redisTime(deployment.redisUrl, textOf);
  row.redisWaits.push(redis.medianMs);
  sums.redisClientCpuMs += redis.cpuMs * many.cuts;
}

type Cost = CutCost & { readonly redisClientCpuMs: number };

function costOf(row: Row | undefined): Cost | undefined {
  if (row === undefined) return undefined;
  const perCut = Object.entries(row.sums).map(([name, sum]) => [name, sum / row.cuts]);
  return Object.fromEntries(perCut) as unknown as Cost;
}

interface Load {
  cuts: number;
  bytes: number;
  readonly latencies: number[];
}

async function run(
  { url }: Deployment,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Load> {
  const load: Load = { cuts: 0, bytes: 0, latencies: [] };
  const endsAt = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < endsAt) await useOnce(url, load);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return load;
}

/** Prunes a new text and now and then recovers lines of it. */
async function useOnce(url: string, load: Load): Promise<void> {
  calls += 1;
  const startedAt = performance.now();
  const { prune_id } = (await callTool(url, load, {
    name: 'prune_text',
    text: textOf(calls),
    goal_hint: 'where is a store that fails told to the caller?',
    source_type: 'code',
    options: {
      ...{ max_prune_ratio: 0.7, min_keep_lines: 1, timeout_ms: 20_000 },
      ...{ annotate_lines: false, include_markers: true },
    },
  })) as { prune_id: string };
  load.latencies.push(performance.now() - startedAt);
  load.cuts += 1;
  if (calls % CUTS_A_RECOVERY !== 0) return;
  const ranges = [{ start_line: 1, end_line: 20 }];
  await callTool(url, load, { name: 'recover_text', prune_id, ranges, include_line_numbers: true });
}

type ToolCall = { readonly name: string } & Readonly<Record<string, unknown>>;

async function callTool(url: string, load: Load, { name, ...args }: ToolCall): Promise<unknown> {
  const params = { name, arguments: args };
  const body = JSON.stringify({ jsonrpc: '2.0', id: calls, method: 'tools/call', params });
  const headers = { 'content-type': 'application/json' };
  const post = async () => (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text();
  // A connection that was idle may be closed in the moment it is used again.
  const answer = await post().catch(post);
  load.bytes += Buffer.byteLength(body) + Buffer.byteLength(answer);
  const { result } = JSON.parse(answer) as { result?: { content: { text: string }[] } };
  if (result === undefined) throw new Error(`${name}: ${answer.slice(0, 300)}`);
  return JSON.parse(result.content[0]?.text ?? '{}');
}

/** A window of our own source, moved on with every call. */
function textOf(call: number): string {
  const at = (call * 7919) % (source.length - TEXT_CHARS);
  return `// call ${call}\n${source.slice(at, at + TEXT_CHARS)}`;
}

function sourceText(): string {
  const folder = fileURLToPath(new URL('../packages/secateur/src/', import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

function printThroughput(): void {
  const heads = [
    '',
    'cuts/s',
    'one client, median',
    'of it for Redis',
    'CPU a cut: processes',
    'of it for Redis',
  ];
  console.log(`| ${[...heads, 'Redis itself', 'HAProxy', 'share of Redis in all CPU'].join(' | ')} |`);
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (const row of rows) {
    const cost = costOf(row);
    if (cost === undefined) continue;
    const all = cost.processCpuMs + cost.redisCpuMs + cost.haproxyCpuMs;
    const median = middle(row.latencies);
    const waited = middle(row.redisWaits);
    const ofRedis = [
      ms(cost.redisClientCpuMs),
      ms(cost.redisCpuMs),
      ms(cost.haproxyCpuMs),
      percent((cost.redisClientCpuMs + cost.redisCpuMs) / all),
    ];
    const cells = [
      ...[row.name, (row.cuts / ROUNDS / ROUND_SECONDS).toFixed(1), ms(median)],
      waited === 0 ? '–' : `${ms(waited)} (${percent(waited / median)})`,
      ms(cost.processCpuMs),
      ...(waited === 0 ? ['–', '–', '–', '–'] : ofRedis),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const cost = costOf(rows[1]);
  console.log(
    `\nA cut of ${TEXT_CHARS} characters: ${kB(cost?.redisBytes)} of Redis memory, ` +
      `${kB(cost?.clientNetBytes)} between client and address, ${kB(cost?.redisNetBytes)} between process and Redis.\n`,
  );
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function printNeeds(cost: CutCost | undefined): void {
  if (cost === undefined) return;
  const heads = ['developers', 'days kept', 'cuts/s at the peak', 'processes (cores)', 'HAProxy cores'];
  console.log(`| ${[...heads, 'Redis memory', 'Redis nodes', 'clients', 'Redis'].join(' | ')} |`);
  console.log('|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (const developers of [1000, 100_000])
    for (const daysKept of [7, 1]) {
      const needs = needsOf(developers, cost, { ...HABITS, daysKept });
      const cells = [
        ...[developers, daysKept, needs.cutsASecond.toFixed(0), needs.processes],
        ...[needs.haproxyCores.toFixed(2), `${(needs.redisBytes / 1e9).toFixed(1)} GB`, needs.redisNodes],
        ...[`${needs.clientMbit.toFixed(1)} Mbit/s`, `${needs.redisMbit.toFixed(1)} Mbit/s`],
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
}

function ms(value: number): string {
  return `${value.toFixed(value < 1 ? 3 : 1)} ms`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function kB(bytes = 0): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
