import { setTimeout } from 'node:timers/promises';
import { RedisConnection } from '../redis.ts';
import type { RecoveryStore } from '../store.ts';
import { packText, unlessDamaged, unpackText } from './text-codec.ts';

export interface RedisStoreOptions {
  url: string;
  ttlMs: number;
  /** Prefix of all keys. An ACL can be limited to it. */
  prefix: string;
  /** Time limit in ms of a command. A Redis that responds later counts as unreachable. */
  commandTimeoutMs?: number;
  randomBytes: (size: number) => Uint8Array;
}

/** Time in ms after which the key of ids expires if pruning stops. It outlives all texts whose ids were made with it. */
const KEY_TTL_MS = 90 * 24 * 3600 * 1000;

const READ_ATTEMPTS = 15;
const READ_PAUSE_MS = 200;

/** Stores texts in Redis, so that several servers behind one address share ids. */
export class RedisStore implements RecoveryStore {
  readonly #options: RedisStoreOptions;
  readonly #redis: RedisConnection;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
    this.#redis = new RedisConnection(options.url, options.commandTimeoutMs);
  }

  /** Returns the key of ids. The first process creates it, and processes that start at the same time get the same key. */
  async idKey(): Promise<Uint8Array> {
    const candidate = Buffer.from(this.#options.randomBytes(32));
    const expiration = this.#keyExpiration();
    await this.#redis.run((redis) => redis.set(this.#idKeyName, candidate, { condition: 'NX', expiration }));
    return (await this.#redis.run((redis) => redis.get(this.#idKeyName))) ?? candidate;
  }

  async put(id: string, text: string): Promise<void> {
    await this.#write(id, text, {});
  }

  async putNew(id: string, text: string): Promise<boolean> {
    if ((await this.#write(id, text, { condition: 'NX' })) !== null) return true;
    const known = await this.get(id).catch(unlessDamaged);
    if (known !== undefined && known !== text) return false;
    await this.put(id, text);
    return true;
  }

  async #write(id: string, text: string, only: { condition?: 'NX' }): Promise<unknown> {
    const bytes = await packText(text);
    const expiration = { type: 'PX', value: this.#options.ttlMs } as const;
    const [set] = await this.#redis.run((redis) =>
      Promise.all([
        redis.set(this.#keyOf(id), bytes, { ...only, expiration }),
        redis.pExpire(this.#idKeyName, this.#keyExpiration().value),
      ]),
    );
    return set;
  }

  async forget(id: string): Promise<boolean> {
    return (await this.#redis.run((redis) => redis.del(this.#keyOf(id)))) > 0;
  }

  /** Waits a short time for a Redis that is being restarted, because an agent cannot get the lines in another way. */
  async get(id: string): Promise<string | undefined> {
    const bytes = await this.#patiently(() => this.#redis.run((redis) => redis.get(this.#keyOf(id))));
    return bytes === null ? undefined : unpackText(bytes);
  }

  async close(): Promise<void> {
    this.#redis.close();
  }

  async #patiently<T>(command: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await command();
      } catch (error) {
        if (attempt >= READ_ATTEMPTS) throw error;
        await setTimeout(READ_PAUSE_MS);
      }
    }
  }

  get #idKeyName(): string {
    return `${this.#options.prefix}id-key`;
  }

  #keyExpiration() {
    return { type: 'PX', value: Math.max(KEY_TTL_MS, this.#options.ttlMs) } as const;
  }

  #keyOf(id: string): string {
    return `${this.#options.prefix}text:${id}`;
  }
}
