import v8 from 'node:v8';
import vm from 'node:vm';
import { silentLog } from '../packages/base/src/runtime/event-log.ts';
import { systemClock } from '../packages/base/src/runtime/time.ts';
import { applyObservationMasking } from '../packages/secateur/src/masking/mask.ts';
import { answerEdit } from '../packages/secateur/src/servers/gateway/answer-edit.ts';
import type { ClientCall } from '../packages/secateur/src/servers/gateway/client-call.ts';

/**
 * Cost of masking beside `JSON.parse` + `JSON.stringify` of the same body, in the same run: the pure function
 * with parsing and printing around it, and the gateway's own way over the same bytes (its store answers
 * immediately).
 */
v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

const SIZES = [
  ['3 kB', 3_000],
  ['20 kB', 20_000],
  ['200 kB', 200_000],
  ['20 MB', 20_000_000],
] as const;

const LIMITS = {
  maxChars: 4000,
  headChars: 2000,
  tailChars: 2000,
  maxMediaBytes: 1_048_576,
  maxResultChars: 40_000,
};

const SHAPES: Record<string, (bytes: number) => unknown> = {
  'one long text': (bytes) => ({ content: [{ type: 'text', text: lines(bytes) }] }),
  'many rows, one long text': (bytes) => ({
    content: [{ type: 'text', text: lines(bytes / 2) }],
    structuredContent: { rows: rows(bytes / 2) },
  }),
  'many rows, nothing long': (bytes) => ({ structuredContent: { rows: rows(bytes) } }),
};

const call: ClientCall = {
  verb: 'POST',
  headers: {},
  body: Buffer.alloc(0),
  message: { kind: 'request', idText: '1', method: 'tools/call', params: {}, text: '' },
  acceptsEvents: false,
  signal: new AbortController().signal,
};

const edit = answerEdit(call, {
  server: 'bench',
  limits: LIMITS,
  recovery: { remember: async () => ({ kind: 'stored', id: 'prn_0000000000' }) },
  prune: undefined,
  isOff: () => false,
  recoverTool: undefined,
  log: silentLog,
  clock: systemClock,
  onShortened: () => {},
});

console.log(
  '| body | | parse + stringify | parse alone | pure function: parse + mask + stringify | | gateway: bytes to bytes | |',
);
console.log('|---|---|--:|--:|--:|--:|--:|--:|');
for (const [shape, make] of Object.entries(SHAPES)) {
  for (const [name, bytes] of SIZES) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: make(bytes) }));
    const [baseline = 0, parse = 0, pure = 0, gateway = 0] = await medians(planFor(bytes), [
      () => Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8')))),
      // Minimum cost of knowing whether a body is a response.
      () => JSON.parse(body.toString('utf8')),
      () => Buffer.from(JSON.stringify(applyObservationMasking(JSON.parse(body.toString('utf8')), LIMITS))),
      () => edit.body(body),
    ]);
    const ratio = (ms: number) => `${(ms / baseline).toFixed(ms < baseline / 5 ? 3 : 2)} ×`;
    const cells = [name, shape, time(baseline), ratio(parse), time(pure), ratio(pure)];
    console.log(`| ${[...cells, time(gateway), ratio(gateway)].join(' | ')} |`);
  }
}

interface Plan {
  rounds: number;
  /** Calls a measurement: looking at the clock must not count where a call takes a microsecond. */
  calls: number;
}

/** For small bodies enough for every piece of code to be compiled as far as it will be: a gateway runs for days. */
function planFor(bytes: number): Plan {
  if (bytes > 1_000_000) return { rounds: 15, calls: 1 };
  return { rounds: Math.min(1500, Math.round(30_000_000 / bytes)), calls: 8 };
}

/**
 * The median of each, measured in turns, so that what disturbs one disturbs all. Before large bodies the memory is
 * cleaned: otherwise each would pay for what the one before it left behind.
 */
async function medians({ rounds, calls }: Plan, works: Array<() => unknown>): Promise<number[]> {
  const taken: number[][] = works.map(() => []);
  const warmUp = Math.ceil(rounds / 3);
  for (let round = 0; round < rounds + warmUp; round += 1) {
    for (const [index, work] of works.entries()) {
      if (calls === 1) collectGarbage();
      const start = performance.now();
      for (let call = 0; call < calls; call += 1) await work();
      if (round >= warmUp) taken[index]?.push((performance.now() - start) / calls);
    }
  }
  return taken.map((times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0);
}

function time(ms = 0): string {
  return ms < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(2)} ms`;
}

function lines(chars: number): string {
  const line = 'const value = compute(input, { retries: 3 }); // "quoted" and indented\n';
  return line.repeat(Math.ceil(chars / line.length)).slice(0, chars);
}

function rows(bytes: number): unknown[] {
  const row = { id: 123456, name: 'src/servers/gateway.ts', tags: ['a', 'b'], size: 1.5, ok: true };
  return Array.from({ length: Math.ceil(bytes / JSON.stringify(row).length) }, () => row);
}
