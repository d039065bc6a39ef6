import { isFailure } from '../../../text/failure-words.ts';
import type { ClassifiedText } from '../classify.ts';
import type { Folds } from '../folds.ts';
import type { Protection } from './protection.ts';
import { traceBlocks } from './stack-trace.ts';

/** Lines around failure that say what was going on. */
const LINES_BEFORE = 1;
const LINES_AFTER = 1;

/** Word for word the same failure says nothing new after so many times. */
const TOLD_AGAIN = 2;

/** How a log begins says what ran; how it ends says how it went. */
const FIRST_LINES = 1;
const LAST_LINES = 3;

/** Errors stay, with the lines next to them; stack traces stay whole, but for what folds in them. */
export function protectLogs({ bare: lines }: ClassifiedText, protection: Protection, folds: Folds): void {
  const pin = (first: number, last: number) => {
    for (let index = first; index <= last; index += 1) if (folds[index] === undefined) protection.pin(index);
  };
  const told = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (folds[index] !== undefined || !isFailure(line)) continue;
    const times = (told.get(line) ?? 0) + 1;
    told.set(line, times);
    if (times <= TOLD_AGAIN) pin(index - LINES_BEFORE, index + LINES_AFTER);
  }
  for (const { start, end } of traceBlocks(lines)) pin(start, end);
  protection.pinRange(0, FIRST_LINES - 1);
  pinEnd(lines, protection);
}

function pinEnd(lines: readonly string[], protection: Protection): void {
  let left = LAST_LINES;
  for (let index = lines.length - 1; index >= 0 && left > 0; index -= 1) {
    if ((lines[index] ?? '').trim() === '') continue;
    protection.pin(index);
    left -= 1;
  }
}
