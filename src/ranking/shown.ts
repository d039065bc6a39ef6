import { bareLine } from './focus/bare-line.ts';
import { type Focus, textHash } from './focus.ts';
import { readCharacters } from './scorers/lexical/char-text.ts';
import { readWords } from './scorers/lexical/line-words.ts';

/** Shorter lines (`}`, `return`) are the same everywhere: having seen one says nothing. */
const SHORTEST_KNOWN = 8;

/** Adds a text that the agent was shown, or wrote itself, to what it knows: hashes of its lines and words, never the text. */
export function rememberShown(seen: Set<number>, text: string): void {
  const lines = text.split('\n');
  for (const line of lines) {
    const bare = bareLine(line);
    if (bare.length >= SHORTEST_KNOWN) seen.add(textHash(bare));
  }
  const { vocabulary } = readWords(readCharacters(lines), '');
  for (let word = 0; word < vocabulary.size; word += 1) seen.add(vocabulary.hashOf(word) >>> 0);
}

/** By which a line is known again, at whatever depth and with whatever number before it. */
export function lineHash(line: string): number {
  return textHash(bareLine(line));
}

/** Whether the run has shown a line, at whatever depth and with whatever number before it. */
export function isShown(line: string, seen: Focus['seen']): boolean {
  return seen !== undefined && isBareLineShown(bareLine(line), seen);
}

/** The same for a line that `bareLine` has read. */
export function isBareLineShown(bare: string, seen: ReadonlySet<number>): boolean {
  return bare.length >= SHORTEST_KNOWN && seen.has(textHash(bare));
}
