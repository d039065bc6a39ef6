import { folded, JOINER, kindOf } from './characters.ts';

const MAX_WORD_CHARS = 48;

/**
 * Hashes words as they are compared: lower case and stemmed, so that `Caches`, `cached` and `caching` are one word.
 * `first` and `second` hold the last word's two hashes.
 */
export class WordHash {
  first = 0;
  second = 0;
  readonly #codes = new Uint16Array(MAX_WORD_CHARS);
  #length = 0;

  /** A single word or piece of an identifier. */
  ofPiece(text: string, start: number, end: number): void {
    this.#read(text, start, end);
    this.#length = stemLength(this.#codes, this.#length);
    this.#hash(PIECE_SEED);
  }

  /** A whole identifier, its pieces joined: `get_user`, `getUser` and `GetUser` are one. */
  ofCompound(text: string, start: number, end: number): void {
    this.#read(text, start, end);
    this.#hash(COMPOUND_SEED);
  }

  /** An identifier letter by letter, case kept. */
  ofExact(text: string, start: number, end: number): void {
    const stop = Math.min(end, start + MAX_WORD_CHARS);
    let length = 0;
    for (let at = start; at < stop; at += 1) this.#codes[length++] = text.charCodeAt(at);
    this.#length = length;
    this.#hash(EXACT_SEED);
  }

  /** The first characters of a piece: `config` and `configuration` share theirs. */
  ofPrefix(text: string, start: number, end: number): void {
    this.#read(text, start, Math.min(end, start + PREFIX_CHARS));
    this.#hash(PREFIX_SEED);
  }

  #read(text: string, start: number, end: number): void {
    const stop = Math.min(end, start + MAX_WORD_CHARS);
    let length = 0;
    for (let at = start; at < stop; at += 1) {
      const code = text.charCodeAt(at);
      if (kindOf(code) !== JOINER) this.#codes[length++] = folded(code);
    }
    this.#length = length;
  }

  #hash(seed: number): void {
    let first = seed;
    let second = ~seed;
    for (let at = 0; at < this.#length; at += 1) {
      const code = this.#codes[at] as number;
      first = Math.imul(first ^ code, 0x01000193);
      second = Math.imul(second + code, 0x9e3779b1) ^ (second >>> 13);
    }
    this.first = first ^ (first >>> 16);
    this.second = second | 0;
  }
}

export const PREFIX_CHARS = 5;
const PIECE_SEED = 0x811c9dc5 | 0;
const COMPOUND_SEED = 0x1b873593 | 0;
const EXACT_SEED = 0x2545f491 | 0;
const PREFIX_SEED = 0x5bd1e995 | 0;

const E = 101;
const S = 115;
const D = 100;
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
  const doubled = stem > 3 && last === codes[stem - 2] && last !== S && last !== 108;
  return doubled ? stem - 1 : stem;
}

function endingStart(codes: Uint16Array, length: number): number {
  if (length >= 6 && codes[length - 3] === I && codes[length - 2] === N && codes[length - 1] === G) {
    return length - 3;
  }
  if (length >= 5 && codes[length - 2] === E && codes[length - 1] === D) return length - 2;
  return length;
}
