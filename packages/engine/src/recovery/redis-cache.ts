import { RedisConnection } from './redis.ts';
import { packText, unpackText } from './stores/text-codec.ts';

/** Slower than this, asking costs more than what is cached saves. */
const COMMAND_TIMEOUT_MS = 250;

/** Short-lived texts all processes behind one address share. A Redis that is unavailable, or returns something else, is a miss. */
export class RedisCache {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  constructor({ url, prefix }: { readonly url: string; readonly prefix: string }) {
    this.#redis = new RedisConnection(url, COMMAND_TIMEOUT_MS);
    this.#prefix = prefix;
  }

  async get(key: string): Promise<string | undefined> {
    try {
      const bytes = await this.#redis.run((redis) => redis.get(this.#keyOf(key)));
      return bytes === null ? undefined : await unpackText(bytes);
    } catch {
      return undefined;
    }
  }

  /** The caller does not wait for it. */
  put(key: string, text: string, ttlMs: number): void {
    const expiration = { type: 'PX', value: ttlMs } as const;
    packText(text)
      .then((bytes) => this.#redis.run((redis) => redis.set(this.#keyOf(key), bytes, { expiration })))
      .catch(() => {});
  }

  close(): void {
    this.#redis.close();
  }

  #keyOf(key: string): string {
    return `${this.#prefix}cache:${key}`;
  }
}
