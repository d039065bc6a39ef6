import { bareLine } from './focus/bare-line.ts';
import { textHash } from './focus.ts';
import { readCharacters } from './scorers/lexical/char-text.ts';
import { readWords } from './scorers/lexical/line-words.ts';

/** Shorter lines (`}`, `return`) are the same everywhere: having seen one says nothing. */
export const SHORTEST_KNOWN = 8;

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
