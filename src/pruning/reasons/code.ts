import type { LineRange } from '../../text/lines.ts';
import { declarationAt } from '../code-patterns.ts';

/** A block of code is named after the declaration it belongs to. */
export function codeReasons(lines: readonly string[]): (range: LineRange) => string {
  return (range) => {
    const owner = ownerOf(lines, range);
    return owner === undefined ? 'hors focus' : `hors focus: ${owner}`;
  };
}

const FARTHEST = 400;

/** The nearest declaration above that is indented less than the block, or that opens right above it. */
function ownerOf(lines: readonly string[], range: LineRange): string | undefined {
  const depth = shallowest(lines, range);
  for (let index = range.start - 2; index >= 0 && index > range.start - FARTHEST; index -= 1) {
    const line = lines[index] ?? '';
    if (indentOf(line) >= Math.max(1, depth)) continue;
    const declared = declarationAt(line);
    if (declared !== undefined && declared.name !== '') return `${declared.kind} ${declared.name}`;
  }
  return undefined;
}

function shallowest(lines: readonly string[], { start, end }: LineRange): number {
  let depth = Number.POSITIVE_INFINITY;
  for (let number = start; number <= Math.min(end, start + FARTHEST); number += 1) {
    const line = lines[number - 1] ?? '';
    if (/[\w"'(]/.test(line.slice(0, 200))) depth = Math.min(depth, indentOf(line));
  }
  return depth;
}

function indentOf(line: string): number {
  return line.slice(0, 200).search(/\S|$/);
}
