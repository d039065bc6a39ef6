/**
 * A line ends at `\n`; a `\r` before it belongs to the line; a final `\n` opens no extra line; `''` has none.
 * Line numbers therefore agree with grep, git and compilers.
 */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  return lines;
}

/** The text of lines `start` to `end` (1-based, inclusive), without its last line terminator. */
export function sliceLines(lines: readonly string[], range: LineRange): string {
  return lines.slice(range.start - 1, range.end).join('\n');
}

/** 1-based, inclusive. */
export interface LineRange {
  start: number;
  end: number;
}
