import { randomBytes } from 'node:crypto';
import { lstatSync, renameSync } from 'node:fs';
import { link, open, rename, rm, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { makeFolder } from '@secateur/base/runtime/writing-files.ts';
import type { EntryName } from './entries.ts';

/** A file or folder that was renamed because it could not be used. */
export interface SetAside {
  readonly reason: string;
  readonly movedTo: string;
}

export interface StoreFolderOptions {
  readonly directory: string;
  readonly now: () => number;
  readonly onSetAside?: ((moved: SetAside) => void) | undefined;
}

/** Suffix of files that were set aside, followed by the time. */
export const SET_ASIDE = '.set-aside-';

/** Data files of versions that stored texts in LMDB. */
const LMDB_FILES = ['data.mdb', 'lock.mdb'];

/**
 * Folder of the store. A file is written as a draft and then published under its name, so that readers never
 * see a part of it. If something else is in the place of a folder or the key, it is renamed, reported once,
 * and replaced.
 */
export class StoreFolder {
  readonly path: string;
  readonly texts: string;
  readonly drafts: string;
  readonly #options: StoreFolderOptions;

  constructor(options: StoreFolderOptions) {
    this.#options = options;
    this.path = options.directory;
    this.texts = join(options.directory, 'texts');
    this.drafts = join(options.directory, 'drafts');
  }

  /** Creates the folder. Throws if its parent folder cannot be written. */
  prepare(): void {
    this.#ensureFolder(this.path);
    const [data = '', lock = ''] = LMDB_FILES.map((name) => join(this.path, name));
    const reason = 'an earlier version stored texts there in another format; they cannot be recovered';
    if (lstatSync(data, { throwIfNoEntry: false }) !== undefined) this.#setAside(data, reason);
    if (lstatSync(lock, { throwIfNoEntry: false }) !== undefined) this.#move(lock);
  }

  entryPath({ folder, file }: EntryName): string {
    return join(this.texts, folder, file);
  }

  /** Publishes a new entry. Returns `false` if the name exists already. */
  async add(name: EntryName, bytes: Uint8Array, expiresAt: number): Promise<boolean> {
    const path = this.entryPath(name);
    return this.#withDraft(bytes, expiresAt, (draft) => this.#withFolders(name, () => publish(draft, path)));
  }

  /** Publishes an entry, and replaces whatever has its name. */
  async replace(name: EntryName, bytes: Uint8Array, expiresAt: number): Promise<void> {
    const path = this.entryPath(name);
    await this.#withDraft(bytes, expiresAt, (draft) =>
      this.#withFolders(name, async () => {
        await rename(draft, path).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw error;
          await rm(path, { recursive: true, force: true });
          await rename(draft, path);
        });
      }),
    );
  }

  /** Renews an entry. Returns `false` if it was deleted. */
  async renew(name: EntryName, expiresAt: number): Promise<boolean> {
    try {
      await utimes(this.entryPath(name), expiresAt / 1000, expiresAt / 1000);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  /** Returns the key of ids. It is the key of the process that was the first to publish one. */
  async idKey(newKey: () => Uint8Array): Promise<Uint8Array> {
    const path = join(this.path, 'id-key');
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const found = readKey(path);
      if (found.kind === 'key') return found.key;
      if (found.kind === 'damaged')
        this.#setAside(path, 'the key of ids is damaged; known ids stay recoverable');
      await this.#withDraft(sealKey(newKey()), this.#options.now(), (draft) => publish(draft, path));
    }
    throw new Error('the key of ids could not be written');
  }

  async #withDraft<Result>(bytes: Uint8Array, mtime: number, use: (draft: string) => Promise<Result>) {
    const draft = join(this.drafts, randomBytes(12).toString('hex'));
    try {
      await writeDraft(draft, bytes, mtime).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
        this.#ensureFolder(this.path);
        this.#ensureFolder(this.drafts);
        await writeDraft(draft, bytes, mtime);
      });
      return await use(draft);
    } finally {
      await unlink(draft).catch(() => {});
    }
  }

  async #withFolders<Result>({ folder }: EntryName, action: () => Promise<Result>): Promise<Result> {
    return action().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
      this.#ensureFolder(this.texts);
      this.#ensureFolder(join(this.texts, folder));
      return action();
    });
  }

  #ensureFolder(path: string): void {
    try {
      makeFolder(path);
    } catch (error) {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined || found.isDirectory()) throw error;
      this.#setAside(path, 'it is not a folder');
      makeFolder(path);
    }
  }

  #setAside(path: string, reason: string): void {
    const movedTo = this.#move(path);
    if (movedTo !== undefined) this.#options.onSetAside?.({ reason, movedTo });
  }

  /** Returns `undefined` if another process has renamed it first. */
  #move(path: string): string | undefined {
    const movedTo = `${path}${SET_ASIDE}${this.#options.now()}-${randomBytes(3).toString('hex')}`;
    try {
      renameSync(path, movedTo);
      return movedTo;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

const MAX_ATTEMPTS = 5;
const OWNER_ONLY = 0o600;

/** Writes a draft without fsync. `kill -9` loses no data, and a power failure loses at most the last seconds. */
async function writeDraft(draft: string, bytes: Uint8Array, mtimeMs: number): Promise<void> {
  const file = await open(draft, 'wx', OWNER_ONLY);
  try {
    await file.chmod(OWNER_ONLY);
    await file.writeFile(bytes);
    await file.utimes(mtimeMs / 1000, mtimeMs / 1000);
  } finally {
    await file.close();
  }
}

/** Publishes a draft. Unlike `rename`, fails if the name exists. On file systems without hard links, uses `rename`. */
async function publish(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!WITHOUT_LINKS.has(code)) throw error;
    await rename(draft, path);
    return true;
  }
}

const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const KEY_BYTES = 32;

function sealKey(key: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(key));
  return Buffer.concat([key, sum]);
}

type FoundKey = { kind: 'none' } | { kind: 'damaged' } | { kind: 'key'; key: Uint8Array };

function readKey(path: string): FoundKey {
  const file = readRegularFile(path, { maxBytes: KEY_BYTES * 2 });
  if (file.kind === 'refused') {
    if (file.code === 'unreadable') throw new Error(`${path} ${file.reason}`);
    return { kind: file.code === 'missing' ? 'none' : 'damaged' };
  }
  const key = file.bytes.subarray(0, KEY_BYTES);
  return file.bytes.equals(sealKey(key)) ? { kind: 'key', key } : { kind: 'damaged' };
}
