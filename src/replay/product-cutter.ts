import { type CutParts, cutText } from '../engine/cut.ts';
import { type LeastSize, USUAL_LEAST } from '../engine/least-size.ts';
import type { Origin as TextOrigin } from '../engine/origin.ts';
import { kindOfText } from '../engine/text-kind.ts';
import type { AgentStep, Cutter } from './replay.ts';

const LONGEST_CHARACTERS = 2_000_000;

/** What the product itself would have shown. */
export function productCutter(parts: CutParts, least: LeastSize = USUAL_LEAST): Cutter {
  const options = { ...OPTIONS, least };
  return (step, focus) => {
    const { output: text } = step;
    const whole = { text, gaps: [] };
    if (text.length < least.characters || text.length > LONGEST_CHARACTERS) return whole;
    const origin = originOf(step);
    const kind = kindOfText(origin, text);
    const request = { text, focus, ...kind, options, intent: 'implicit' as const };
    const cut = cutText({ id: 'prn_0000000000', remainingMs: OPTIONS.timeoutMs, request }, parts);
    return cut === undefined ? whole : { text: cut.prunedText, gaps: cut.annotations };
  };
}

/** A tool that reads files or searches says in its call what it was called with, behind its name. */
function originOf({ command }: AgentStep): TextOrigin {
  const [, tool, given = ''] = /^(Read|Grep|Glob) (.*)/s.exec(command) ?? [];
  if (tool === undefined) return { kind: 'command', command };
  return tool === 'Read' ? { kind: 'file', path: given } : { kind: 'search', pattern: given };
}

const OPTIONS = {
  maxPruneRatio: 0.95,
  minKeepLines: 0,
  timeoutMs: 60_000,
  annotateLines: false,
  includeMarkers: true,
  markers: 'compact',
} as const;
