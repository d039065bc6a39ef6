import type { LineRange } from '../../text/lines.ts';
import type { ClassifiedText } from '../classify.ts';

const HEADING = /^\s{0,3}(?:#{1,6}|={1,6})\s+(.+?)\s*#*\s*$/s;
const UNDERLINE = /^([=\-~^])\1{2,}\s*$/;

/** A block of prose is named after the section it stands in. */
export function docsReasons({ bare: lines }: ClassifiedText): (range: LineRange) => string {
  const titled = titledLines(lines);
  return ({ start }) => {
    const title = titleAt(lines, titled[start - 1] ?? -1);
    return title === undefined ? 'hors focus' : `hors focus: section ${title}`;
  };
}

/** For each line, the nearest one above it that makes a title, or -1. */
function titledLines(lines: readonly string[]): Int32Array {
  const titled = new Int32Array(lines.length);
  let last = -1;
  for (let index = 0; index < lines.length; index += 1) {
    titled[index] = last;
    if (titleAt(lines, index) !== undefined) last = index;
  }
  return titled;
}

/** The title that a line is, or that it underlines. */
function titleAt(lines: readonly string[], index: number): string | undefined {
  const line = (lines[index] ?? '').slice(0, 200);
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return heading;
  if (!UNDERLINE.test(line)) return undefined;
  const above = (lines[index - 1] ?? '').slice(0, 200).trim();
  return above !== '' && !UNDERLINE.test(above) ? above : undefined;
}
