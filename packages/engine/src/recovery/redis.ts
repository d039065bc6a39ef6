import { createClient, createCluster, createSentinel, RESP_TYPES } from '@redis/client';
import { withTimeout } from '@secateur/base/runtime/time.ts';
import { packText, unpackText } from './stores/text-codec.ts';

/** Redis commands that Sécateur uses. Each has only one key, so that clusters and narrow ACLs allow it. */
export interface RedisCommands {
  get(key: string): Promise<Buffer | null>;
  set(key: string, value: Buffer, options: RedisSetOptions): Promise<unknown>;
  del(key: string): Promise<number>;
  incrBy(key: string, amount: number): Promise<number>;
  pExpire(key: string, ms: number): Promise<unknown>;
}

export interface RedisSetOptions {
  readonly condition?: 'NX';
  readonly expiration: { readonly type: 'PX'; readonly value: number };
}

interface RedisClient extends RedisCommands {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/** Time limit in ms of a command. A Redis that responds later counts as unreachable. */
const COMMAND_TIMEOUT_MS = 1000;

/**
 * A connection to Redis. Opening it does not wait. While Redis cannot be reached, all commands fail
 * immediately, and the client reconnects by itself.
 */
export class RedisConnection {
  readonly #client: RedisClient;

  readonly #timeoutMs: number;

  constructor(url: string, timeoutMs: number = COMMAND_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
    this.#client = clientFor(new URL(url));
    this.#client.on('error', ignore);
    this.#client.connect().catch(ignore);
  }

  async run<T>(command: (commands: RedisCommands) => Promise<T>): Promise<T> {
    return withTimeout(command(this.#client), this.#timeoutMs);
  }

  close(): void {
    this.#client.destroy();
  }
}

/**
 * Returns the client for an address. `redis://` and `rediss://` (TLS) name one server.
 * `redis+sentinel://host:port/master` and `redis+cluster://host:port` name one node; further nodes are
 * `?node=host:port`, and TLS is `?tls=true`. User and password are those of an ACL.
 */
function clientFor(url: URL): RedisClient {
  const shared = common(url);
  const { commandOptions } = shared;
  const ofNode = { ...credentialsOf(url), ...shared };
  if (url.protocol === 'redis+sentinel:')
    return createSentinel({
      name: decodeURIComponent(url.pathname.slice(1)),
      sentinelRootNodes: nodesOf(url),
      nodeClientOptions: ofNode,
      commandOptions,
    }) as unknown as RedisClient;
  if (url.protocol === 'redis+cluster:') {
    const rootNodes = nodesOf(url).map(({ host, port }) => ({ url: `redis://${host}:${port}` }));
    return createCluster({ rootNodes, defaults: ofNode, commandOptions }) as unknown as RedisClient;
  }
  return createClient({ url: url.href, ...shared }) as unknown as RedisClient;
}

function nodesOf(url: URL): { host: string; port: number }[] {
  return [url.host, ...url.searchParams.getAll('node')].map((node) => {
    const { hostname, port } = new URL(`redis://${node}`);
    return { host: hostname, port: Number(port || 6379) };
  });
}

function credentialsOf({ username, password }: URL): { username?: string; password?: string } {
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}

function common({ searchParams }: URL) {
  const reconnectStrategy = (retries: number) => Math.min(50 * 2 ** retries, 1000);
  const tls = searchParams.get('tls') === 'true' ? ({ tls: true } as const) : {};
  return {
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy, ...tls },
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
  };
}

/** Listener for error events. Without it they would end the process. Each command reports its failure itself. */
function ignore(): void {}

/** Time in ms after which a counter expires. More than its minute, because clocks may differ. */
const COUNTER_TTL_MS = 120_000;

/** Counters that all processes behind one address share. */
export class RedisMeter extends RedisConnection {
  readonly #prefix: string;

  constructor({ url, prefix }: { readonly url: string; readonly prefix: string }) {
    super(url);
    this.#prefix = prefix;
  }

  async add(counter: string, amount: number): Promise<number> {
    const key = `${this.#prefix}rate:${counter}`;
    const [count] = await this.run((redis) =>
      Promise.all([redis.incrBy(key, amount), redis.pExpire(key, COUNTER_TTL_MS)]),
    );
    return count;
  }
}

/** Time limit in ms of a cache read. A longer wait would cost more than the cache saves. */
const CACHE_TIMEOUT_MS = 250;

/** Cache of texts that all processes behind one address share. A failed read or a damaged entry counts as a miss. */
export class RedisCache extends RedisConnection {
  readonly #prefix: string;

  constructor({ url, prefix }: { readonly url: string; readonly prefix: string }) {
    super(url, CACHE_TIMEOUT_MS);
    this.#prefix = prefix;
  }

  async get(key: string): Promise<string | undefined> {
    try {
      const bytes = await this.run((redis) => redis.get(this.#keyOf(key)));
      return bytes === null ? undefined : await unpackText(bytes);
    } catch {
      return undefined;
    }
  }

  /** Stores a text. The caller does not wait for the write. */
  put(key: string, text: string, ttlMs: number): void {
    const expiration = { type: 'PX', value: ttlMs } as const;
    packText(text)
      .then((bytes) => this.run((redis) => redis.set(this.#keyOf(key), bytes, { expiration })))
      .catch(() => {});
  }

  #keyOf(key: string): string {
    return `${this.#prefix}cache:${key}`;
  }
}
