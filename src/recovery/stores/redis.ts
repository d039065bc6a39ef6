import { createClient, RESP_TYPES } from '@redis/client';
import type { RecoveryStore } from '../store.ts';
import { sealText, unsealText } from '../text-codec.ts';

export interface RedisStoreOptions {
  url: string;
  ttlMs: number;
  /** Prefix of every key, so that a shared Redis stays tidy. */
  prefix: string;
  /** A Redis that answers later than this counts as unreachable. */
  commandTimeoutMs: number;
  randomBytes: (size: number) => Uint8Array;
}

/**
 * Keeps texts in Redis, so that several pruners behind a load balancer share ids. Opening never waits for Redis:
 * while it is away every command fails at once, and the client reconnects on its own.
 */
export class RedisStore implements RecoveryStore {
  readonly #options: RedisStoreOptions;
  readonly #client: RedisClient;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
    this.#client = connect(options.url);
    this.#client.on('error', ignore);
    this.#client.connect().catch(ignore);
  }

  async idKey(): Promise<Uint8Array> {
    const key = `${this.#options.prefix}id-key`;
    const candidate = Buffer.from(this.#options.randomBytes(32));
    await this.#inTime((client) => client.set(key, candidate, { condition: 'NX' }));
    const kept = await this.#inTime((client) => client.get(key));
    return kept ?? candidate;
  }

  async put(id: string, text: string): Promise<void> {
    const expiration = { type: 'PX', value: this.#options.ttlMs } as const;
    await this.#inTime((client) => client.set(this.#keyOf(id), sealText(text), { expiration }));
  }

  async get(id: string): Promise<string | undefined> {
    const bytes = await this.#inTime((client) => client.get(this.#keyOf(id)));
    return bytes === null ? undefined : unsealText(bytes);
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #keyOf(id: string): string {
    return `${this.#options.prefix}text:${id}`;
  }

  async #inTime<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error('redis did not answer in time')),
        this.#options.commandTimeoutMs,
      );
    });
    try {
      return await Promise.race([command(this.#client), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

type RedisClient = ReturnType<typeof connect>;

function connect(url: string) {
  const reconnectStrategy = (retries: number) => Math.min(50 * 2 ** retries, 1000);
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy },
  }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}

/** Every command reports its own failure; an error event without a listener would end the process. */
function ignore(): void {}
