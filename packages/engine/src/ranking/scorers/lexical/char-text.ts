import { characterCodes } from '@secateur/base/text/character-codes.ts';

/** The rest of a longer line is not read: a line of megabytes costs no more than a long one. */
export const MAX_LINE_CHARS = 4096;

/** The lines of a text as character codes. */
export interface CharText {
  codes: Uint16Array;
  /** Line `i` is `starts[i]` up to `starts[i + 1] - 1`, the position of a line feed. */
  starts: Int32Array;
}

export function readCharacters(lines: readonly string[]): CharText {
  const starts = new Int32Array(lines.length + 1);
  let tooLong = false;
  for (let line = 0; line < lines.length; line += 1) {
    const length = (lines[line] as string).length;
    if (length > MAX_LINE_CHARS) tooLong = true;
    starts[line + 1] = (starts[line] as number) + Math.min(length, MAX_LINE_CHARS) + 1;
  }
  const shown = tooLong ? lines.map((line) => line.slice(0, MAX_LINE_CHARS)) : lines;
  return { codes: characterCodes(`${shown.join('\n')}\n`), starts };
}
