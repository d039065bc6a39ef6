import type { LineRange } from '../text/lines.ts';
import { estimateTokens } from '../text/token-estimate.ts';
import { PLAIN } from './reasons/reason.ts';
import type { PrunedBlock } from './request.ts';

const LONGEST_REASON = 60;

/** The one place where a marker is written: what stands in the text is what the annotation says. */
export function describeBlock(id: string, range: LineRange, reason: string): PrunedBlock {
  const count = range.end - range.start + 1;
  const said = speakable(reason);
  const marker = `⟦PRUNÉ: prune_id=${id} lignes ${range.start}-${range.end} (${count}) raison=${said}⟧`;
  return { ...range, count, reason: said, marker };
}

/** An id, dearer than most: which lines go should not hang on the letters a key happens to give. */
const SOME_ID = 'prn_4KQ7MZT05X';

/** About what a marker without a reason of its own costs. */
export function typicalMarkerTokens(): number {
  return estimateTokens(describeBlock(SOME_ID, { start: 1000, end: 1000 }, PLAIN.french).marker);
}

/** Lines that stand for text somebody took away before; they are the only way back to it. */
export function isHandle(line: string): boolean {
  return line.includes('⟦PRUNÉ:') || line.includes('KIMI_PROXY_OBSERVATION_MASKED');
}

/** A reason is one short line that cannot end its marker early. */
function speakable(reason: string): string {
  const line = reason
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029⟦⟧]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  if (characters.length <= LONGEST_REASON) return line;
  return `${characters.slice(0, LONGEST_REASON - 1).join('')}…`;
}
