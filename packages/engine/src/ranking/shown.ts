import { textHash } from './focus.ts';

/** `12: text`, `src/a.py:12: text`, `    12\ttext`: where a line came from, before what it says. */
const PLACE = /^\s{0,12}(?:[\w./@+-]{1,200}[:-])?\d{1,7}[:\t│|-]\s?|^\s{1,12}\d{1,7}\t/;

/** Returns a line without its number, file name and indentation. */
function bareLine(line: string): string {
  const place = PLACE.exec(line.length > 400 ? line.slice(0, 240) : line);
  return (place === null ? line : line.slice(place[0].length)).trim();
}

/** By which a line is known again, whatever its depth and the number before it. */
export function lineHash(line: string): number {
  return textHash(bareLine(line));
}
