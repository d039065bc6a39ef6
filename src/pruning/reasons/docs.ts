import type { LineRange } from '../../text/lines.ts';
import type { ClassifiedText } from '../classify.ts';

const HEADING = /^\s{0,3}(?:#{1,6}|={1,6})\s+(.+?)\s*#*\s*$/s;
const UNDERLINE = /^([=\-~^])\1{2,}\s*$/;

/** A block of prose is named after the section it stands in. */
export function docsReasons({ bare: lines }: ClassifiedText): (range: LineRange) => string {
  return (range) => {
    const title = titleAbove(lines, range.start - 1);
    return title === undefined ? 'hors focus' : `hors focus: section ${title}`;
  };
}

function titleAbove(lines: readonly string[], before: number): string | undefined {
  for (let index = before - 1; index >= 0; index -= 1) {
    const line = (lines[index] ?? '').slice(0, 200);
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) return heading;
    const above = (lines[index - 1] ?? '').slice(0, 200).trim();
    if (UNDERLINE.test(line) && above !== '' && !UNDERLINE.test(above)) return above;
  }
  return undefined;
}
