import { type CutParts, cutText } from '@secateur/engine/cut.ts';
import {
  type CutPolicy,
  DEFAULT_LEAST,
  kindOfText,
  type LeastSize,
  type Origin as TextOrigin,
} from '@secateur/engine/request.ts';
import type { AgentStep, Cutter } from './replay.ts';

const MAX_CHARACTERS = 2_000_000;

export interface CutterSettings {
  /** Minimum sizes and savings. Default: those of the product. */
  readonly least?: LeastSize;
  readonly policy?: CutPolicy;
}

/** Creates a cutter with the product's settings. Outputs that hooks cannot change are not cut. */
export function productCutter(
  parts: CutParts,
  { least = DEFAULT_LEAST, policy = {} }: CutterSettings = {},
): Cutter {
  const options = { ...OPTIONS, least, ...policy };
  return (step, focus) => {
    const { output: text, isOutOfReach = false, origin = originOf(step) } = step;
    const whole = { text, gaps: [] };
    const isCut = !isOutOfReach && text.length >= least.characters && text.length <= MAX_CHARACTERS;
    if (!isCut) return whole;
    const kind = kindOfText(origin, text);
    const request = { text, focus, ...kind, options, intent: 'implicit' as const };
    const cut = cutText({ id: 'prn_0000000000', remainingMs: OPTIONS.timeoutMs, request }, parts);
    return cut === undefined ? whole : { text: cut.prunedText, gaps: cut.annotations };
  };
}

/** Returns the origin of an output. The command of a reading tool is its name with its arguments. */
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
