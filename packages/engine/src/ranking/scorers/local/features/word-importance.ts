import { WORD_IMPORTANCE } from './word-importance-table.ts';

const ENTRY_BYTES = 5;
const UNKNOWN = 1;

/** How telling a word of a goal is, 1 for one that nothing is known of; by the word's first hash. */
export function importanceOf(hash: number): number {
  return TABLE.get(hash) ?? UNKNOWN;
}

const TABLE: ReadonlyMap<number, number> = readTable(Buffer.from(WORD_IMPORTANCE, 'base64'));

/** Entries of a 32-bit hash and the importance in 64ths. */
function readTable(bytes: Buffer): Map<number, number> {
  const table = new Map<number, number>();
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    table.set(bytes.readInt32LE(at), bytes.readUInt8(at + 4) / 64);
  }
  return table;
}
