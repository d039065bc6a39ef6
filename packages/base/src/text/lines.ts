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

/** Reading the words of this many characters takes about 10 ms. */
const BLOCK_CHARS = 65_536;

/** Yields a text in blocks of whole lines, for work that lets the event loop turn between them. */
export function* lineBlocks(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start + BLOCK_CHARS);
    const end = newline === -1 ? text.length : newline;
    yield text.slice(start, end);
    start = end + 1;
  }
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

const SPACE = 32;
const TAB = 9;

/** Columns of leading white space; a tab counts as four. */
export function indentOf(line = ''): number {
  let indent = 0;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === SPACE) indent += 1;
    else if (code === TAB) indent += 4;
    else break;
  }
  return indent;
}
