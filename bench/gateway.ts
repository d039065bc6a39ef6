import {
  type BenchClient,
  direct,
  mcpProxy,
  secateur,
  supergateway,
  type Target,
} from './gateway/targets.ts';

/**
 * Time that a proxy in front of a stdio server adds to a call, beside the other proxies that run here, in the
 * same run: `npm run build && npx tsx bench/gateway.ts`. Rounds alternate, so that a busy moment of the
 * machine hits all alike.
 */
const LEVELS = [1, 8, 32];
const ROUNDS = Number(process.argv[2] ?? 12);
const WARM_UP_ROUNDS = 8;
const CALLS_A_ROUND = 320;
const ARGS = { message: 'x'.repeat(500) };

const targets = [await direct(), await secateur(), await mcpProxy(), await supergateway()];
console.log('| clients | | p50 | added p50 | p99 | added p99 | CPU a call |');
console.log('|--:|---|--:|--:|--:|--:|--:|');
for (const level of LEVELS) await measure(level);
for (const target of targets) target.close();
process.exit(0);

interface Measured {
  readonly target: Target;
  readonly clients: BenchClient[];
  readonly latencies: number[];
  cpuMs: number;
}

async function measure(level: number): Promise<void> {
  const measured: Measured[] = [];
  for (const target of targets) {
    const clients = await Promise.all(Array.from({ length: level }, () => target.connect()));
    measured.push({ target, clients, latencies: [], cpuMs: 0 });
  }
  for (const each of measured)
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await callAll(each, []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const each of measured) {
      const before = each.target.cpuMs();
      await callAll(each, each.latencies);
      each.cpuMs += each.target.cpuMs() - before;
    }
  }
  report(level, measured);
  for (const { clients } of measured) await Promise.all(clients.map((client) => client.close()));
}

async function callAll({ clients }: Measured, latencies: number[]): Promise<void> {
  const each = CALLS_A_ROUND / clients.length;
  await Promise.all(
    clients.map(async (client) => {
      for (let call = 0; call < each; call += 1) {
        const start = performance.now();
        await client.call(ARGS);
        latencies.push(performance.now() - start);
      }
    }),
  );
}

function report(level: number, measured: Measured[]): void {
  const [baseline] = measured.map(({ latencies }) => latencies);
  const at = (latencies: number[], share: number) =>
    [...latencies].sort((a, b) => a - b)[Math.floor(latencies.length * share)] ?? 0;
  for (const { target, latencies, cpuMs } of measured) {
    const p50 = at(latencies, 0.5);
    const p99 = at(latencies, 0.99);
    const added = [p50 - at(baseline ?? [], 0.5), p99 - at(baseline ?? [], 0.99)];
    const isBaseline = latencies === baseline;
    const cells = [
      level,
      target.name,
      ms(p50),
      isBaseline ? '' : ms(added[0]),
      ms(p99),
      isBaseline ? '' : ms(added[1]),
      isBaseline ? '' : ms(cpuMs / latencies.length),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function ms(value = 0): string {
  return `${value.toFixed(2)} ms`;
}
