import { isFailure, namesFailure } from '../../../text/failure-words.ts';
import type { ClassifiedText } from '../classify.ts';
import type { ProtectionAsked } from '../protect.ts';
import type { Protection } from './protection.ts';
import { traceBlocks } from './stack-trace.ts';

/** Lines around failure that say what was going on. */
const LINES_BEFORE = 1;
const LINES_AFTER = 1;

/** A blank line or a ruler next to a failure says nothing of it. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** Word for word the same failure says nothing new after so many times. */
const TOLD_AGAIN = 2;

/** How a log begins says what ran; how it ends says how it went. */
const FIRST_LINES = 1;
const LAST_LINES = 3;

/**
 * Errors stay, with the lines next to them; stack traces stay whole. Where structure stays by need, failures that are denied or were told
 * before are none, lines next to them must say something, and what folds in a trace may go.
 */
export function protectLogs(
  { bare: lines }: ClassifiedText,
  protection: Protection,
  { structure, folds }: Pick<ProtectionAsked, 'structure' | 'folds'>,
): void {
  const isFolded = (index: number) => structure === 'by need' && folds?.[index] !== undefined;
  const pin = (first: number, last: number) => {
    for (let index = first; index <= last; index += 1) if (!isFolded(index)) protection.pin(index);
  };
  const isTold = structure === 'pinned' ? namesFailure : newFailure();
  const isContext = (index: number) => structure === 'pinned' || SAYS_SOMETHING.test(lines[index] ?? '');
  for (const [index, line] of lines.entries()) {
    if (isFolded(index) || !isTold(line)) continue;
    for (let near = index - LINES_BEFORE; near <= index + LINES_AFTER; near += 1)
      if (near === index || isContext(near)) pin(near, near);
  }
  for (const { start, end } of traceBlocks(lines)) pin(start, end);
  protection.pinRange(0, FIRST_LINES - 1);
  pinEnd(lines, protection);
}

function newFailure(): (line: string) => boolean {
  const told = new Map<string, number>();
  return (line) => {
    if (!isFailure(line)) return false;
    const times = (told.get(line) ?? 0) + 1;
    told.set(line, times);
    return times <= TOLD_AGAIN;
  };
}

function pinEnd(lines: readonly string[], protection: Protection): void {
  let left = LAST_LINES;
  for (let index = lines.length - 1; index >= 0 && left > 0; index -= 1) {
    if ((lines[index] ?? '').trim() === '') continue;
    protection.pin(index);
    left -= 1;
  }
}
