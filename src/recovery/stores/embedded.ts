import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { Clock } from '../../runtime/clock.ts';
import { damageOf } from '../../runtime/database-damage.ts';
import { DomainError } from '../../runtime/domain-error.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import type { RecoveryStore } from '../store.ts';
import { decodeText, encodeText } from '../text-codec.ts';

export interface EmbeddedStoreOptions {
  directory: string;
  ttlMs: number;
  maxBytes: number;
  clock: Clock;
  randomBytes: (size: number) => Uint8Array;
}

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

  static async open(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
    // The texts are whatever agents read: nobody else on the machine needs to see them.
    await makeFolder(options.directory);
    const path = join(options.directory, 'data.mdb');
    const damage = await damageOf(path);
    if (damage === undefined) return new EmbeddedStore(options);
    throw new DomainError('store_damaged', `${path} is damaged: ${damage}`, {
      hint: 'Move it away and start again; the removed lines it held cannot be recovered.',
    });
  }

  private constructor(options: EmbeddedStoreOptions) {
    this.#options = options;
    this.#root = open({ path: options.directory, maxDbs: 4, encoding: 'binary' });
    this.#texts = this.#root.openDB({ name: 'texts', encoding: 'binary', compression: true });
    this.#rows = this.#root.openDB({ name: 'rows', encoding: 'json' });
    this.#order = this.#root.openDB({ name: 'order', encoding: 'json' });
    this.#meta = this.#root.openDB({ name: 'meta', encoding: 'msgpack' });
  }

  async idKey(): Promise<Uint8Array> {
    const known = this.#meta.get(ID_KEY);
    if (known instanceof Uint8Array) return known;
    return this.#root.transaction(() => this.#claimIdKey());
  }

  async put(id: string, text: string): Promise<void> {
    const bytes = encodeText(text);
    if (bytes.length > this.#options.maxBytes)
      throw new RangeError(`text of ${bytes.length} bytes exceeds the store's ${this.#options.maxBytes}`);
    await this.#root.transaction(() => {
      this.#remove(id);
      this.#insert(id, bytes);
      this.#makeRoom();
    });
  }

  async get(id: string): Promise<string | undefined> {
    const row = this.#rows.get(id);
    if (row === undefined || row.expiresAt <= this.#options.clock.now()) return undefined;
    const bytes = this.#texts.get(id);
    return bytes === undefined ? undefined : decodeText(bytes);
  }

  async close(): Promise<void> {
    await this.#root.close();
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

interface Row {
  bytes: number;
  expiresAt: number;
}

const ID_KEY = 'id-key';
const BYTES_HELD = 'bytes-held';
