import type { Piece } from './characters.ts';
import type { RecoveredLines } from './recovery.ts';

/** Recovered lines on their way to a reader. */
export interface FoundRanges {
  readonly recovered: RecoveredLines;
  /** Returned piece of each range. */
  readonly pieces: readonly Piece[];
  /** Whether several ranges are separated by lines that name them. */
  readonly isSeparated: boolean;
}

/** Returns the ranges in the order asked for, each line with its number. `budget` sees the text of each range. */
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

/** Lines that show their numbers get no others. */
function numberedPiece(recovered: RecoveredLines, { text, offset }: Piece, index: number): string {
  if (recovered.showsNumbers) return text;
  const first = recovered.lineAt(index, offset);
  return text
    .split('\n')
    .map((line, at) => `${first + at}│ ${line}`)
    .join('\n');
}
