import { isTrouble } from '../trouble.ts';
import type { Protection } from './protection.ts';
import { traceBlocks } from './stack-trace.ts';

/** Lines around trouble that say what was going on. */
const LINES_BEFORE = 1;
const LINES_AFTER = 1;

/** Errors stay, with the lines next to them; stack traces stay whole. */
export function protectLogs(lines: readonly string[], protection: Protection): void {
  for (const [index, line] of lines.entries()) {
    if (isTrouble(line)) protection.pinRange(index - LINES_BEFORE, index + LINES_AFTER);
  }
  for (const { start, end } of traceBlocks(lines)) protection.pinRange(start, end);
}
