import type { Focus } from '../../../ranking/focus.ts';
import { isShown } from '../../../ranking/shown.ts';
import { namesFailure } from '../../../text/failure-words.ts';
import type { KeepRule } from '../../keep-rules.ts';
import type { ClassifiedText } from '../classify.ts';
import type { Protection } from './protection.ts';
import { traceBlocks } from './stack-trace.ts';

/** What these rules keep serves a reader once. */
const ONCE: ReadonlySet<KeepRule> = new Set<KeepRule>(['failure', 'literal']);

/**
 * What the run has shown already need not stay again, nor the frames of a trace that another trace above has. A line that speaks of a
 * failure stays, and so do both ends of a trace: they say that it still fails.
 */
export function releaseShown(text: ClassifiedText, seen: Focus['seen'], protection: Protection): void {
  const pinned = protection.pinnedFor(ONCE);
  if (pinned.length === 0) return;
  const places = placesInTraces(text.bare);
  for (const index of pinned) {
    const line = text.clean[index] ?? '';
    const place = places.get(index);
    const isToldAgain = place === 'end' || (place === undefined && namesFailure(line));
    if (isToldAgain) continue;
    if (place === 'repeated' || isShown(line, seen)) protection.release(index);
  }
}

/** Where a line of a trace stands: first or last, between them, or there and in a trace above too. */
type Place = 'end' | 'inside' | 'repeated';

function placesInTraces(lines: readonly string[]): Map<number, Place> {
  const places = new Map<number, Place>();
  const met = new Set<string>();
  for (const { start, end } of traceBlocks(lines)) {
    const block = lines.slice(start, end + 1).map((line) => line.trim());
    for (const [offset, line] of block.entries())
      places.set(start + offset, met.has(line) ? 'repeated' : 'inside');
    places.set(start, 'end').set(end, 'end');
    for (const line of block) met.add(line);
  }
  return places;
}
