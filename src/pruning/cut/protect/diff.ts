import type { ClassifiedText } from '../../classify.ts';
import type { Protection } from './protection.ts';

const STRUCTURE =
  /^(?:diff |index [0-9a-f]|--- |\+\+\+ |@@ |commit [0-9a-f]{7,}|Author:|rename |new file|deleted file)/;

/** A diff is read for its changes: they stay, with the headers that place them; only context can go. */
export function protectDiff({ bare: lines }: ClassifiedText, protection: Protection): void {
  for (const [index, line] of lines.entries()) {
    if (STRUCTURE.test(line) || line.startsWith('+') || line.startsWith('-')) protection.pin(index);
  }
}
