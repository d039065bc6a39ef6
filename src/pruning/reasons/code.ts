import type { LineRange } from '../../text/lines.ts';
import type { ClassifiedText } from '../classify.ts';
import { type CodeLandmark, indentOf } from '../code-structure.ts';

/** A block of code is named after the declaration it belongs to. */
export function codeReasons({ bare, landmarks }: ClassifiedText): (range: LineRange) => string {
  const named = landmarks.filter(({ label }) => label !== '');
  return (range) => {
    const owner = ownerOf(named, range.start - 1, shallowest(bare, range));
    return owner === undefined ? 'hors focus' : `hors focus: ${owner.label}`;
  };
}

/** The nearest declaration above that is indented less than the block. */
function ownerOf(named: readonly CodeLandmark[], first: number, depth: number): CodeLandmark | undefined {
  for (let at = countBefore(named, first) - 1; at >= 0; at -= 1) {
    const landmark = named[at];
    if (landmark !== undefined && landmark.indent < Math.max(1, depth)) return landmark;
  }
  return undefined;
}

function countBefore(named: readonly CodeLandmark[], line: number): number {
  let low = 0;
  let high = named.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((named[middle]?.index ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ENOUGH_LINES = 400;

function shallowest(lines: readonly string[], { start, end }: LineRange): number {
  let depth = Number.POSITIVE_INFINITY;
  for (let number = start; number <= Math.min(end, start + ENOUGH_LINES); number += 1) {
    const line = lines[number - 1] ?? '';
    if (/[\w"'(]/.test(line.slice(0, 200))) depth = Math.min(depth, indentOf(line));
  }
  return depth;
}
