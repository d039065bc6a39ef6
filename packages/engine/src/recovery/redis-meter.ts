import { RedisConnection } from './stores/redis-connection.ts';

/** Longer than the minute a counter is for, so that clocks may differ. */
const COUNTER_TTL_MS = 120_000;

/** Counters all processes behind one address share. */
export class RedisMeter {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  constructor({ url, prefix }: { readonly url: string; readonly prefix: string }) {
    this.#redis = new RedisConnection(url);
    this.#prefix = prefix;
  }

  async add(counter: string, amount: number): Promise<number> {
    const key = `${this.#prefix}rate:${counter}`;
    const [count] = await this.#redis.run((redis) =>
      Promise.all([redis.incrBy(key, amount), redis.pExpire(key, COUNTER_TTL_MS)]),
    );
    return count;
  }

  close(): void {
    this.#redis.close();
  }
}
