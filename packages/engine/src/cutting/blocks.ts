/** Gaps → blocks with their markers; a gap whose marker costs as much as its lines stays text (P18). */
import { sliceLines } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { describeBlock, type Marking } from '../marker.ts';
import type { Document } from '../reading/document.ts';
import type { PrunedBlock, PruneRequest } from '../request.ts';
import { labelOf } from './labels.ts';
import { type Gap, holdsCharacters } from './select.ts';

export interface Marked {
  readonly document: Document;
  readonly marking: Marking;
  readonly request: PruneRequest;
}

/** Shorter texts in `prune_text` are pruned as asked, even if the markers make them longer (P18). */
export const MIN_CHECKED_CHARS = 1000;

export function blocksOf(gaps: readonly Gap[], { document, marking, request }: Marked): PrunedBlock[] {
  const mustPay = mustPayFor(request);
  const named = new Set<string>();
  return gaps.flatMap((gap) => {
    const label = labelOf(gap.units, { isBody: gap.isBody, lines: document.bare, named });
    const block = describeBlock(marking, { start: gap.start, end: gap.end }, label);
    if (!mustPay) return [block];
    return pays(block, document.lines) ? [block] : [];
  });
}

/** Whether the lines cost more than their marker. */
function pays(block: PrunedBlock, lines: readonly string[]): boolean {
  if (holdsCharacters(lines, block, 10 * block.marker.length)) return true;
  return estimateTokens(sliceLines(lines, block)) > estimateTokens(block.marker);
}

function mustPayFor({ intent = 'capped', text, options }: PruneRequest): boolean {
  if (intent !== 'capped') return true;
  return options.includeMarkers && text.length >= MIN_CHECKED_CHARS;
}
