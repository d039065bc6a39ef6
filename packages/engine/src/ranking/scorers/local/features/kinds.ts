import type { CharText } from '../../lexical/char-text.ts';
import type { LineWords } from '../../lexical/line-words.ts';
import { ASSERT, BINDING, CONTROL, EXIT, IMPORT, MODIFIER, SIGNATURE, tellingBits } from './keywords.ts';
import { HASHED, KIND_BITS } from './kind-bits.ts';
import { marksOf } from './marks.ts';
import { isBlank, type LineShapes } from './shape.ts';

/** What a line is: independent yes-or-no answers, each a column of features. */
export interface LineKinds {
  /** Bits of `Kind`, one entry a line. */
  bits: Int32Array;
  /** What its words tell of a run's fate: bits of `keywords.ts`. */
  telling: Uint8Array;
}

export interface KindInputs {
  text: CharText;
  shapes: LineShapes;
  words: LineWords;
  firstBits: Uint8Array;
  leadBits: Uint8Array;
  /** In prose `#` opens a heading, in code a comment. */
  prose: boolean;
}

export function readKinds(inputs: KindInputs): LineKinds {
  const total = inputs.shapes.ends.length;
  const bits = new Int32Array(total);
  for (let line = 0; line < total; line += 1) bits[line] = kindBits(inputs, line);
  return { bits, telling: readTelling(inputs.words) };
}

function kindBits(inputs: KindInputs, line: number): number {
  if (isBlank(inputs.shapes, line)) return KIND_BITS.blank;
  const { firsts, ends } = inputs.shapes;
  const marks = marksOf(inputs.text.codes, firsts[line] as number, ends[line] as number);
  let bits = marks;
  if (inputs.prose && (marks & HASHED) !== 0) bits = (bits & ~KIND_BITS.comment) | KIND_BITS.heading;
  if ((bits & (KIND_BITS.comment | KIND_BITS.heading)) !== 0) return bits & KIND_MASK;
  return (bits | wordKinds(inputs, line, marks)) & KIND_MASK;
}

const KIND_MASK = HASHED - 1;

function wordKinds({ firstBits, leadBits }: KindInputs, line: number, marks: number): number {
  const first = firstBits[line] as number;
  const lead = leadBits[line] as number;
  let bits = 0;
  if ((first & IMPORT) !== 0) bits |= KIND_BITS.import;
  if ((lead & ASSERT) !== 0) bits |= KIND_BITS.assert;
  if ((lead & EXIT) !== 0) bits |= KIND_BITS.exit;
  if ((lead & CONTROL) !== 0) bits |= KIND_BITS.control;
  if ((lead & MODIFIER) !== 0) bits |= KIND_BITS.modifier;
  if ((lead & BINDING) !== 0) bits |= KIND_BITS.binding;
  return isSignature(lead, marks) ? bits | KIND_BITS.signature : bits;
}

/** A defining word in front, or `name(…) {` without a word of control flow. */
function isSignature(lead: number, marks: number): boolean {
  if ((lead & (CONTROL | EXIT | ASSERT)) !== 0) return false;
  if ((lead & SIGNATURE) !== 0) return (marks & KIND_BITS.tableRow) === 0;
  const opens = (marks & KIND_BITS.opener) !== 0;
  const calls = (marks & KIND_BITS.call) !== 0;
  if ((lead & MODIFIER) !== 0 && (calls || opens)) return true;
  return opens && calls && (marks & KIND_BITS.assignment) === 0;
}

function readTelling(words: LineWords): Uint8Array {
  const byWord = new Uint8Array(words.vocabulary.size);
  for (let word = 0; word < byWord.length; word += 1)
    byWord[word] = tellingBits(words.vocabulary.hashOf(word));
  const telling = new Uint8Array(words.starts.length - 1);
  for (let line = 0; line < telling.length; line += 1) {
    const end = words.starts[line + 1] as number;
    let bits = 0;
    for (let at = words.starts[line] as number; at < end; at += 1)
      bits |= byWord[words.words[at] as number] as number;
    telling[line] = bits;
  }
  return telling;
}
