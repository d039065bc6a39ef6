import type { LineRange } from '../../text/lines.ts';
import type { ClassifiedText } from '../classify.ts';
import { indentOf } from '../code-structure.ts';
import { nearestOwner } from './owners.ts';

/** A block of code is named after the declaration it belongs to: the nearest above that is indented less. */
export function codeReasons({ bare, landmarks }: ClassifiedText): (range: LineRange) => string {
  const ownerOf = nearestOwner(landmarks.filter(({ label }) => label !== ''));
  return (range) => {
    const owner = ownerOf(range.start - 1, Math.max(1, shallowest(bare, range)));
    return owner === undefined ? 'hors focus' : `hors focus: ${owner.label}`;
  };
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
