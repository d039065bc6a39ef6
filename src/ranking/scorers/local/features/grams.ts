import { characterCodes } from '../../../../text/character-codes.ts';
import type { TermStream } from '../../lexical/bm25.ts';
import type { CharText } from '../../lexical/char-text.ts';
import { MAX_LINE_CHARS } from '../../lexical/char-text.ts';
import { FOLDED, KINDS, OTHER } from '../../lexical/characters.ts';
import { enlarged } from '../../lexical/interner.ts';

const SLOT_BITS = 14;
const SLOTS = 1 << SLOT_BITS;
const MAX_GOAL_GRAMS = SLOTS / 4;

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
  readonly #grams = new Int32Array(SLOTS);
  readonly #numbers = new Int32Array(SLOTS).fill(-1);

  constructor(goal: Uint16Array) {
    eachGram(goal, (gram) => this.#add(gram));
  }

  readLine(codes: Uint16Array, start: number, end: number): void {
    if (this.length + end - start > this.terms.length) {
      this.terms = enlarged(this.terms, this.terms.length * 2 + end - start);
    }
    const numbers = this.#numbers;
    let gram = 0;
    let letters = 0;
    for (let at = start; at < end; at += 1) {
      const code = codes[at] as number;
      letters = KINDS[code] === OTHER ? 0 : letters + 1;
      gram = (gram << 8) | ((FOLDED[code] as number) & 0xff);
      if (letters < 4) continue;
      const slot = slotOf(gram);
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
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  #add(gram: number): void {
    if (this.size >= MAX_GOAL_GRAMS) return;
    let slot = slotOf(gram);
    while (this.#numbers[slot] !== -1) {
      if (this.#grams[slot] === gram) return;
      slot = (slot + 1) & (SLOTS - 1);
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

function slotOf(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> (32 - SLOT_BITS);
}
