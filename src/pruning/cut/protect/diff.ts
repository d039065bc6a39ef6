import { WHOLE_DIFF_CHARS } from '../../text-kind.ts';
import type { ClassifiedText } from '../classify.ts';
import { diffParts } from '../diff-parts.ts';
import type { Protection } from './protection.ts';

const STRUCTURE =
  /^(?:diff |index [0-9a-f]|--- |\+\+\+ |@@ |commit [0-9a-f]{7,}|Author:|rename |new file|deleted file)/;

export function isLongDiff({ shape, bare }: ClassifiedText): boolean {
  if (shape !== 'diff') return false;
  return bare.reduce((chars, line) => chars + line.length + 1, 0) > WHOLE_DIFF_CHARS;
}

/**
 * A diff is read for its changes: they stay, with the headers that place them; only context can go. A long one loses
 * whole hunks instead: half a hunk would be a patch that applies to nothing.
 */
export function protectDiff(text: ClassifiedText, protection: Protection): void {
  const lines = text.bare;
  if (isLongDiff(text)) {
    for (const { start, end } of diffParts(lines).hunks) protection.keepWhole(start - 1, end - 1);
    return;
  }
  for (const [index, line] of lines.entries()) {
    if (STRUCTURE.test(line) || line.startsWith('+') || line.startsWith('-')) protection.pin(index);
  }
}
