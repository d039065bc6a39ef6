import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { type LoadedServer, residentBytes } from './servers.ts';

export interface LoadFigures {
  /** Milliseconds of calls that were answered, in order. */
  readonly latencies: number[];
  readonly healthLatencies: number[];
  /** Refused with 503 or 429. */
  shed: number;
  /** Answered with something else than a result. */
  failed: number;
  /** Returned unchanged by a pruner that had no time left. */
  fellBack: number;
  peakBytes: number;
  seconds: number;
}

export interface Load {
  readonly clients: number;
  readonly seconds: number;
}

const MEMORY_EVERY_MS = 50;

/** Runs clients that each ask again as soon as they are answered, and polls the server's health meanwhile. */
export async function load(server: LoadedServer, { clients, seconds }: Load): Promise<LoadFigures> {
  const pool = new Pool(server.url, { connections: clients, headersTimeout: 120_000, bodyTimeout: 120_000 });
  const figures: LoadFigures = {
    ...{ latencies: [], healthLatencies: [], shed: 0, failed: 0, fellBack: 0, peakBytes: 0, seconds },
  };
  const watch = await watchHealth(server);
  const endsAt = performance.now() + seconds * 1000;
  let next = 0;
  const client = async () => {
    while (performance.now() < endsAt) {
      next += 1;
      await callOnce({ server, pool, call: next }, figures);
    }
  };
  const watching = watchMemory(server, figures, endsAt).then(() => watch.end());
  await Promise.all(Array.from({ length: clients }, client));
  figures.healthLatencies.push(...(await watching));
  await pool.close();
  figures.latencies.sort((a, b) => a - b);
  figures.healthLatencies.sort((a, b) => a - b);
  return figures;
}

interface OneCall {
  readonly server: LoadedServer;
  readonly pool: Pool;
  readonly call: number;
}

async function callOnce({ server, pool, call }: OneCall, figures: LoadFigures): Promise<void> {
  const startedAt = performance.now();
  const { path, body } = server.request(call);
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await pool.request({ path, method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode === 503 || answer.statusCode === 429) {
      figures.shed += 1;
      // A refused client retries a little later.
      await pause(100);
      return;
    }
    if (answer.statusCode !== 200 || !text.includes('"result"')) figures.failed += 1;
    if (text.includes('\\"used_fallback\\":true')) figures.fellBack += 1;
    figures.latencies.push(performance.now() - startedAt);
  } catch {
    figures.failed += 1;
  }
}

async function watchMemory(server: LoadedServer, figures: LoadFigures, endsAt: number): Promise<void> {
  while (performance.now() < endsAt) {
    figures.peakBytes = Math.max(figures.peakBytes, residentBytes(server.pid));
    await pause(MEMORY_EVERY_MS);
  }
}

interface HealthWatch {
  /** The milliseconds of every answer. */
  end(): Promise<number[]>;
}

/** In a process of its own: a monitor does not wait for what 256 clients do with their answers. */
async function watchHealth(server: LoadedServer): Promise<HealthWatch> {
  const script = fileURLToPath(new URL('./watch-health.ts', import.meta.url));
  const parts = ['--import', 'tsx', script, server.url, server.healthPath];
  const watcher = spawn(process.execPath, parts, { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(watcher, 'close');
  let printed = '';
  watcher.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await once(watcher.stdout, 'data');
  return {
    end: async () => {
      watcher.stdin.end();
      const [code] = (await closed) as [number];
      if (code !== 0) throw new Error('the health check was not answered');
      return printed.trim().split('\n').slice(1).map(Number);
    },
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The value that this share of the sorted values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
