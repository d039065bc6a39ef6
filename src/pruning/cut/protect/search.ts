import type { ClassifiedText } from '../classify.ts';
import type { Protection } from './protection.ts';

/** With more context than this around it a hit is judged line by line. */
const LONGEST_HIT = 8;
const BETWEEN_HITS = /^--$/;

/** A hit goes or stays with the lines shown around it. */
export function protectSearch({ bare: lines }: ClassifiedText, protection: Protection): void {
  if (!lines.some((line) => BETWEEN_HITS.test(line))) return;
  let start = 0;
  for (let index = 0; index <= lines.length; index += 1) {
    const line = lines[index];
    if (line !== undefined && !BETWEEN_HITS.test(line) && line !== '') continue;
    const length = index - start;
    if (length > 1 && length <= LONGEST_HIT) protection.keepTogether(start, index - 1);
    start = index + 1;
  }
}
