import { FOLDED, JOINER, KINDS } from './characters.ts';

const MAX_WORD_CHARS = 48;

/**
 * Hashes words as they are compared: lower case and stemmed, so that `Caches`, `cached` and `caching` are one word.
 * `first` and `second` hold the last word's two hashes.
 */
export class WordHash {
  first = 0;
  second = 0;
  readonly #word = new Uint16Array(MAX_WORD_CHARS);

  /** A single word or piece of an identifier. */
  ofPiece(codes: Uint16Array, start: number, end: number): void {
    const length = this.#fold(codes, start, Math.min(end, start + MAX_WORD_CHARS));
    this.#hash(PIECE_SEED, this.#word, { start: 0, end: stemLength(this.#word, length) });
  }

  /** A whole identifier, its pieces joined: `get_user`, `getUser` and `GetUser` are one. */
  ofCompound(codes: Uint16Array, start: number, end: number): void {
    const length = this.#fold(codes, start, Math.min(end, start + MAX_WORD_CHARS));
    this.#hash(COMPOUND_SEED, this.#word, { start: 0, end: length });
  }

  /** The first characters of a piece: `config` and `configuration` share theirs. */
  ofPrefix(codes: Uint16Array, start: number, end: number): void {
    const length = this.#fold(codes, start, Math.min(end, start + PREFIX_CHARS));
    this.#hash(PREFIX_SEED, this.#word, { start: 0, end: length });
  }

  /** An identifier letter by letter, case kept. */
  ofExact(codes: Uint16Array, start: number, end: number): void {
    this.#hash(EXACT_SEED, codes, { start, end: Math.min(end, start + MAX_WORD_CHARS) });
  }

  /** An identifier to its last letter, however long, case kept. */
  ofWhole(codes: Uint16Array, start: number, end: number): void {
    this.#hash(EXACT_SEED, codes, { start, end });
  }

  #fold(codes: Uint16Array, start: number, end: number): number {
    const word = this.#word;
    let length = 0;
    for (let at = start; at < end; at += 1) {
      const code = codes[at] as number;
      if (KINDS[code] !== JOINER) word[length++] = FOLDED[code] as number;
    }
    return length;
  }

  #hash(seed: number, word: Uint16Array, { start, end }: { start: number; end: number }): void {
    let first = seed;
    let second = ~seed;
    for (let at = start; at < end; at += 1) {
      const code = word[at] as number;
      first = Math.imul(first ^ code, 0x01000193);
      second = Math.imul(second + code, 0x9e3779b1) ^ (second >>> 13);
    }
    this.first = first ^ (first >>> 16);
    this.second = second;
  }
}

const PREFIX_CHARS = 5;
const PIECE_SEED = 0x811c9dc5 | 0;
const COMPOUND_SEED = 0x1b873593 | 0;
const EXACT_SEED = 0x2545f491 | 0;
const PREFIX_SEED = 0x5bd1e995 | 0;

const E = 101;
const S = 115;
const D = 100;
const L = 108;
const Y = 121;
const I = 105;
const N = 110;
const G = 103;
const U = 117;

/** A light stemmer: plural, -ed, -ing, and the final e or y that they hide. Returns the stem's length; may rewrite its last letter. */
function stemLength(codes: Uint16Array, length: number): number {
  if (length < 4) return length;
  const bare = withoutEnding(codes, withoutPlural(codes, length));
  const last = codes[bare - 1];
  if (bare > 3 && last === E) return bare - 1;
  if (last === Y) codes[bare - 1] = I;
  return bare;
}

function withoutPlural(codes: Uint16Array, length: number): number {
  if (codes[length - 1] !== S) return length;
  const before = codes[length - 2];
  if (before === S || before === U || before === I) return length;
  // `queries` and `query` meet at `queri`, `caches` and `cache` at `cach`.
  if (before === E && codes[length - 3] === I && length > 4) return length - 2;
  return length - 1;
}

function withoutEnding(codes: Uint16Array, length: number): number {
  const stem = endingStart(codes, length);
  if (stem === length) return length;
  const last = codes[stem - 1] as number;
  const doubled = stem > 3 && last === codes[stem - 2] && last !== S && last !== L;
  return doubled ? stem - 1 : stem;
}

function endingStart(codes: Uint16Array, length: number): number {
  if (length >= 6 && codes[length - 3] === I && codes[length - 2] === N && codes[length - 1] === G) {
    return length - 3;
  }
  if (length >= 5 && codes[length - 2] === E && codes[length - 1] === D) return length - 2;
  return length;
}
