/** Data of the page over a ledger of 100,000 entries: first look (files read and parsed), then warm. Baseline: parsing the same lines alone. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../packages/base/src/runtime/time.ts';
import { fileLedger } from '../packages/secateur/src/savings/ledger.ts';
import { dashboardRoutes } from '../packages/secateur/src/servers/dashboard/dashboard.ts';
import type { PlainRoute } from '../packages/serving/src/wire/http-route.ts';

const ENTRIES = 100_000;
const directory = mkdtempSync(join(tmpdir(), 'secateur-bench-page-'));
const ledger = fileLedger({ directory, clock: systemClock, maxBytes: 1 << 30, maxAgeDays: 400 });
const begun = performance.now();
for (let index = 0; index < ENTRIES; index += 1) {
  ledger.record({
    ...{ kind: index % 12 === 11 ? 'recovered' : 'cut', system: 'gateway', server: `server-${index % 7}` },
    ...{ client: `client-${index % 5}`, tool: `tool-${index % 31}`, sourceType: 'code' },
    ...{
      pruneId: `prn_${Math.floor(index / 12)}`,
      tokensBefore: 4000,
      tokensAfter: 1200,
      durationMs: index % 90,
    },
  });
}
const recordUs = ((performance.now() - begun) * 1000) / ENTRIES;

const routes = dashboardRoutes({
  ...{ directory, clock: systemClock, version: 'bench', prices: { currency: 'USD', input: 3 } },
  notes: {
    keep: () => {},
    read: async () => undefined,
    textOf: async () => undefined,
    settled: async () => {},
  },
  assets: new URL('../web/', import.meta.url),
  bearerToken: undefined,
  tokens: undefined,
  owner: () => undefined,
});

async function timed(path: string, query = ''): Promise<number> {
  const route = routes.find((each) => each.path === path) as PlainRoute;
  const { signal } = new AbortController();
  const started = performance.now();
  const { json } = await route.handle({
    params: {},
    query: new URLSearchParams(query),
    headers: {},
    body: undefined,
    signal,
  });
  JSON.stringify(json);
  return performance.now() - started;
}

const parse = performance.now();
for (const name of readdirSync(directory))
  for (const line of readFileSync(join(directory, name), 'utf8').split('\n'))
    if (line !== '') JSON.parse(line);
const parseMs = performance.now() - parse;
const cold = await timed('/api/overview', 'span=all');
const warm: number[] = [];
for (let round = 0; round < 9; round += 1) {
  ledger.record({ kind: 'cut', system: 'cli', tool: 'new', tokensBefore: 2, tokensAfter: 1 });
  warm.push(await timed('/api/overview', 'span=all'));
}
const same = await timed('/api/overview', 'span=all');
const cuts: number[] = [];
for (let round = 0; round < 9; round += 1) cuts.push(await timed('/api/cuts', 'tool=tool-3'));
const median = (values: number[]) =>
  values.sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
const ms = (value: number) => `${value.toFixed(1)} ms`;
console.log(`| ${ENTRIES} entries | |\n|---|---|`);
console.log(`| one entry written | ${recordUs.toFixed(1)} µs |`);
console.log(`| baseline: JSON.parse of every line | ${ms(parseMs)} |`);
console.log(
  `| overview, first look | ${ms(cold)} |\n| overview after a new entry, warm (median) | ${ms(median(warm))} |`,
);
console.log(`| overview with nothing new | ${ms(same)} |`);
console.log(`| a page of filtered cuts, warm (median) | ${ms(median(cuts))} |`);
rmSync(directory, { recursive: true, force: true });
