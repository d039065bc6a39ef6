import type { Numbering } from '@secateur/base/text/lines.ts';
import { noteKey, type RecoveryStore } from './store.ts';
import { unlessDamaged } from './stores/text-codec.ts';

/** Stores notes about texts, which expire with the texts. They are for people who check cuts, not for agents. */
export interface Notes {
  /** Stores a note. A failure is not reported, because without the note only the explanation is missing. */
  keep(id: string, note: string): void;
  /** Returns a note; `undefined` if it is missing, expired or damaged. Rejects if the store does not respond. */
  read(id: string): Promise<string | undefined>;
  /** Returns the whole text, with the numbering of its markers; `undefined` if it has expired. */
  textOf(id: string): Promise<NumberedText | undefined>;
  /** Resolves when all notes have been stored or have failed. */
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

/** A text with the numbering of its lines. Both are in one store entry, so that neither exists without the other. */

export interface NumberedText {
  readonly text: string;
  /** Line numbers in the markers of the cut. Default: lines count from 1. */
  readonly numbering?: Numbering | undefined;
}

/** Beginning of an entry that contains a numbering. A text that begins like this is stored with a numbering too. */
const MARK = '\u0000✂ line numbers ';

export function packText({ text, numbering }: NumberedText): string {
  if (numbering === undefined) return text.startsWith(MARK) ? `${MARK}1\n${text}` : text;
  return `${MARK}${numbering.kind === 'shown' ? 'shown' : numbering.firstLine}\n${text}`;
}

export function unpackText(entry: string): NumberedText {
  if (!entry.startsWith(MARK)) return { text: entry };
  const end = entry.indexOf('\n');
  const said = entry.slice(MARK.length, end);
  return { text: entry.slice(end + 1), numbering: numberingFrom(said) };
}

function numberingFrom(said: string): Numbering | undefined {
  if (said === 'shown') return { kind: 'shown' };
  const firstLine = Number(said);
  return firstLine > 1 ? { kind: 'from', firstLine } : undefined;
}
