import type { LineNumbers } from '@secateur/base/text/line-numbering.ts';
import type { PrunedBlock } from '../request.ts';

export interface Page {
  readonly blocks: readonly PrunedBlock[];
  /** A first line, if the markers need one. */
  readonly headline: string | undefined;
  readonly includeMarkers: boolean;
  /** Prefixes kept lines with `N│ `, unless they show their numbers themselves. */
  readonly annotateLines: boolean;
  /** Default: lines of the text, from 1. */
  readonly numbers?: LineNumbers | undefined;
}

/**
 * Kept lines byte for byte, a marker line in place of each block. The last line ends as the original's does,
 * so that putting every block back in its marker's place gives the original again.
 */
export function renderCut(text: string, lines: readonly string[], page: Page): string {
  const pieces = page.headline === undefined || !page.includeMarkers ? [] : [page.headline];
  const isPrefixed = page.annotateLines && page.numbers?.areShown !== true;
  const numberOf = (line: number) => page.numbers?.numberOf(line) ?? line;
  const pushKept = (start: number, end: number) => {
    for (let number = start; number <= end; number += 1) {
      const line = lines[number - 1] ?? '';
      pieces.push(isPrefixed ? `${numberOf(number)}│ ${line}` : line);
    }
  };
  let next = 1;
  for (const block of page.blocks) {
    pushKept(next, block.start - 1);
    if (page.includeMarkers) pieces.push(block.marker);
    next = block.end + 1;
  }
  pushKept(next, lines.length);
  if (pieces.length === 0) return '';
  return text.endsWith('\n') ? `${pieces.join('\n')}\n` : pieces.join('\n');
}
