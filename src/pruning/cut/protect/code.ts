import type { ClassifiedText } from '../classify.ts';
import type { Frames } from '../frames.ts';
import type { Protection } from './protection.ts';

/** Where one file of several begins stays. Declarations are frames (frames/code.ts): they stay around what stays. */
export function protectCode({ bare: lines }: ClassifiedText, protection: Protection): void {
  for (const [index, line] of lines.entries()) {
    if (FILE_BOUNDARY.test(line.slice(0, 200))) protection.pin(index);
  }
}

const FILE_BOUNDARY =
  /^(?:==> .* <==$|(?:\/\/|#|--|\/\*) ?(?:file|path):? \S+|<(?:file|document)[ >]|diff --git |(?:---|\+\+\+) [ab]\/|## File: )/i;

const LONGEST_HEADER = 30;
const MOST_DECORATORS = 6;
const COMMENT = /^\s*(?:#|\/\/|\/\*|\*|--|;|%|<!--|"""|''')/;
const DECORATOR = /^\s*(?:@\w|#\[|\[\w+[\](])/;

/** The file's header and what decorates its declarations: the part of its structure that is no frame. */
export function pinSurroundings(
  { bare: lines }: ClassifiedText,
  { frames }: Frames,
  protection: Protection,
): void {
  const isComment = (line: string) => COMMENT.test(line.slice(0, 80));
  const header = lines.slice(0, LONGEST_HEADER).findIndex((line) => !isComment(line));
  protection.pinRange(0, (header === -1 ? Math.min(lines.length, LONGEST_HEADER) : header) - 1);
  for (const { head } of frames) {
    let first = head.start - 1;
    while (head.start - first <= MOST_DECORATORS && DECORATOR.test(lines[first - 1] ?? '')) first -= 1;
    protection.pinRange(first, head.start - 1);
  }
}
