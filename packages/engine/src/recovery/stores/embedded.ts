import { readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { type Clock, withTimeoutOr } from '@secateur/base/runtime/time.ts';
import { replaceFile, tryFileLock } from '@secateur/base/runtime/writing-files.ts';
import type { RecoveryStore, StoreUsage } from '../store.ts';
import {
  bytesOnDisk,
  type EntryName,
  encodeEntry,
  entryName,
  listEntries,
  readEntry,
  removeLeftovers,
  removeOldEntries,
  usageOf,
} from './embedded/entries.ts';
import { SET_ASIDE, type SetAside, StoreFolder } from './embedded/store-folder.ts';

export interface EmbeddedStoreOptions {
  directory: string;
  ttlMs: number;
  maxBytes: number;
  clock: Clock;
  randomBytes: (size: number) => Uint8Array;
  /** Called when something in the place of the store's files was renamed. */
  onSetAside?: ((moved: SetAside) => void) | undefined;
  /** Interval in ms of a server's sweeps in the background. Absent in a process that lives for one call. */
  sweepEveryMs?: number | undefined;
}

/** Number of new entries after which a sweep starts. It also starts after a share of the size limit in bytes. */
const SWEEP_EVERY_PUTS = 1000;
const SWEEP_SHARE = 16;
const SWEEP_LOCK_STALE_MS = 600_000;
/** Maximum time in ms that closing waits for a sweep. */
const MAX_CLOSING_MS = 1000;
const MAX_ATTEMPTS = 5;

/**
 * Store with one compressed file per text, with a checksum. Several processes can use one folder without a
 * lock, `kill -9` loses no acknowledged text, and each disk fault is an ordinary error.
 */
export class EmbeddedStore implements RecoveryStore {
  readonly #options: EmbeddedStoreOptions;
  readonly #folder: StoreFolder;
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  #recording: Promise<void> | undefined;
  #sweeping: Promise<void> | undefined;
  /** Bytes of all entries, as counted by the last sweep, plus those that this process added. */
  #held: number | undefined;
  #putsSinceSweep: number;
  #bytesSinceSweep: number;

  /** Opens the store. Throws if its folder cannot be created. */
  static async open(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
    const { directory, onSetAside, clock } = options;
    const folder = new StoreFolder({ directory, onSetAside, now: () => clock.now() });
    folder.prepare();
    return new EmbeddedStore(options, folder);
  }

  private constructor(options: EmbeddedStoreOptions, folder: StoreFolder) {
    this.#options = options;
    this.#folder = folder;
    // Begins at a random point between two sweeps, so that of a thousand processes that store one text each,
    // one sweeps.
    const passed = Buffer.from(options.randomBytes(4)).readUInt32LE() / 2 ** 32;
    this.#putsSinceSweep = Math.floor(passed * SWEEP_EVERY_PUTS);
    this.#bytesSinceSweep = (passed * options.maxBytes) / SWEEP_SHARE;
    if (options.sweepEveryMs !== undefined)
      this.#timer = setInterval(() => this.#startSweep(), options.sweepEveryMs).unref();
  }

  idKey(): Promise<Uint8Array> {
    return this.#folder.idKey(() => this.#options.randomBytes(32));
  }

  async put(id: string, text: string): Promise<void> {
    const name = entryName(id);
    const bytes = await this.#encode(name, text);
    await this.#folder.replace(name, bytes, this.#expiry());
    this.#count(bytes);
  }

  async putNew(id: string, text: string): Promise<boolean> {
    const name = entryName(id);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const known = await readEntry(this.#folder.entryPath(name), name);
      if (known.kind === 'text' && known.text === text) {
        const expiresAt = Math.max(this.#expiry(), known.expiresAt);
        if (await this.#folder.renew(name, expiresAt)) return true;
      } else if (known.kind === 'text' && known.expiresAt > this.#options.clock.now()) return false;
      else if (await this.#publish(name, text, known.kind)) return true;
    }
    throw new Error('the entry was changed by other processes each time');
  }

  async get(id: string): Promise<string | undefined> {
    const name = entryName(id);
    const found = await readEntry(this.#folder.entryPath(name), name);
    if (found.kind === 'damaged') throw found.cause;
    return found.kind === 'text' && found.expiresAt > this.#options.clock.now() ? found.text : undefined;
  }

  async forget(id: string): Promise<boolean> {
    try {
      await unlink(this.#folder.entryPath(entryName(id)));
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return false;
      throw error;
    }
  }

  /** Deletes all texts, set-aside files and recorded limits, but keeps the key of ids. */
  async empty(): Promise<number> {
    const { texts } = await this.usage();
    for (const { path } of await listEntries(this.#folder.texts)) await rm(path, { force: true });
    for (const name of await readdir(this.#folder.path)) {
      const isOurs = name === LIMITS_FILE || name.includes(SET_ASIDE);
      if (isOurs) await rm(join(this.#folder.path, name), { recursive: true, force: true });
    }
    this.#held = 0;
    this.#recording = undefined;
    return texts;
  }

  async usage(): Promise<StoreUsage> {
    return usageOf(await listEntries(this.#folder.texts), this.#options.clock.now());
  }

  async heldBytes(): Promise<number> {
    this.#held ??= (await this.usage()).bytes;
    return this.#held;
  }

  /** Deletes entries that are too old or exceed the size limit, unless another process does so. Never rejects. */
  async sweep(): Promise<void> {
    await this.#sweeping;
    this.#startSweep();
    await this.#sweeping;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await withTimeoutOr(this.#sweeping ?? Promise.resolve(), MAX_CLOSING_MS, undefined);
    this.#closing.abort();
  }

  async #sweepOnce(): Promise<void> {
    const release = await tryFileLock(join(this.#folder.path, 'sweeping'), SWEEP_LOCK_STALE_MS);
    if (release === undefined) return;
    try {
      const { maxBytes, ttlMs } = await this.#recordLimits();
      const entries = await listEntries(this.#folder.texts);
      const room = maxBytes - Math.floor(maxBytes / SWEEP_SHARE);
      const { signal } = this.#closing;
      const limits = { now: this.#options.clock.now(), ttlMs, maxBytes: room, signal };
      this.#held = await removeOldEntries(entries, limits);
      const folders = new Set(entries.map(({ path }) => join(path, '..')));
      await removeLeftovers([this.#folder.drafts, ...folders]);
    } finally {
      await release();
    }
  }

  async #publish(name: EntryName, text: string, known: 'none' | 'damaged' | 'text'): Promise<boolean> {
    const bytes = await this.#encode(name, text);
    const isPublished =
      known === 'none'
        ? await this.#folder.add(name, bytes, this.#expiry())
        : await this.#folder.replace(name, bytes, this.#expiry()).then(() => true);
    if (isPublished) this.#count(bytes);
    return isPublished;
  }

  async #encode(name: EntryName, text: string): Promise<Buffer> {
    const bytes = await encodeEntry(name, text);
    const { maxBytes } = this.#options;
    if (bytes.length > maxBytes)
      throw new RangeError(`text of ${bytes.length} bytes exceeds the store's ${maxBytes}`);
    // Limits are recorded before the entry exists. Otherwise another process with smaller limits could delete
    // it.
    this.#recording ??= this.#recordLimits().then(
      () => {},
      () => {},
    );
    await this.#recording;
    return bytes;
  }

  #expiry(): number {
    return this.#options.clock.now() + this.#options.ttlMs;
  }

  #count(bytes: Uint8Array): void {
    const size = bytesOnDisk(bytes.length);
    if (this.#held !== undefined) this.#held += size;
    this.#putsSinceSweep += 1;
    this.#bytesSinceSweep += size;
    const isDue =
      this.#putsSinceSweep >= SWEEP_EVERY_PUTS ||
      this.#bytesSinceSweep >= this.#options.maxBytes / SWEEP_SHARE;
    if (isDue) this.#startSweep();
  }

  #startSweep(): void {
    if (this.#sweeping !== undefined) return;
    this.#putsSinceSweep = 0;
    this.#bytesSinceSweep = 0;
    this.#sweeping = this.#sweepOnce()
      .catch(() => {})
      .finally(() => {
        this.#sweeping = undefined;
      });
  }

  /** Records the larger of the recorded and the configured limits, and returns them. */
  async #recordLimits(): Promise<Limits> {
    const path = join(this.#folder.path, LIMITS_FILE);
    const recorded = readLimits(path);
    const limits = {
      maxBytes: Math.max(this.#options.maxBytes, recorded.maxBytes),
      ttlMs: Math.max(this.#options.ttlMs, recorded.ttlMs),
    };
    if (limits.maxBytes > recorded.maxBytes || limits.ttlMs > recorded.ttlMs)
      await replaceFile(path, JSON.stringify(limits));
    return limits;
  }
}

interface Limits {
  readonly maxBytes: number;
  readonly ttlMs: number;
}

const LIMITS_FILE = 'limits.json';
const MAX_LIMITS_BYTES = 4096;

/** Returns zeros if no limits could be read. */
function readLimits(path: string): Limits {
  const file = readRegularFile(path, { maxBytes: MAX_LIMITS_BYTES, followLinks: true });
  try {
    const { maxBytes, ttlMs }: Partial<Limits> = JSON.parse(String(file.kind === 'read' ? file.bytes : '{}'));
    return { maxBytes: sizeOf(maxBytes), ttlMs: sizeOf(ttlMs) };
  } catch {
    return { maxBytes: 0, ttlMs: 0 };
  }
}

function sizeOf(value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : 0;
}
