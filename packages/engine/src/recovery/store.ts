/**
 * Stores original texts under their ids. All stores pass the same tests (`test/recovery/store-contract.ts`).
 * A text can be read until its time to live ends, but a store with a size limit may drop it earlier for newer
 * texts.
 */
export interface RecoveryStore {
  /** Returns the secret that makes ids unguessable. It is stored with the texts, so ids stay valid as long as the texts. */
  idKey(): Promise<Uint8Array>;
  /**
   * Stores a text. Resolves when it is as durable as the store promises. Replaces another text under the id,
   * and renews the time to live of an equal one.
   */
  put(id: string, text: string): Promise<void>;
  /** Like `put`, but returns `false` and stores nothing if another text has the id. */
  putNew(id: string, text: string): Promise<boolean>;
  /** Returns a text. Rejects with `DamagedText` if the stored bytes have changed. */
  get(id: string): Promise<string | undefined>;
  /** Deletes a text. Returns `false` if nothing is stored under the id. */
  forget(id: string): Promise<boolean>;
  /** Deletes all texts and returns their number. Absent if other programs use the store too. */
  empty?(): Promise<number>;
  /** Counts what is stored. Absent if other programs use the store too. */
  usage?(): Promise<StoreUsage>;
  /** Returns the approximate number of stored bytes without reading them all. Absent if other programs use the store too. */
  heldBytes?(): number | Promise<number> | undefined;
  close(): Promise<void>;
}

export interface StoreUsage {
  /** Texts that can be recovered. */
  readonly texts: number;
  /** Bytes of all entries: texts, records of cuts, and expired entries that are not deleted yet. */
  readonly bytes: number;
  /** Time in ms since the epoch at which the last text expires. Absent if nothing is stored. */
  readonly until?: number | undefined;
}

/** Returns the key of the record that explains a cut. Its prefix cannot occur in the id of a text. */
export function noteKey(id: string): string {
  return `${NOTE_PREFIX}${id}`;
}

/** Whether a key belongs to a record of a cut and not to a text. The name of an owner may precede both. */
export function isNoteKey(key: string): boolean {
  return key.slice(key.lastIndexOf('/') + 1).startsWith(NOTE_PREFIX);
}

const NOTE_PREFIX = 'note:';

/** Writes a text, reads it and deletes it. Returns the problem; `undefined` if the store works. */
export async function checkStore(
  store: RecoveryStore,
  randomBytes: (size: number) => Uint8Array,
): Promise<string | undefined> {
  const text = Buffer.from(randomBytes(16)).toString('hex');
  const id = `check:${text}`;
  try {
    await store.put(id, text);
    const found = await store.get(id);
    // A Redis user may not be allowed to delete. This is not an error, because the text expires anyway.
    await store.forget(id).catch(() => false);
    return found === text ? undefined : 'what was written is not what is read back';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return REASONS[code ?? ''] ?? message;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'files may not grow',
  EROFS: 'the file system is read-only',
  EACCES: 'the folder may not be written',
  EPERM: 'the folder may not be written',
  EIO: 'the disk has a fault',
};

/**
 * Gives each text an owner: the user whose call stored it. Other owners do not find it. Without an owner all
 * callers share the texts, as on a machine of one user.
 */
export function ownedStore(store: RecoveryStore, owner: () => string | undefined): RecoveryStore {
  const own = (id: string) => {
    const name = owner();
    return name === undefined ? id : `${name}/${id}`;
  };
  return {
    idKey: () => store.idKey(),
    put: (id, text) => store.put(own(id), text),
    putNew: (id, text) => store.putNew(own(id), text),
    forget: (id) => store.forget(own(id)),
    get: (id) => store.get(own(id)),
    heldBytes: () => store.heldBytes?.(),
    ...(store.empty && { empty: store.empty.bind(store) }),
    ...(store.usage && { usage: store.usage.bind(store) }),
    close: () => store.close(),
  };
}
