import { type TermStream, wordStream } from '../../../lexical-scorer.ts';
import type { ScoreRequest } from '../../../scorer.ts';
import { type LineWords, readWords } from '../../lexical/line-words.ts';
import { type CharText, DIGIT, Interner, KINDS, readCharacters } from '../../lexical/words.ts';
import { KIND_BITS, type LineKinds, readKinds } from './line-kinds.ts';
import { readScopes, type Scopes } from './scope.ts';
import { isBlank, type LineShapes, readShapes } from './shape.ts';
import { StreamReader } from './streams.ts';
/** A text and a goal, parsed once for all features. */
export interface Reading {
  request: ReadRequest;
  text: CharText;
  words: LineWords;
  /** The goal's terms in the lines, per kind of term. */
  terms: { words: TermStream; identifiers: TermStream };
  shapes: LineShapes;
  kinds: LineKinds;
  scopes: Scopes;
  repetition: Repetition;
  /** Failure cues of each line: bits of `keywords.ts`. */
  voices: Uint8Array;
}

export interface ReadRequest extends Pick<ScoreRequest, 'lines' | 'sourceType'> {
  /** Focus as one text. */
  goal: string;
}

export function read(request: ReadRequest): Reading {
  const prose = request.sourceType === 'docs';
  const text = readCharacters(request.lines);
  const reader = new StreamReader(request.lines.length);
  const words = readWords(text, request.goal, reader);
  const shapes = readShapes(text);
  const { firstBits, leadBits } = reader;
  const kinds = readKinds({ text, shapes, words, firstBits, leadBits, prose });
  return {
    request,
    text,
    words,
    terms: { words: wordStream(words), identifiers: reader.identifiers() },
    shapes,
    kinds,
    scopes: readScopes(shapes, kinds, headingLevels(text, shapes, kinds)),
    repetition: readRepetition(text, shapes),
    voices: reader.voices,
  };
}

const HASH = 35;
const UNDERLINES: ReadonlyMap<number, number> = new Map([
  [61, 1],
  [45, 2],
  [126, 3],
]);
const MIN_UNDERLINE = 3;

/**
 * Returns the level of each heading (`##`, or underlined by `===`, `---`, `~~~`): 1 to 6, or 0 for other
 * lines. Also marks underlined lines as headings.
 */
function headingLevels(text: CharText, shapes: LineShapes, kinds: LineKinds): Int32Array {
  const levels = new Int32Array(shapes.ends.length);
  for (let line = 0; line < levels.length; line += 1) {
    const bits = kinds.bits[line] as number;
    if ((bits & KIND_BITS.heading) !== 0) levels[line] = hashes(text, shapes, line);
    else if (isUnderlined(text, shapes, line)) {
      levels[line] = UNDERLINES.get(text.codes[shapes.firsts[line + 1] as number] as number) ?? 0;
      kinds.bits[line] = bits | KIND_BITS.heading;
    }
  }
  return levels;
}

function hashes(text: CharText, shapes: LineShapes, line: number): number {
  const first = shapes.firsts[line] as number;
  let at = first;
  while (text.codes[at] === HASH && at - first < 6) at += 1;
  return Math.max(1, at - first);
}

function isUnderlined(text: CharText, shapes: LineShapes, line: number): boolean {
  if (line + 1 >= shapes.ends.length || isBlank(shapes, line)) return false;
  const start = shapes.firsts[line + 1] as number;
  const end = shapes.ends[line + 1] as number;
  const mark = text.codes[start] as number;
  if (end - start < MIN_UNDERLINE || !UNDERLINES.has(mark)) return false;
  if (text.codes[shapes.firsts[line] as number] === mark) return false;
  for (let at = start; at < end; at += 1) {
    if (text.codes[at] !== mark) return false;
  }
  return true;
}

/** Numbers of lines that differ only in their digits. */
interface Repetition {
  /** Number of lines that are equal except for digits, including this one. */
  counts: Int32Array;
  /** Number of these lines that are before this one. */
  before: Int32Array;
  /** 1 if the line directly above is equal except for digits, else 0. */
  follows: Uint8Array;
}

function readRepetition(text: CharText, shapes: LineShapes): Repetition {
  const total = shapes.ends.length;
  const templates = new Interner();
  const numbers = new Int32Array(total);
  for (let line = 0; line < total; line += 1) numbers[line] = templateOf(text, shapes, { line, templates });
  const totals = new Int32Array(templates.size);
  const before = new Int32Array(total);
  const follows = new Uint8Array(total);
  for (let line = 0; line < total; line += 1) {
    const template = numbers[line] as number;
    before[line] = totals[template] as number;
    totals[template] = (totals[template] as number) + 1;
    follows[line] = line > 0 && numbers[line - 1] === template ? 1 : 0;
  }
  return { counts: numbers.map((template) => totals[template] as number), before, follows };
}

function templateOf(
  text: CharText,
  shapes: LineShapes,
  { line, templates }: { line: number; templates: Interner },
): number {
  const end = shapes.ends[line] as number;
  let first = 0x811c9dc5 | 0;
  let second = 0x1b873593 | 0;
  for (let at = shapes.firsts[line] as number; at < end; at += 1) {
    const code = text.codes[at] as number;
    if (KINDS[code] === DIGIT) continue;
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second + code, 0x9e3779b1) ^ (second >>> 13);
  }
  return templates.intern(first, second);
}
