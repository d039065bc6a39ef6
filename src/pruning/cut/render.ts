import type { PrunedBlock } from '../request.ts';

export interface Rendering {
  annotateLines: boolean;
  includeMarkers: boolean;
  blocks: readonly PrunedBlock[];
  /** A first line, where the markers need one. */
  headline?: string;
}

/**
 * Kept lines byte for byte, a marker line in place of each block. The last line ends as the original's does,
 * so that putting every block back in its marker's place gives the original again.
 */
export function render(text: string, lines: readonly string[], page: Rendering): string {
  const pieces = page.headline === undefined || !page.includeMarkers ? [] : [page.headline];
  let next = 1;
  for (const block of page.blocks) {
    pushKept(pieces, lines, { start: next, end: block.start - 1, numbered: page.annotateLines });
    if (page.includeMarkers) pieces.push(block.marker);
    next = block.end + 1;
  }
  pushKept(pieces, lines, { start: next, end: lines.length, numbered: page.annotateLines });
  if (pieces.length === 0) return '';
  return text.endsWith('\n') ? `${pieces.join('\n')}\n` : pieces.join('\n');
}

function pushKept(
  pieces: string[],
  lines: readonly string[],
  run: { start: number; end: number; numbered: boolean },
): void {
  for (let number = run.start; number <= run.end; number += 1) {
    const line = lines[number - 1] ?? '';
    pieces.push(run.numbered ? `${number}│ ${line}` : line);
  }
}
