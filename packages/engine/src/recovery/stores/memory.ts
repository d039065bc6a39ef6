import type { Clock } from '@secateur/base/runtime/time.ts';
import type { RecoveryStore } from '../store.ts';

export interface MemoryStoreOptions {
  ttlMs: number;
  /** Maximum bytes. The oldest texts are dropped first. A single text that is larger is refused. */
  maxBytes: number;
  clock: Clock;
  randomBytes: (size: number) => Uint8Array;
}

/** Keeps texts in the memory of this process. This is fast and limited, and the texts are lost at exit. */
export class MemoryStore implements RecoveryStore {
  readonly #options: MemoryStoreOptions;
  readonly #idKey: Uint8Array;
  /** Entries by the time of their last put, oldest first. A Map iterates in order of insertion. */
  readonly #entries = new Map<string, { text: string; bytes: number; expiresAt: number }>();
  #bytes = 0;

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    this.#idKey = options.randomBytes(32);
  }

  async idKey(): Promise<Uint8Array> {
    return this.#idKey;
  }

  async put(id: string, text: string): Promise<void> {
    const bytes = bytesHeld(id, text);
    if (bytes > this.#options.maxBytes)
      throw new RangeError(`text of ${bytes} bytes exceeds the store's ${this.#options.maxBytes}`);
    this.#drop(id);
    this.#entries.set(id, { text, bytes, expiresAt: this.#options.clock.now() + this.#options.ttlMs });
    this.#bytes += bytes;
    this.#makeRoom();
  }

  async putNew(id: string, text: string): Promise<boolean> {
    const known = await this.get(id);
    if (known !== undefined && known !== text) return false;
    await this.put(id, text);
    return true;
  }

  async get(id: string): Promise<string | undefined> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.#options.clock.now()) return entry.text;
    this.#drop(id);
    return undefined;
  }

  async forget(id: string): Promise<boolean> {
    const isKnown = this.#entries.has(id);
    this.#drop(id);
    return isKnown;
  }

  heldBytes(): number {
    return this.#bytes;
  }

  async close(): Promise<void> {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #makeRoom(): void {
    const now = this.#options.clock.now();
    for (const [id, entry] of this.#entries) {
      if (entry.expiresAt > now && this.#bytes <= this.#options.maxBytes) return;
      this.#drop(id);
    }
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#bytes -= entry.bytes;
  }
}

/** Returns an upper bound. V8 stores Latin-1 strings with one byte per character and others with two. */
function bytesHeld(id: string, text: string): number {
  return 2 * (id.length + text.length) + 128;
}
