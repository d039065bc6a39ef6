import type { AskedBack } from '../../ranking/focus.ts';
import { isFields } from '../../text/json-value.ts';
import { isSameCall } from './repeated-call.ts';
import type { TranscriptEntry } from './transcript.ts';
import { gapsIn } from './written-markers.ts';

type Call = Extract<TranscriptEntry, { kind: 'call' }>;

const RECOVERING_TOOL = /(?:^|[-_])recover_(?:text|range)$/;
const RECOVERING_COMMAND =
  /\bsecateur(?:\.js)?["']?\s+recover\s+["']?prn_\w*["']?((?:\s+\d{1,9}(?:-\d{1,9})?)*)/;

/** How many gaps a conversation shows, and how many its agent asked for: by their lines, or by making the same call again. */
export function askedBackIn(entries: readonly TranscriptEntry[]): AskedBack {
  const askedBack = { gaps: 0, recoveries: 0 };
  const cut = new Set<string>();
  let before: Call | undefined;
  for (const entry of entries) {
    if (entry.kind === 'result') {
      const gaps = gapsIn(entry.text);
      askedBack.gaps += gaps;
      if (gaps > 0) cut.add(entry.id);
    }
    if (entry.kind !== 'call') continue;
    const isAgain = before !== undefined && cut.has(before.id) && isSameCall(entry, before);
    askedBack.recoveries += isAgain ? 1 : rangesAsked(entry);
    before = entry;
  }
  return askedBack;
}

/** The ranges a call asks back, if it does: one that names none is wrong, and asks all the same. */
function rangesAsked({ tool, input }: Call): number {
  if (RECOVERING_TOOL.test(tool)) {
    const ranges = isFields(input) ? input.ranges : undefined;
    return Array.isArray(ranges) ? Math.max(1, ranges.length) : 1;
  }
  const ranges = RECOVERING_COMMAND.exec(JSON.stringify(input) ?? '')?.[1];
  if (ranges === undefined) return 0;
  return Math.max(1, ranges.split(/\s+/).filter((range) => range !== '').length);
}
