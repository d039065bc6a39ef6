import { randomBytes } from 'node:crypto';
import { RedisStore } from '../../packages/engine/src/recovery/stores/redis.ts';

/** Time that a process spends on Redis for one cut: median time waited, and CPU time of its own. */
export interface RedisTime {
  readonly medianMs: number;
  readonly cpuMs: number;
}

const CUTS = 300;

/** As a cut does: looks whether the id is free, stores the text, then a note about it. */
export async function redisTime(url: string, textOf: (call: number) => string): Promise<RedisTime> {
  const store = new RedisStore({
    url,
    ttlMs: 60_000,
    prefix: 'bench:',
    commandTimeoutMs: 10_000,
    randomBytes,
  });
  await store.get('until-connected');
  const cut = async (call: number) => {
    const id = `prn_${call}`;
    await store.get(id);
    await store.put(id, textOf(call));
    await store.put(`note:${id}`, textOf(call).slice(0, NOTE_CHARS));
  };
  for (let call = 0; call < CUTS; call += 1) await cut(call);
  const waits: number[] = [];
  const before = process.cpuUsage();
  for (let call = CUTS; call < 2 * CUTS; call += 1) {
    const startedAt = performance.now();
    await cut(call);
    waits.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  await store.close();
  waits.sort((a, b) => a - b);
  return { medianMs: waits[CUTS / 2] ?? 0, cpuMs: (user + system) / 1000 / CUTS };
}

const NOTE_CHARS = 3000;
