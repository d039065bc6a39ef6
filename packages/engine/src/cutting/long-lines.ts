import type { LineRange } from '@secateur/base/text/lines.ts';
import { scoreLexically } from '../ranking/lexical-scorer.ts';
import { namedLines } from '../ranking/named-lines.ts';
import type { Focus } from '../ranking/scorer.ts';

/** A line with more characters is not written for people: minified code, data, or a page without line breaks. */
const MAX_LINE = 2000;
/** Number of characters shown of a long line. */
const SHOWN_CHARACTERS = 800;

export function isLongLine(line: string): boolean {
  return line.length > MAX_LINE;
}

/** A long line that is shown in part. */
export interface LineInPart {
  /** Line number, from 1. */
  number: number;
  characters: number;
  /** Pieces in order, with a gap between two pieces. */
  shown: readonly Piece[];
}

/** Characters of a line, counted from 1, both ends included. */
export interface Piece {
  from: number;
  to: number;
  text: string;
}

export interface LongLinesAsked {
  focus: Focus;
  /** Ranges of lines that are removed, so that their long lines need no shortening. */
  gaps: readonly LineRange[];
  /** Whether a line (0-based) stays unchanged at any length. */
  isUntouchable(index: number): boolean;
}

/** Returns what is shown of each kept long line: its beginning, and pieces with words of the question or focus. */
export function longLinesInPart(lines: readonly string[], asked: LongLinesAsked): LineInPart[] {
  const long = keptLongLines(lines, asked).map((index) => ({ index, pieces: piecesOf(lines[index] ?? '') }));
  if (long.length === 0) return [];
  const texts = long.flatMap(({ pieces }) => pieces.map(({ text }) => text));
  const { scores } = scoreLexically({ lines: texts, focus: asked.focus });
  let next = 0;
  return long.map(({ index, pieces }) => {
    const own = scores.subarray(next, next + pieces.length);
    next += pieces.length;
    const shown = joined(bestPieces(pieces, own, asked.focus.question));
    return { number: index + 1, characters: lines[index]?.length ?? 0, shown };
  });
}

function keptLongLines(lines: readonly string[], { gaps, isUntouchable }: LongLinesAsked): number[] {
  const isGone = new Uint8Array(lines.length);
  for (const { start, end } of gaps) isGone.fill(1, start - 1, end);
  return [...lines.keys()].filter(
    (index) => isGone[index] === 0 && isLongLine(lines[index] ?? '') && !isUntouchable(index),
  );
}

/** A piece about as long as a statement or a value. If possible, it ends after `;`, `,`, a brace, `>` or a space. */
const PIECE = /.{60,159}?[;,{}>\s](?=.{40})|.{1,160}/gsu;

function piecesOf(line: string): Piece[] {
  let next = 1;
  return Array.from(line.matchAll(PIECE), ([text]) => {
    const from = next;
    next += text.length;
    return { from, to: next - 1, text };
  });
}

function bestPieces(pieces: readonly Piece[], scores: Float64Array, question: string): Piece[] {
  const texts = pieces.map(({ text }) => text);
  const byScore = [...pieces.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const chosen = new Set<number>();
  let room = SHOWN_CHARACTERS;
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
