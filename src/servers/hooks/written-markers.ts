import { type ReadMarker, readMarker } from '../../engine/marker.ts';
import type { LineRange } from '../../text/lines.ts';

/** A marker of ours found in a text somebody wants to write. */
export interface WrittenMarker {
  /** A compact gap does not say it. */
  readonly id: string | undefined;
  /** The first line of a compact answer, or a masked text, stands for no lines. */
  readonly lines: LineRange | undefined;
}

/** What a patch or a client's numbering puts before a line. */
const BEFORE_LINE = /^[+\s]*(?:\d+[→│\t]\s*)?/;
/** Documentation writes `prn_…`; only a real id leads anywhere. */
const REAL_ID = /^prn_[0-9A-HJKMNP-TV-Z]{10,26}$/;
const ANY_ID = /\bprn_[0-9A-HJKMNP-TV-Z]{10,26}\b/;
const MASK = /\[KIMI_PROXY_OBSERVATION_MASKED original_chars=\d+ head=\d+ tail=\d+\]/;

/** A whole marker with a real id or real lines; text that speaks of markers, or a pattern for them, is none. */
export function findMarker(text: string): WrittenMarker | undefined {
  const markers = markersIn(text);
  const gap = markers.find((marker) => marker.kind === 'gap');
  const headId = markers.find((marker) => marker.kind === 'headline')?.id;
  if (gap !== undefined) return { id: gap.id ?? headId, lines: gap.lines };
  if (headId === undefined && !MASK.test(text)) return undefined;
  return { id: headId ?? ANY_ID.exec(text)?.[0], lines: undefined };
}

/** Whether a text was cut or masked before. */
export function holdsMarker(text: string): boolean {
  return MASK.test(text) || markersIn(text).some(({ id }) => id !== undefined);
}

/** The id of a compact answer, where the text is one and has this gap. */
export function idOfGap(text: string, { start, end }: LineRange): string | undefined {
  const markers = markersIn(text);
  const hasGap = markers.some(
    (marker) => marker.kind === 'gap' && marker.lines.start === start && marker.lines.end === end,
  );
  return hasGap ? markers.find((marker) => marker.kind === 'headline')?.id : undefined;
}

function markersIn(text: string): ReadMarker[] {
  if (!text.includes('✂ ') && !text.includes('⟦')) return [];
  const read = text.split('\n').map((line) => readMarker(line.replace(BEFORE_LINE, '').trimEnd()));
  return read.filter(
    (marker) => marker !== undefined && (marker.id === undefined || REAL_ID.test(marker.id)),
  ) as ReadMarker[];
}
