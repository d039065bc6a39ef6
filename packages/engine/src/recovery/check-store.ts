import type { RecoveryStore } from './store.ts';

/** Writes a text, reads it back and deletes it. Returns what went wrong, or `undefined` if the store works. */
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
