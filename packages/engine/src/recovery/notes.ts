import { type NumberedText, unpackText } from './numbered-text.ts';
import { noteKey, type RecoveryStore } from './store.ts';
import { unlessDamaged } from './stores/text-codec.ts';

/** Remembered texts with short notes about them, which live as long as they do. For people who check, not for agents. */
export interface Notes {
  /** Never rejects: a note that cannot be kept is missed only by its reader. */
  keep(id: string, note: string): void;
  /**
   * Returns `undefined` if the note is missing, expired or damaged. Rejects if the store does not respond.
   */
  read(id: string): Promise<string | undefined>;
  /** The whole text, however long, and how its markers count lines; `undefined` if it has expired. */
  textOf(id: string): Promise<NumberedText | undefined>;
  /** Resolves when all notes are kept or given up. */
  settled(): Promise<void>;
}

export function createNotes(store: Pick<RecoveryStore, 'put' | 'get'>): Notes {
  const pending = new Set<Promise<void>>();
  return {
    keep: (id, note) => {
      const kept = store
        .put(noteKey(id), note)
        .catch(() => {})
        .finally(() => pending.delete(kept));
      pending.add(kept);
    },
    read: (id) => store.get(noteKey(id)).catch(unlessDamaged),
    textOf: async (id) => {
      const entry = await store.get(id).catch(unlessDamaged);
      return entry === undefined ? undefined : unpackText(entry);
    },
    settled: async () => {
      await Promise.all(pending);
    },
  };
}
