import { characterCodes } from '@secateur/base/text/character-codes.ts';
import type { TermStream } from '../../lexical/bm25.ts';
import type { CharText } from '../../lexical/char-text.ts';
import { MAX_LINE_CHARS } from '../../lexical/char-text.ts';
import { FOLDED, KINDS, OTHER } from '../../lexical/characters.ts';
import { enlarged } from '../../lexical/interner.ts';

const MOST_SLOTS = 1 << 14;
const MAX_GOAL_GRAMS = MOST_SLOTS / 4;
/** A short goal gets a small table, which stays in the processor's cache. */
const SLOTS_A_GRAM = 16;

/** Where stretches of four letters of the goal occur: it finds names that are written a little differently. */
export function readGrams(text: CharText, goal: string): TermStream {
  const table = new GramTable(characterCodes(goal.slice(0, MAX_LINE_CHARS)));
  const lineTotal = text.starts.length - 1;
  const starts = new Int32Array(lineTotal + 1);
  for (let line = 0; line < lineTotal; line += 1) {
    table.readLine(text.codes, text.starts[line] as number, text.starts[line + 1] as number);
    starts[line + 1] = table.length;
  }
  return { goalTerms: table.size, terms: table.terms, starts, lengths: new Int32Array(lineTotal) };
}

class GramTable {
  size = 0;
  terms = new Int32Array(1 << 14);
  length = 0;
  readonly #mask: number;
  /** What leaves of a hash the number of a slot. */
  readonly #shift: number;
  readonly #grams: Int32Array;
  readonly #numbers: Int32Array;

  constructor(goal: Uint16Array) {
    this.#mask = Math.min(MOST_SLOTS, 2 ** Math.ceil(Math.log2(SLOTS_A_GRAM * (1 + goal.length)))) - 1;
    this.#shift = Math.clz32(this.#mask);
    const slots = this.#mask + 1;
    this.#grams = new Int32Array(slots);
    this.#numbers = new Int32Array(slots).fill(-1);
    eachGram(goal, (gram) => this.#add(gram));
  }

  readLine(codes: Uint16Array, start: number, end: number): void {
    if (this.length + end - start > this.terms.length) {
      this.terms = enlarged(this.terms, this.terms.length * 2 + end - start);
    }
    const numbers = this.#numbers;
    const shift = this.#shift;
    let gram = 0;
    let letters = 0;
    for (let at = start; at < end; at += 1) {
      const code = codes[at] as number;
      letters = KINDS[code] === OTHER ? 0 : letters + 1;
      gram = (gram << 8) | ((FOLDED[code] as number) & 0xff);
      if (letters < 4) continue;
      const slot = slotOf(gram, shift);
      if (numbers[slot] !== -1) this.#see(gram, slot);
    }
  }

  #see(gram: number, first: number): void {
    let slot = first;
    while (this.#numbers[slot] !== -1) {
      if (this.#grams[slot] === gram) {
        this.terms[this.length++] = this.#numbers[slot] as number;
        return;
      }
      slot = (slot + 1) & this.#mask;
    }
  }

  #add(gram: number): void {
    if (this.size >= MAX_GOAL_GRAMS) return;
    let slot = slotOf(gram, this.#shift);
    while (this.#numbers[slot] !== -1) {
      if (this.#grams[slot] === gram) return;
      slot = (slot + 1) & this.#mask;
    }
    this.#grams[slot] = gram;
    this.#numbers[slot] = this.size;
    this.size += 1;
  }
}

function eachGram(codes: Uint16Array, visit: (gram: number) => void): void {
  let gram = 0;
  let letters = 0;
  for (const code of codes) {
    letters = KINDS[code] === OTHER ? 0 : letters + 1;
    gram = (gram << 8) | ((FOLDED[code] as number) & 0xff);
    if (letters >= 4) visit(gram);
  }
}

function slotOf(gram: number, shift: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> shift;
}
