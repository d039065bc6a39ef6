import { characterCodes } from '@secateur/base/text/character-codes.ts';
import { WordHash } from './word-hash.ts';

const WORDS =
  'a an and are as at be been but by can cannot could did do does doing for from get had has have having he her here his how i if in into is it its ' +
  'just let like make may me might my no not of on one only or our out over please she should so some such than that the their them then there these ' +
  'they this those through to too under up us use used using very want was we were what when where which while who whom why will with would you your ' +
  'after again all also am any because before being between both down during each few further more most must now off once other own same still until';

/** Whether a word, given by its first hash, says nothing about a goal. */
export function isStopWord(hash: number): boolean {
  if (MAYBE[hash & MAYBE_MASK] === 0) return false;
  return STOP_HASHES.has(hash);
}

const STOP_HASHES: ReadonlySet<number> = new Set(WORDS.split(' ').map(hashOf));

/** Most words are not stop words: a small table says so faster than the set. */
const MAYBE_MASK = 0xfff;
const MAYBE = new Uint8Array(MAYBE_MASK + 1);
for (const hash of STOP_HASHES) MAYBE[hash & MAYBE_MASK] = 1;

function hashOf(word: string): number {
  const hash = new WordHash();
  hash.ofPiece(characterCodes(word), 0, word.length);
  return hash.first;
}
