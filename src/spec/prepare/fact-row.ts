import type { Brief, FactsBrief } from './record.ts';
import type { FileStamp } from './stored-facts.ts';

/**
 * What is kept of a file in memory and in an index: a row of fixed width. As objects the same would take five times as
 * much, and a collector would have to walk over all of them again and again.
 */
export const ROW_BYTES = 152;
const WHOLES_A_ROW = ROW_BYTES / 4;
const REALS_A_ROW = ROW_BYTES / 8;

/** Counted in numbers of eight bytes. */
const REAL = { size: 0, mtime: 1, ctime: 2, ino: 3, offset: 4 } as const;
/** Counted in numbers of four bytes; `word` is the language, or the note. */
const WHOLE = {
  lengths: 10,
  loc: 15,
  exports: 16,
  tokens: 17,
  word: 18,
  parser: 19,
  source: 20,
  flags: 21,
} as const;
/** Counted in bytes. */
const CONTENT_HASH = 88;
const STRUCTURE_HASH = 120;

const PARTS = 5;
const HASH_BYTES = 32;
const FACTS = 1;
const NOTE = 2;
const STAMPED = 4;
const CALLOUTS = 8;
const INTERNALS = 16;
const HASHED = 32;

/** Texts that many rows share; a row holds their numbers. */
export class Words {
  readonly list: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(list: readonly string[] = []) {
    for (const word of list) this.numberOf(word);
  }

  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#numbers.set(word, this.list.length);
    return this.list.push(word) - 1;
  }

  at(number: number): string {
    return this.list[number] ?? '';
  }
}

/** Bytes, and the same as numbers, in the order of this machine. */
export interface RowChunk {
  readonly bytes: Buffer;
  readonly whole: Uint32Array;
  readonly real: Float64Array;
}

/** One row, wherever it lies. */
export class FactRow implements FactsBrief {
  /** What it says about its file holds where `hasFacts` does. */
  readonly kind = 'facts';
  readonly #chunk: RowChunk;
  readonly #start: number;
  readonly #words: Words;

  /** The one that starts there; `start` is counted in rows. */
  constructor(chunk: RowChunk, start: number, words: Words) {
    this.#chunk = chunk;
    this.#start = start;
    this.#words = words;
  }

  get hasRecord(): boolean {
    return this.#has(FACTS | NOTE);
  }

  get hasFacts(): boolean {
    return this.#has(FACTS);
  }

  get hasStamp(): boolean {
    return this.#has(STAMPED);
  }

  /** Whether the file looked like that. */
  isStamped({ size, mtimeMs, ctimeMs, ino }: FileStamp): boolean {
    const isSame = this.#real(REAL.size) === size && this.#real(REAL.mtime) === mtimeMs;
    return this.hasStamp && isSame && this.#real(REAL.ctime) === ctimeMs && this.#real(REAL.ino) === ino;
  }

  setStamp(stamp: FileStamp | undefined): void {
    this.#flag(STAMPED, stamp !== undefined);
    if (stamp === undefined) return;
    this.#putReal(REAL.size, stamp.size);
    this.#putReal(REAL.mtime, stamp.mtimeMs);
    this.#putReal(REAL.ctime, stamp.ctimeMs);
    this.#putReal(REAL.ino, stamp.ino);
  }

  /** The number of the source its record lies in, and where it lies there. */
  get sourceNumber(): number {
    return this.#whole(WHOLE.source);
  }

  get offset(): number {
    return this.#real(REAL.offset);
  }

  setPlace(sourceNumber: number, offset: number): void {
    this.#put(WHOLE.source, sourceNumber);
    this.#putReal(REAL.offset, offset);
  }

  lengthOf(part: number): number {
    return this.#whole(WHOLE.lengths + part);
  }

  setLengths(lengths: readonly number[]): void {
    for (let part = 0; part < PARTS; part += 1) this.#put(WHOLE.lengths + part, lengths[part] ?? 0);
  }

  /** Of all parts. */
  get totalLength(): number {
    let sum = 0;
    for (let part = 0; part < PARTS; part += 1) sum += this.lengthOf(part);
    return sum;
  }

  setBrief(brief: Brief): void {
    this.#flag(FACTS, brief.kind === 'facts');
    this.#flag(NOTE, brief.kind === 'note');
    this.#flag(HASHED, brief.contentHash !== '');
    this.#putHex(CONTENT_HASH, brief.contentHash);
    this.#put(WHOLE.word, this.#words.numberOf(brief.kind === 'facts' ? brief.language : brief.note));
    if (brief.kind === 'note') return;
    this.#put(WHOLE.loc, brief.loc);
    this.#put(WHOLE.exports, brief.exports);
    this.#put(WHOLE.tokens, brief.outlineTokens);
    this.#put(WHOLE.parser, this.#words.numberOf(brief.parserUsed));
    this.#putHex(STRUCTURE_HASH, brief.hash);
    this.#flag(CALLOUTS, brief.hasCallouts);
    this.#flag(INTERNALS, brief.hasInternals);
  }

  /** Why there are no facts. */
  get note(): string {
    return this.#words.at(this.#whole(WHOLE.word));
  }

  get contentHash(): string {
    return this.#has(HASHED) ? this.#hex(CONTENT_HASH) : '';
  }

  get language(): string {
    return this.#words.at(this.#whole(WHOLE.word));
  }

  get loc(): number {
    return this.#whole(WHOLE.loc);
  }

  get exports(): number {
    return this.#whole(WHOLE.exports);
  }

  get outlineTokens(): number {
    return this.#whole(WHOLE.tokens);
  }

  get parserUsed(): string {
    return this.#words.at(this.#whole(WHOLE.parser));
  }

  get hash(): string {
    return this.#hex(STRUCTURE_HASH);
  }

  get hasCallouts(): boolean {
    return this.#has(CALLOUTS);
  }

  get hasInternals(): boolean {
    return this.#has(INTERNALS);
  }

  /** The row as an index holds it: which source its records lie in is known there. */
  copyTo(target: Buffer, at: number): void {
    const from = this.#start * ROW_BYTES;
    this.#chunk.bytes.copy(target, at, from, from + ROW_BYTES);
    target.fill(0, at + WHOLE.source * 4, at + WHOLE.source * 4 + 4);
  }

  #has(flags: number): boolean {
    return (this.#whole(WHOLE.flags) & flags) !== 0;
  }

  #flag(flag: number, isSet: boolean): void {
    const flags = this.#whole(WHOLE.flags);
    this.#put(WHOLE.flags, isSet ? flags | flag : flags & ~flag);
  }

  #put(at: number, value: number): void {
    this.#chunk.whole[this.#start * WHOLES_A_ROW + at] = value;
  }

  #whole(at: number): number {
    return this.#chunk.whole[this.#start * WHOLES_A_ROW + at] as number;
  }

  #putReal(at: number, value: number): void {
    this.#chunk.real[this.#start * REALS_A_ROW + at] = value;
  }

  #real(at: number): number {
    return this.#chunk.real[this.#start * REALS_A_ROW + at] as number;
  }

  #putHex(at: number, hash: string): void {
    this.#chunk.bytes.write(hash, this.#start * ROW_BYTES + at, HASH_BYTES, 'hex');
  }

  #hex(at: number): string {
    const from = this.#start * ROW_BYTES + at;
    return this.#chunk.bytes.toString('hex', from, from + HASH_BYTES);
  }
}
