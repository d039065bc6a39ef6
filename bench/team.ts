import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone, type Deployment, team } from './team/machines.ts';
import { type RedisTime, redisTime } from './team/redis-time.ts';
import { type CutCost, HABITS, needsOf } from './team/sizing.ts';

/**
 * What several processes behind one address do in a second, and what a cut costs each part of it: `npm run bench -- team`.
 * Needs redis-server and haproxy. Processor time is the figure that travels; calls a second depend on the cores there are.
 */
const SECONDS = Number(process.argv[2] ?? 12);
/** Until the workers of every process have seen enough text to be fast. */
const WARM_UP_SECONDS = Number(process.argv[3] ?? 20);
const CLIENTS = 12;
/** So many cuts are followed by one request for removed lines. */
const CUTS_A_RECOVERY = 4;
const TEXT_CHARS = 20_000;

const source = sourceText();
let calls = 0;
const rows = [await measured('1 process, memory store, no HAProxy', await alone())];
for (const processes of [1, 2, 3])
  rows.push(await measured(`${processes} behind HAProxy, Redis`, await team(processes)));
printThroughput();
printNeeds(rows[1]?.cost);
process.exit(0);

interface Row {
  readonly name: string;
  readonly cutsASecond: number;
  readonly medianMs: number;
  readonly cost: CutCost;
  readonly redis: RedisTime | undefined;
}

async function measured(name: string, deployment: Deployment): Promise<Row> {
  await run(deployment, { clients: CLIENTS, seconds: WARM_UP_SECONDS });
  const one = await run(deployment, { clients: 1, seconds: SECONDS / 4 });
  const [cpuBefore, redisBefore] = [deployment.cpuMs(), await deployment.redis()];
  const many = await run(deployment, { clients: CLIENTS, seconds: SECONDS });
  const [cpuAfter, redisAfter] = [deployment.cpuMs(), await deployment.redis()];
  const redis = deployment.redisUrl === undefined ? undefined : await redisTime(deployment.redisUrl, textOf);
  deployment.close();
  const { cuts } = many;
  const perCut = (after: number, before: number) => (after - before) / cuts;
  return {
    name,
    redis,
    cutsASecond: cuts / SECONDS,
    medianMs: one.latencies.sort((a, b) => a - b)[Math.floor(one.latencies.length / 2)] ?? 0,
    cost: {
      processCpuMs: perCut(cpuAfter.processes, cpuBefore.processes),
      redisCpuMs: perCut(cpuAfter.redis, cpuBefore.redis),
      haproxyCpuMs: perCut(cpuAfter.haproxy, cpuBefore.haproxy),
      redisBytes: perCut(redisAfter.usedBytes, redisBefore.usedBytes),
      redisNetBytes: perCut(redisAfter.netBytes, redisBefore.netBytes),
      clientNetBytes: many.bytes / cuts,
    },
  };
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

/** A text nobody has seen, and now and then lines of it back. */
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
  const folder = fileURLToPath(new URL('../src/', import.meta.url));
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
  for (const { name, cutsASecond, medianMs, cost, redis } of rows) {
    const { processCpuMs, redisCpuMs, haproxyCpuMs } = cost;
    const all = processCpuMs + redisCpuMs + haproxyCpuMs;
    const cells = [
      name,
      cutsASecond.toFixed(1),
      ms(medianMs),
      redis === undefined ? '–' : `${ms(redis.medianMs)} (${percent(redis.medianMs / medianMs)})`,
      ms(processCpuMs),
      redis === undefined ? '–' : ms(redis.cpuMs),
      redis === undefined ? '–' : ms(redisCpuMs),
      redis === undefined ? '–' : ms(haproxyCpuMs),
      redis === undefined ? '–' : percent((redis.cpuMs + redisCpuMs) / all),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const cost = rows[1]?.cost;
  console.log(
    `\nA cut of ${TEXT_CHARS} characters: ${kB(cost?.redisBytes)} of Redis memory, ` +
      `${kB(cost?.clientNetBytes)} between client and address, ${kB(cost?.redisNetBytes)} between process and Redis.\n`,
  );
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
