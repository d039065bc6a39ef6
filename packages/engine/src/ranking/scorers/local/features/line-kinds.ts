import type { LineWords } from '../../lexical/line-words.ts';
import { type CharText, DIGIT, JOINER, KINDS, LOWER, OTHER, UPPER } from '../../lexical/words.ts';
import { ASSERT, CONTROL, EXIT, IMPORT, MODIFIER, SIGNATURE, tellingBits } from './keywords.ts';
import { isBlank, type LineShapes } from './shape.ts';

export const KIND_NAMES = [
  'blank',
  'comment',
  'signature',
  'import',
  'assert',
  'exit',
  'control',
  'closer',
  'opener',
  'heading',
  'fence',
  'listItem',
  'tableRow',
  'stackFrame',
  'timestamp',
  'located',
  'assignment',
  'call',
  'quotedKey',
  'quoted',
] as const;

export type Kind = (typeof KIND_NAMES)[number];

const BITS = KIND_NAMES.map((name, at) => [name, 1 << at]);
export const KIND_BITS = Object.fromEntries(BITS) as Record<Kind, number>;

/** Bit above those of the kinds. The line begins with `#`, which is a heading in prose and a comment in code. */
const HASHED = 1 << 30;

/** Kinds of a line. They are independent of each other, and each is a column of features. */
export interface LineKinds {
  /** Bits of `Kind`, one entry per line. */
  bits: Int32Array;
  /** Outcome keywords in each line: bits of `keywords.ts`. */
  telling: Uint8Array;
}

export interface KindInputs {
  text: CharText;
  shapes: LineShapes;
  words: LineWords;
  firstBits: Uint8Array;
  leadBits: Uint8Array;
  /** Whether `#` begins a heading, as in prose, and not a comment, as in code. */
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
  return isSignature(lead, marks) ? bits | KIND_BITS.signature : bits;
}

/** Whether a line begins with a word that defines something, or has the form `name(…) {` without being control flow. */
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

/** Returns the kinds of a line by its characters, from the first to the last visible one. As bits. */
function marksOf(codes: Uint16Array, first: number, end: number): number {
  return openingMarks(codes, first, end) | closingMarks(codes, first, end) | innerMarks(codes, first, end);
}

const code = (character: string) => character.charCodeAt(0);
const HASH = code('#');
const SLASH = code('/');
const STAR = code('*');
const DASH = code('-');
const DOT = code('.');
const COLON = code(':');
const EQUALS = code('=');
const OPEN = code('(');
const CLOSE = code(')');
const QUOTE = code('"');
const APOSTROPHE = code("'");
const TICK = code('`');
const SPACE = 32;

function openingMarks(codes: Uint16Array, first: number, end: number): number {
  const head = codes[first] as number;
  const next = first + 1 < end ? (codes[first + 1] as number) : SPACE;
  if (KINDS[head] === DIGIT) return digitMarks(codes, first, end);
  const mark = OPENINGS.get(head);
  if (mark !== undefined) return mark(next);
  // Stack frames: `at frame (file:1)` of JavaScript and Java, `File "x", line 1` of Python.
  if (head === LETTER_A && next === LETTER_T && codes[first + 2] === SPACE) return KIND_BITS.stackFrame;
  return startsWith(codes, first, 'File "') ? KIND_BITS.stackFrame : 0;
}

const LETTER_A = code('a');
const LETTER_T = code('t');

type Opening = (next: number) => number;
function always(bits: number): Opening {
  return () => bits;
}

const OPENINGS: ReadonlyMap<number, Opening> = new Map<number, Opening>([
  [HASH, () => HASHED | KIND_BITS.comment],
  [SLASH, (next) => (next === SLASH || next === STAR ? KIND_BITS.comment : 0)],
  [STAR, (next) => (next === SPACE ? KIND_BITS.comment | KIND_BITS.listItem : KIND_BITS.comment)],
  [DASH, (next) => (next === SPACE ? KIND_BITS.listItem : 0)],
  [code(';'), always(KIND_BITS.comment)],
  [code('<'), (next) => (next === code('!') ? KIND_BITS.comment : 0)],
  [code('|'), always(KIND_BITS.tableRow)],
  [TICK, (next) => (next === TICK ? KIND_BITS.fence : 0)],
  [QUOTE, always(KIND_BITS.quotedKey)],
  [APOSTROPHE, always(KIND_BITS.quotedKey)],
  [code('['), (next) => (KINDS[next] === DIGIT ? KIND_BITS.timestamp : 0)],
]);

/** Returns the kinds of a line that begins with a digit. `12:30:01`, `2024-05-06T…` and `20/11/09` are dates, `1.` is a list item. */
function digitMarks(codes: Uint16Array, first: number, end: number): number {
  let at = first;
  while (at < end && KINDS[codes[at] as number] === DIGIT) at += 1;
  const parting = codes[at];
  const digits = at - first;
  if ((parting === DOT || parting === CLOSE) && digits <= 3 && codes[at + 1] === SPACE)
    return KIND_BITS.listItem;
  const dated = parting === COLON || parting === DASH || parting === SLASH;
  return dated && (digits === 2 || digits === 4) ? KIND_BITS.timestamp : 0;
}

const OPENERS: ReadonlySet<number> = new Set([...'{([:'].map(code));
const CLOSING: ReadonlySet<number> = new Set([...'})];,'].map(code));

function closingMarks(codes: Uint16Array, first: number, end: number): number {
  const last = codes[end - 1] as number;
  const opens = OPENERS.has(last) || startsWith(codes, end - 2, '=>') ? KIND_BITS.opener : 0;
  let at = first;
  while (at < end && CLOSING.has(codes[at] as number)) at += 1;
  return at === end ? opens | KIND_BITS.closer : opens;
}

function startsWith(codes: Uint16Array, start: number, expected: string): boolean {
  if (start < 0) return false;
  for (let at = 0; at < expected.length; at += 1) {
    if (codes[start + at] !== expected.charCodeAt(at)) return false;
  }
  return true;
}

/** Reads the characters of a line that are not letters, each once. */
function innerMarks(codes: Uint16Array, first: number, end: number): number {
  let bits = 0;
  for (let at = first; at < end; at += 1) {
    const current = codes[at] as number;
    if (KINDS[current] !== OTHER || current === SPACE) continue;
    const mark = INNER[current] ?? 0;
    if (mark !== 0) bits |= innerMark(codes, at, mark);
  }
  return bits;
}

type InnerRule = (before: number, after: number) => number;

const RULES: readonly InnerRule[] = [
  () => 0,
  (before, after) => (assigns(before, after) ? KIND_BITS.assignment : 0),
  (before) => (isLetter(before) || KINDS[before] === DIGIT || KINDS[before] === JOINER ? KIND_BITS.call : 0),
  () => KIND_BITS.quoted,
  (before, after) => (KINDS[after] === DIGIT && isLetter(before) ? KIND_BITS.located : 0),
];

/** Index in `RULES` of the rule for each ASCII character. */
const INNER = new Uint8Array(128);
for (const [at, characters] of [[EQUALS], [OPEN], [QUOTE, APOSTROPHE, TICK], [COLON]].entries())
  for (const character of characters) INNER[character] = at + 1;

function innerMark(codes: Uint16Array, at: number, rule: number): number {
  const before = at > 0 ? (codes[at - 1] as number) : SPACE;
  return (RULES[rule] as InnerRule)(before, codes[at + 1] ?? SPACE);
}

const COMPARING: ReadonlySet<number> = new Set([...'=!<>~'].map(code));

function assigns(before: number, after: number): boolean {
  return !COMPARING.has(before) && after !== EQUALS && after !== code('>');
}

function isLetter(character: number): boolean {
  const kind = KINDS[character];
  return kind === LOWER || kind === UPPER;
}
