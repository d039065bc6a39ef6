/**
 * Stores original texts under their ids. Every store implements one contract (`test/recovery/store-contract.ts`). `get`
 * returns what was put until its time to live ends. A limited store may drop it earlier to free space for newer texts.
 */
export interface RecoveryStore {
  /** Returns the secret that makes ids unguessable. It is stored with the data: ids are stable as long as the data. */
  idKey(): Promise<Uint8Array>;
  /**
   * Resolves when the text is as durable as the store promises. Overwrites another text under the id, or renews the
   * time to live of an equal text.
   */
  put(id: string, text: string): Promise<void>;
  /** Like `put`, but returns `false` and stores nothing if another text has the id. */
  putNew(id: string, text: string): Promise<boolean>;
  /** Returns the stored text. Rejects with `DamagedText` if the stored bytes are not those that were put. */
  get(id: string): Promise<string | undefined>;
  /** Deletes a text. Returns `false` if the id is unknown. */
  forget(id: string): Promise<boolean>;
  /** Deletes all texts and returns how many there were. Absent if the store is shared with other programs. */
  empty?(): Promise<number>;
  /** Counts what is stored. Absent if the store is shared with other programs. */
  usage?(): Promise<StoreUsage>;
  /** Returns the approximate number of stored bytes, quickly. Absent if other programs share the store. */
  heldBytes?(): number | Promise<number> | undefined;
  close(): Promise<void>;
}

export interface StoreUsage {
  /** Texts that can be recovered. */
  readonly texts: number;
  /** Bytes of all entries: texts, records of cuts, and expired entries that were not deleted yet. */
  readonly bytes: number;
  /** Time at which the last text expires, in ms since the epoch; absent if nothing is stored. */
  readonly until?: number | undefined;
}

/** Returns the key of the record that explains the cut with this id. The prefix cannot occur in an id of a text. */
export function noteKey(id: string): string {
  return `${NOTE_PREFIX}${id}`;
}

/** Whether a key belongs to a record of a cut, not to a text. The name of an owner may precede either. */
export function isNoteKey(key: string): boolean {
  return key.slice(key.lastIndexOf('/') + 1).startsWith(NOTE_PREFIX);
}

const NOTE_PREFIX = 'note:';

/** Writes a text, reads it and deletes it. Returns the problem, or `undefined` if the store works. */
export async function checkStore(
  store: RecoveryStore,
  randomBytes: (size: number) => Uint8Array,
): Promise<string | undefined> {
  const text = Buffer.from(randomBytes(16)).toString('hex');
  const id = `check:${text}`;
  try {
    await store.put(id, text);
    const found = await store.get(id);
    // A Redis user may lack the permission to delete; the text expires anyway.
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
 * Gives each text an owner, the user whose call stored it. Under an id, other owners find no text. Without an owner,
 * all callers share the texts, as on a machine of one user.
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
