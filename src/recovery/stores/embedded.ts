import { statSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import type { Clock } from '../../runtime/clock.ts';
import { DATA_FILE, damageOf, LOCK_FILE, requireDatabaseFiles } from '../../runtime/database-damage.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import type { RecoveryStore } from '../store.ts';
import { DamagedText, sealText, unsealText } from './text-codec.ts';

export interface EmbeddedStoreOptions {
  directory: string;
  ttlMs: number;
  maxBytes: number;
  clock: Clock;
  randomBytes: (size: number) => Uint8Array;
  /** Told where a data file went that could not be used, and why. */
  onSetAside?: ((damage: SetAside) => void) | undefined;
}

export interface SetAside {
  readonly reason: string;
  readonly movedTo: string;
}

/** Its CommonJS form is four files instead of twenty modules: a hook's process lives for one cut, and this halves what loading takes. */
const { open } = createRequire(import.meta.url)('lmdb') as typeof import('lmdb');

/** LMDB takes no longer ones, and no text was ever put under one. */
const LONGEST_KEY = 500;

/**
 * Keeps texts in an LMDB file: survives `kill -9`, and several processes may use it at once. Each text has a row
 * in `texts`, and a row in `order` by expiry, so that making room reads only what it removes.
 */
export class EmbeddedStore implements RecoveryStore {
  readonly #options: EmbeddedStoreOptions;
  readonly #root: RootDatabase<Buffer, string>;
  readonly #texts: Database<Buffer, string>;
  readonly #rows: Database<Row, string>;
  readonly #order: Database<number, [number, string]>;
  readonly #meta: Database<Buffer | number, string>;

  /** Highest size of the data file seen: LMDB maps it, and reading behind its end would end the process. */
  #fileBytes = 0;

  static async open(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
    // The texts are whatever agents read: nobody else on the machine needs to see them.
    makeFolder(options.directory);
    await requireDatabaseFiles(options.directory);
    await setAsideIfDamaged(options);
    const store = await openOrBeginAnew(options, () => new EmbeddedStore(options));
    for (const name of [DATA_FILE, LOCK_FILE]) await chmod(join(options.directory, name), OWNER_ONLY);
    return store;
  }

  private constructor(options: EmbeddedStoreOptions) {
    this.#options = options;
    // LMDB's batches by turn of the event loop leave a promise behind that nobody can catch when a commit fails.
    const batching = { eventTurnBatching: false };
    this.#root = open({ path: options.directory, maxDbs: 4, encoding: 'binary', ...batching });
    this.#texts = this.#root.openDB({ name: 'texts', encoding: 'binary', compression: true });
    this.#rows = this.#root.openDB({ name: 'rows', encoding: 'json' });
    this.#order = this.#root.openDB({ name: 'order', encoding: 'json' });
    this.#meta = this.#root.openDB({ name: 'meta', encoding: 'msgpack' });
  }

  async idKey(): Promise<Uint8Array> {
    const known = this.#meta.get(ID_KEY);
    if (known instanceof Uint8Array) return known;
    return this.#commit(() => this.#claimIdKey());
  }

  async put(id: string, text: string): Promise<void> {
    const bytes = sealText(text);
    if (bytes.length > this.#options.maxBytes)
      throw new RangeError(`text of ${bytes.length} bytes exceeds the store's ${this.#options.maxBytes}`);
    this.#requireWhole();
    await this.#commit(() => {
      this.#remove(id);
      this.#insert(id, bytes);
      this.#makeRoom();
    });
  }

  async get(id: string): Promise<string | undefined> {
    if (id.length > LONGEST_KEY) return undefined;
    this.#requireWhole();
    const row = read(() => this.#rows.get(id));
    if (row === undefined || row.expiresAt <= this.#options.clock.now()) return undefined;
    const bytes = read(() => this.#texts.get(id));
    return bytes === undefined ? undefined : unsealText(bytes);
  }

  heldBytes(): number {
    return this.#bytesHeld();
  }

  async close(): Promise<void> {
    await this.#root.close();
  }

  /** A commit that failed (no room, a quota) tells why in a second promise; left alone it would end the process. */
  async #commit<Value>(action: () => Value): Promise<Value> {
    try {
      return await this.#root.transaction(action);
    } catch (error) {
      const { commitError } = error as { commitError?: Promise<unknown> };
      const cause = await commitError?.catch((reason: unknown) => reason);
      throw cause === undefined ? error : new Error('the store could not write', { cause });
    }
  }

  #requireWhole(): void {
    // A file that was deleted is still there for those who have it open; a shorter one is not.
    const bytes = sizeOf(join(this.#options.directory, DATA_FILE)) ?? this.#fileBytes;
    if (bytes < this.#fileBytes) throw new DamagedText('the data file was cut short');
    this.#fileBytes = bytes;
  }

  #claimIdKey(): Uint8Array {
    const known = this.#meta.get(ID_KEY);
    if (known instanceof Uint8Array) return known;
    const key = Buffer.from(this.#options.randomBytes(32));
    this.#meta.put(ID_KEY, key);
    return key;
  }

  #insert(id: string, bytes: Buffer): void {
    const row: Row = { bytes: bytes.length, expiresAt: this.#options.clock.now() + this.#options.ttlMs };
    this.#texts.put(id, bytes);
    this.#rows.put(id, row);
    this.#order.put([row.expiresAt, id], row.bytes);
    this.#meta.put(BYTES_HELD, this.#bytesHeld() + row.bytes);
  }

  #remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#texts.remove(id);
    this.#rows.remove(id);
    this.#order.remove([row.expiresAt, id]);
    this.#meta.put(BYTES_HELD, this.#bytesHeld() - row.bytes);
  }

  /** The order by expiry is also the order of last put, since every row lives equally long. */
  #makeRoom(): void {
    const now = this.#options.clock.now();
    let oldest = this.#oldest();
    while (oldest !== undefined && (oldest[0] <= now || this.#bytesHeld() > this.#options.maxBytes)) {
      this.#order.remove(oldest);
      this.#remove(oldest[1]);
      oldest = this.#oldest();
    }
  }

  #oldest(): [number, string] | undefined {
    for (const key of this.#order.getKeys({ limit: 1 })) return key;
    return undefined;
  }

  #bytesHeld(): number {
    const held = this.#meta.get(BYTES_HELD);
    return typeof held === 'number' ? held : 0;
  }
}

const OWNER_ONLY = 0o600;

async function setAsideIfDamaged(options: EmbeddedStoreOptions): Promise<void> {
  const reason = await damageOf(join(options.directory, DATA_FILE));
  if (reason !== undefined) await setAside(reason, options);
}

/** What cannot be opened makes room for a fresh store; it is kept, for whoever wants to look into it. */
async function setAside(reason: string, options: EmbeddedStoreOptions): Promise<void> {
  const path = join(options.directory, DATA_FILE);
  const movedTo = `${path}.damaged-${options.clock.now()}`;
  await rename(path, movedTo);
  await rm(join(options.directory, LOCK_FILE), { force: true });
  options.onSetAside?.({ reason, movedTo });
}

async function openOrBeginAnew<Store>(options: EmbeddedStoreOptions, openStore: () => Store): Promise<Store> {
  try {
    return openStore();
  } catch (error) {
    if (!(error instanceof Error && DAMAGE_WORDS.some((word) => error.message.startsWith(word)))) throw error;
    await setAside('its pages contradict each other', options);
    return openStore();
  }
}

/** How LMDB names what only damage explains; anything else (no room, no permission) is no reason to move the file. */
const DAMAGE_WORDS = ['MDB_CORRUPTED', 'MDB_PAGE_NOTFOUND', 'MDB_INVALID', 'MDB_VERSION_MISMATCH'];

/** What LMDB cannot decode was not written so. */
function read<Value>(action: () => Value): Value {
  try {
    return action();
  } catch (cause) {
    throw new DamagedText('a stored record cannot be read', { cause });
  }
}

interface Row {
  bytes: number;
  expiresAt: number;
}

const ID_KEY = 'id-key';
const BYTES_HELD = 'bytes-held';

/** At once: by way of a thread pool it takes twenty times as long, and LMDB reads the same file at once right after. */
function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size;
  } catch {
    return undefined;
  }
}
