import { characterCodes } from '@secateur/base/text/characters.ts';

export const OTHER = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
/** `_` and `$`, which join pieces of an identifier. */
export const JOINER = 4;
/** Scripts without spaces between words, in which each character counts as a word. */
export const IDEOGRAPH = 5;

const CAPITALS = [
  [65, 90],
  [0xc0, 0xd6],
  [0xd8, 0xde],
  [0x391, 0x3a9],
  [0x410, 0x42f],
] as const;

/** Kind of each character within a word, by its code. */
export const KINDS: Uint8Array = kinds();

/** Lower case of ASCII, Latin-1, Greek and Cyrillic capitals. Other characters are unchanged. */
const FOLDED: Uint16Array = folded();

/** Fills the table by ranges. Every process and worker does this at start, so it must be fast. */
function kinds(): Uint8Array {
  return (
    new Uint8Array(0x10000)
      .fill(LOWER, 97, 123)
      .fill(UPPER, 65, 91)
      .fill(DIGIT, 48, 58)
      .fill(JOINER, 95, 96)
      .fill(JOINER, 36, 37)
      // Accented and non-Latin letters count as lower case, because only ASCII capitals split identifiers.
      .fill(LOWER, 0xc0)
      .fill(OTHER, 0x2000, 0x2c00)
      .fill(OTHER, 0x3000, 0x3040)
      .fill(IDEOGRAPH, 0x3040, 0xa000)
      .fill(OTHER, 0xd800, 0xf900)
  );
}

function folded(): Uint16Array {
  const codes = new Uint16Array(0x10000);
  for (let code = 0; code < 0x10000; code += 1) codes[code] = code;
  for (const [first, last] of CAPITALS)
    for (let code = first; code <= last; code += 1) codes[code] = code + 32;
  return codes;
}

/** Maximum characters read per line, so that a line of several megabytes takes no longer than other long lines. */
export const MAX_LINE_CHARS = 4096;

export interface CharText {
  codes: Uint16Array;
  /** Line `i` begins at `starts[i]` and ends before its line feed at `starts[i + 1] - 1`. */
  starts: Int32Array;
}

export function readCharacters(lines: readonly string[]): CharText {
  const starts = new Int32Array(lines.length + 1);
  let tooLong = false;
  for (let line = 0; line < lines.length; line += 1) {
    const length = (lines[line] as string).length;
    if (length > MAX_LINE_CHARS) tooLong = true;
    starts[line + 1] = (starts[line] as number) + Math.min(length, MAX_LINE_CHARS) + 1;
  }
  const shown = tooLong ? lines.map((line) => line.slice(0, MAX_LINE_CHARS)) : lines;
  return { codes: characterCodes(`${shown.join('\n')}\n`), starts };
}

const MAX_WORD_CHARS = 48;

/**
 * Hashes words in the form in which they are compared: in lower case and stemmed, so that `Caches`, `cached`
 * and `caching` are the same word. `first` and `second` are the two hashes of the last word.
 */
export class WordHash {
  first = 0;
  second = 0;
  readonly #word = new Uint16Array(MAX_WORD_CHARS);

  /** Hashes a single word or a piece of an identifier. */
  ofPiece(codes: Uint16Array, start: number, end: number): void {
    const length = this.#fold(codes, start, Math.min(end, start + MAX_WORD_CHARS));
    this.#hash(PIECE_SEED, this.#word, { start: 0, end: stemLength(this.#word, length) });
  }

  /** Hashes an identifier without its separators: `get_user`, `getUser` and `GetUser` are the same. */
  ofCompound(codes: Uint16Array, start: number, end: number): void {
    const length = this.#fold(codes, start, Math.min(end, start + MAX_WORD_CHARS));
    this.#hash(COMPOUND_SEED, this.#word, { start: 0, end: length });
  }

  /** Hashes all characters of an identifier as they are. */
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

const PIECE_SEED = 0x811c9dc5 | 0;
const COMPOUND_SEED = 0x1b873593 | 0;
const EXACT_SEED = 0x2545f491 | 0;

const [D, E, G, I, L, N, S, U, Y] = [100, 101, 103, 105, 108, 110, 115, 117, 121] as const;

/**
 * A simple stemmer, which removes plural, -ed, -ing, and a final e or y. Returns the length of the stem, and
 * may change its last letter.
 */
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
  // `queries` and `query` both become `queri`, `caches` and `cache` both `cach`.
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

const WORDS =
  'a an and are as at be been but by can cannot could did do does doing for from get had has have having he her here his how i if in into is it its ' +
  'just let like make may me might my no not of on one only or our out over please she should so some such than that the their them then there these ' +
  'they this those through to too under up us use used using very want was we were what when where which while who whom why will with would you your ' +
  'after again all also am any because before being between both down during each few further more most must now off once other own same still until';

/** Whether a word, given by its first hash, is too common to describe a goal. */
export function isStopWord(hash: number): boolean {
  if (MAYBE[hash & MAYBE_MASK] === 0) return false;
  return STOP_HASHES.has(hash);
}

const STOP_HASHES: ReadonlySet<number> = new Set(WORDS.split(' ').map(hashOf));

/** A small table that excludes most words, because few are stop words. It is faster than the set. */
const MAYBE_MASK = 0xfff;
const MAYBE = new Uint8Array(MAYBE_MASK + 1);
for (const hash of STOP_HASHES) MAYBE[hash & MAYBE_MASK] = 1;

function hashOf(word: string): number {
  const hash = new WordHash();
  hash.ofPiece(characterCodes(word), 0, word.length);
  return hash.first;
}

const INITIAL_SLOTS = 1024;

/**
 * Maps keys to small numbers, in order of first appearance. A key consists of two 32-bit hashes of the same
 * characters. 64 bits distinguish words without creating a string for each.
 */
export class Interner {
  #slots = new Int32Array(INITIAL_SLOTS);
  #mask = INITIAL_SLOTS - 1;
  #first = new Int32Array(INITIAL_SLOTS / 2);
  #second = new Int32Array(INITIAL_SLOTS / 2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the first of the two hashes of an id. */
  hashOf(id: number): number {
    return this.#first[id] as number;
  }

  intern(first: number, second: number): number {
    const slot = this.#find(first, second);
    const taken = this.#slots[slot] as number;
    if (taken !== 0) return taken - 1;
    return this.#add(slot, first, second);
  }

  #find(first: number, second: number): number {
    let slot = (first ^ (second >>> 15)) & this.#mask;
    for (;;) {
      const taken = this.#slots[slot] as number;
      if (taken === 0) return slot;
      if (this.#first[taken - 1] === first && this.#second[taken - 1] === second) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }

  #add(slot: number, first: number, second: number): number {
    const id = this.#size;
    this.#size += 1;
    this.#first[id] = first;
    this.#second[id] = second;
    this.#slots[slot] = this.#size;
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const slots = this.#slots.length * 2;
    this.#slots = new Int32Array(slots);
    this.#mask = slots - 1;
    this.#first = enlarged(this.#first, slots / 2);
    this.#second = enlarged(this.#second, slots / 2);
    for (let id = 0; id < this.#size; id += 1) {
      const slot = this.#find(this.#first[id] as number, this.#second[id] as number);
      this.#slots[slot] = id + 1;
    }
  }
}

export function enlarged(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}
