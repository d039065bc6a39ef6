import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { splitsPair } from '@secateur/base/text/characters.ts';
import type { RecoveredLines } from './recovery.ts';

/** Recovered lines before they are formatted. */
export interface FoundRanges {
  readonly recovered: RecoveredLines;
  /** One piece of text per range. */
  readonly pieces: readonly Piece[];
  /** Whether a header line with line numbers precedes each range. Set if there are several ranges. */
  readonly isSeparated: boolean;
}

/** Returns the ranges in the requested order, with line numbers. Calls `budget` with the text of each. */
export function numberedRanges(
  { recovered, pieces, isSeparated }: FoundRanges,
  budget: (range: { text: string }) => { text: string } = (range) => range,
): string {
  const named = isSeparated && pieces.length > 1;
  const ranges = pieces.map((piece, index) => {
    const { start = 1, end = 1 } = recovered.ranges[index] ?? {};
    const lines = budget({ text: numberedPiece(recovered, piece, index) }).text;
    return named ? `lines ${start}-${end}:\n${lines}` : lines;
  });
  return ranges.join('\n');
}

/** Adds line numbers to a piece, unless its lines already begin with their numbers. */
function numberedPiece(recovered: RecoveredLines, { text, offset }: Piece, index: number): string {
  if (recovered.showsNumbers) return text;
  const first = recovered.lineAt(index, offset);
  return text
    .split('\n')
    .map((line, at) => `${first + at}│ ${line}`)
    .join('\n');
}

/** Range of characters in the requested lines, 1-based and inclusive. Default: all characters. */
export interface CharacterRange {
  readonly start_char?: number | undefined;
  readonly end_char?: number | undefined;
}

/** A part of recovered lines. */
export interface Piece {
  readonly text: string;
  /** Offset of the piece in those lines, from 0. */
  readonly offset: number;
  /** Range of characters, for the response; empty if no characters were requested. */
  readonly chars: { readonly start_char?: number; readonly end_char?: number; readonly total_chars?: number };
}

/** Returns the requested characters, without splitting surrogate pairs. Throws `invalid_range` if they do not exist. */
export function pieceOf(text: string, { start_char: from, end_char: to }: CharacterRange): Piece {
  if (from === undefined && to === undefined) return { text, offset: 0, chars: {} };
  const first = from ?? 1;
  const last = Math.min(to ?? text.length, text.length);
  if (first < 1 || first > last) throw invalidCharacters(text.length);
  const start = splitsPair(text, first - 1) ? first : first - 1;
  const end = splitsPair(text, last) ? last + 1 : last;
  const chars = { start_char: start + 1, end_char: end, total_chars: text.length };
  return { text: text.slice(start, end), offset: start, chars };
}

function invalidCharacters(length: number): DomainError {
  return new DomainError('invalid_range', 'invalid_range', {
    hint: `Ask for characters between 1 and ${length} of these lines, start_char not after end_char.`,
    data: { max_char: length },
  });
}
