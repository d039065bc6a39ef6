import { lineHolding } from '@secateur/base/text/lines.ts';

/** Converts offsets to line numbers. A line ends at `\n`. */
export interface LineIndex {
  count: number;
  /** Returns the 1-based number of the line that contains `offset`. */
  lineAt(offset: number): number;
  /** Returns the zero-based row of an offset. As in parsers, a text that ends with a line break has an empty last row. */
  rowAt(offset: number): number;
}

export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const endsInNewline = text.endsWith('\n');
  const count = Math.max(endsInNewline ? starts.length - 1 : starts.length, 1);
  return {
    count,
    lineAt: (offset) => Math.min(lineHolding(starts, offset), count),
    rowAt: (offset) => lineHolding(starts, offset) - 1,
  };
}
