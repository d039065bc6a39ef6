import type { LineRange } from '@secateur/base/text/lines.ts';
import { scoreLexically } from '../ranking/lexical-scorer.ts';
import { namedLines } from '../ranking/named-lines.ts';
import type { Focus } from '../ranking/scorer.ts';

/** Maximum characters of an ordinary line. A longer one is minified code or data, unless it is prose. */
const MAX_LINE = 2000;
/** Number of characters that remain visible of a long line. */
const SHOWN_CHARACTERS = 800;
/** Maximum characters of a paragraph that is not shortened. More than `MAX_LINE`, because sentences explain each other. */
const MAX_PROSE_LINE = 8000;
/** Number of characters that remain visible of longer prose, such as a page without line breaks. */
const SHOWN_PROSE_CHARACTERS = 4000;

export function isLongLine(line: string): boolean {
  return line.length > MAX_LINE && (line.length > MAX_PROSE_LINE || !isProse(line));
}

const WORDS = /(?<![\p{L}\p{N}_$])\p{L}{1,20}(?=[\s,.;:!?)’'"-])|\p{Script=Han}/gu;
/** Minimum share of words in prose. Minified code has fewer words of letters followed by a space. */
const MIN_WORD_SHARE = 0.6;

/** Whether most characters of a line belong to words of a natural language. Reads only the first 4,000. */
function isProse(line: string): boolean {
  const start = line.slice(0, SHOWN_PROSE_CHARACTERS);
  const letters = (start.match(WORDS) ?? []).reduce((sum, { length }) => sum + length, 0);
  return letters > MIN_WORD_SHARE * start.length && /[.!?]\s|[。！？]/u.test(start);
}

/** A long line of which a part is shown. */
export interface LineInPart {
  /** Line number, from 1. */
  number: number;
  characters: number;
  /** Shown pieces in order. There is a gap between two of them. */
  shown: readonly Piece[];
}

/** Range of characters in a line, 1-based and inclusive. */
export interface Piece {
  from: number;
  to: number;
  text: string;
}

export interface LongLinesAsked {
  focus: Focus;
  /** Ranges of removed lines. Long lines in them need not be shortened. */
  gaps: readonly LineRange[];
  /** Whether a line (0-based) is never shortened. */
  isUntouchable(index: number): boolean;
}

/** Returns the shown part of each kept long line: its beginning, and pieces with words of the question or focus. */
export function longLinesInPart(lines: readonly string[], asked: LongLinesAsked): LineInPart[] {
  const long = keptLongLines(lines, asked).map((index) => ({ index, pieces: piecesOf(lines[index] ?? '') }));
  if (long.length === 0) return [];
  const texts = long.flatMap(({ pieces }) => pieces.map(({ text }) => text));
  const { scores } = scoreLexically({ lines: texts, focus: asked.focus });
  let next = 0;
  return long.map(({ index, pieces }) => {
    const own = scores.subarray(next, next + pieces.length);
    next += pieces.length;
    const line = lines[index] ?? '';
    const room = isProse(line) ? SHOWN_PROSE_CHARACTERS : SHOWN_CHARACTERS;
    const shown = joined(bestPieces(pieces, own, { question: asked.focus.question, room }));
    return { number: index + 1, characters: line.length, shown };
  });
}

function keptLongLines(lines: readonly string[], { gaps, isUntouchable }: LongLinesAsked): number[] {
  const isGone = new Uint8Array(lines.length);
  for (const { start, end } of gaps) isGone.fill(1, start - 1, end);
  return [...lines.keys()].filter(
    (index) => isGone[index] === 0 && isLongLine(lines[index] ?? '') && !isUntouchable(index),
  );
}

/** Matches a piece of about the length of a statement or value. If possible it ends after `;`, `,`, a brace, `>` or a space. */
const PIECE = /.{60,159}?[;,{}>\s](?=.{40})|.{1,160}/gsu;

/** A sentence, or 800 characters of a longer one. */
const SENTENCE = /.{1,800}?(?:[.!?]["')\]]{0,3}\s|[。！？])|.{1,800}/gsu;

function piecesOf(line: string): Piece[] {
  let next = 1;
  return Array.from(line.matchAll(isProse(line) ? SENTENCE : PIECE), ([text]) => {
    const from = next;
    next += text.length;
    return { from, to: next - 1, text };
  });
}

function bestPieces(
  pieces: readonly Piece[],
  scores: Float64Array,
  { question, room: most }: { readonly question: string; readonly room: number },
): Piece[] {
  const texts = pieces.map(({ text }) => text);
  const byScore = [...pieces.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const chosen = new Set<number>();
  let room = most;
  for (const at of [0, ...namedLines(texts, question).byWords, ...byScore]) {
    const { length } = texts[at] ?? '';
    if (chosen.has(at) || length > room) continue;
    chosen.add(at);
    room -= length;
  }
  return pieces.filter((_, at) => chosen.has(at));
}

function joined(pieces: readonly Piece[]): Piece[] {
  const runs: Piece[] = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last?.to !== piece.from - 1) runs.push({ ...piece });
    else Object.assign(last, { to: piece.to, text: last.text + piece.text });
  }
  return runs;
}
