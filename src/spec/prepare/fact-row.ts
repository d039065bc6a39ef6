import type { Brief, FactsBrief } from './record.ts';
import type { FileStamp } from './stored-facts.ts';

/**
 * What is kept of a file in memory and in an index: a row of fixed width. As objects the same would take five times as
 * much, and a collector would have to walk over all of them again and again.
 */
export const ROW_BYTES = 152;

const AT = {
  size: 0,
  mtime: 8,
  ctime: 16,
  ino: 24,
  offset: 32,
  lengths: 40,
  loc: 60,
  exports: 64,
  tokens: 68,
  /** Its language, or the note. */
  word: 72,
  parser: 76,
  source: 80,
  flags: 84,
  contentHash: 88,
  hash: 120,
} as const;

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

/** Bytes, and the numbers in them. */
export interface RowChunk {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** One row, wherever it lies. */
export class FactRow implements FactsBrief {
  /** What it says about its file holds where `hasFacts` does. */
  readonly kind = 'facts';
  readonly #chunk: RowChunk;
  readonly #start: number;
  readonly #words: Words;

  /** The one that starts there. */
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
    const isSame = this.#real(AT.size) === size && this.#real(AT.mtime) === mtimeMs;
    return this.hasStamp && isSame && this.#real(AT.ctime) === ctimeMs && this.#real(AT.ino) === ino;
  }

  setStamp(stamp: FileStamp | undefined): void {
    this.#flag(STAMPED, stamp !== undefined);
    if (stamp === undefined) return;
    this.#putReal(AT.size, stamp.size);
    this.#putReal(AT.mtime, stamp.mtimeMs);
    this.#putReal(AT.ctime, stamp.ctimeMs);
    this.#putReal(AT.ino, stamp.ino);
  }

  /** The number of the source its record lies in, and where it lies there. */
  get sourceNumber(): number {
    return this.#whole(AT.source);
  }

  get offset(): number {
    return this.#real(AT.offset);
  }

  setPlace(sourceNumber: number, offset: number): void {
    this.#put(AT.source, sourceNumber);
    this.#putReal(AT.offset, offset);
  }

  lengthOf(part: number): number {
    return this.#whole(AT.lengths + part * 4);
  }

  setLengths(lengths: readonly number[]): void {
    for (let part = 0; part < PARTS; part += 1) this.#put(AT.lengths + part * 4, lengths[part] ?? 0);
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
    this.#putHex(AT.contentHash, brief.contentHash);
    this.#put(AT.word, this.#words.numberOf(brief.kind === 'facts' ? brief.language : brief.note));
    if (brief.kind === 'note') return;
    this.#put(AT.loc, brief.loc);
    this.#put(AT.exports, brief.exports);
    this.#put(AT.tokens, brief.outlineTokens);
    this.#put(AT.parser, this.#words.numberOf(brief.parserUsed));
    this.#putHex(AT.hash, brief.hash);
    this.#flag(CALLOUTS, brief.hasCallouts);
    this.#flag(INTERNALS, brief.hasInternals);
  }

  /** Why there are no facts. */
  get note(): string {
    return this.#words.at(this.#whole(AT.word));
  }

  get contentHash(): string {
    return this.#has(HASHED) ? this.#hex(AT.contentHash) : '';
  }

  get language(): string {
    return this.#words.at(this.#whole(AT.word));
  }

  get loc(): number {
    return this.#whole(AT.loc);
  }

  get exports(): number {
    return this.#whole(AT.exports);
  }

  get outlineTokens(): number {
    return this.#whole(AT.tokens);
  }

  get parserUsed(): string {
    return this.#words.at(this.#whole(AT.parser));
  }

  get hash(): string {
    return this.#hex(AT.hash);
  }

  get hasCallouts(): boolean {
    return this.#has(CALLOUTS);
  }

  get hasInternals(): boolean {
    return this.#has(INTERNALS);
  }

  /** The row as an index holds it: which source its records lie in is known there. */
  copyTo(target: Buffer, at: number): void {
    this.#chunk.bytes.copy(target, at, this.#start, this.#start + ROW_BYTES);
    target.writeUInt32LE(0, at + AT.source);
  }

  #has(flags: number): boolean {
    return (this.#whole(AT.flags) & flags) !== 0;
  }

  #flag(flag: number, isSet: boolean): void {
    const flags = this.#whole(AT.flags);
    this.#put(AT.flags, isSet ? flags | flag : flags & ~flag);
  }

  #put(at: number, value: number): void {
    this.#chunk.view.setUint32(this.#start + at, value, true);
  }

  #whole(at: number): number {
    return this.#chunk.view.getUint32(this.#start + at, true);
  }

  #putReal(at: number, value: number): void {
    this.#chunk.view.setFloat64(this.#start + at, value, true);
  }

  #real(at: number): number {
    return this.#chunk.view.getFloat64(this.#start + at, true);
  }

  #putHex(at: number, hash: string): void {
    this.#chunk.bytes.write(hash, this.#start + at, HASH_BYTES, 'hex');
  }

  #hex(at: number): string {
    return this.#chunk.bytes.toString('hex', this.#start + at, this.#start + at + HASH_BYTES);
  }
}
