import type { AskedBack } from '../../ranking/focus.ts';
import type { TranscriptEntry } from './transcript.ts';
import { gapsIn } from './written-markers.ts';

const RECOVERING_TOOL = /(?:^|[-_])recover_(?:text|range)$/;
const RECOVERING_COMMAND = /\bsecateur(?:\.js)?["']?\s+recover\s+["']?prn_/;

/** How many gaps a conversation shows, and how often its agent asked for what they hide. */
export function askedBackIn(entries: readonly TranscriptEntry[]): AskedBack {
  let gaps = 0;
  let recoveries = 0;
  for (const entry of entries) {
    if (entry.kind === 'result') gaps += gapsIn(entry.text);
    if (entry.kind === 'call' && isRecovery(entry)) recoveries += 1;
  }
  return { gaps, recoveries };
}

function isRecovery({ tool, input }: Extract<TranscriptEntry, { kind: 'call' }>): boolean {
  return RECOVERING_TOOL.test(tool) || RECOVERING_COMMAND.test(JSON.stringify(input) ?? '');
}
