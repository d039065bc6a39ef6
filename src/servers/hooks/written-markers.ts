import type { LineRange } from '../../text/lines.ts';

/** A marker of ours found in a text somebody wants to write. */
export interface WrittenMarker {
  /** A compact gap does not say it. */
  readonly id: string | undefined;
  /** The first line of a compact answer stands for no lines. */
  readonly lines: LineRange | undefined;
}

const ID = 'prn_[0-9A-HJKMNP-TV-Z]{10,26}';
const CANONICAL = new RegExp(`⟦PRUNÉ: prune_id=(${ID}) lignes (\\d+)-(\\d+) `);
const HEADER = new RegExp(`^(?:\\d+│ )?✂ (${ID}): `, 'm');
const GAP = /^✂ (\d+)-(\d+)(?: \(.*\))?\r?$/m;
const MASK = /\[KIMI_PROXY_OBSERVATION_MASKED original_chars=\d+ head=\d+ tail=\d+\]/;
const ANY_ID = new RegExp(`\\b${ID}\\b`);

/** A whole marker with a real id or real lines; text that speaks of markers, or a pattern for them, is none. */
export function findMarker(text: string): WrittenMarker | undefined {
  const canonical = CANONICAL.exec(text);
  if (canonical !== null)
    return {
      id: canonical[1],
      lines: { start: Number(canonical[2]), end: Number(canonical[3]) },
    };
  const gap = GAP.exec(text);
  const header = HEADER.exec(text)?.[1];
  if (gap !== null) return { id: header, lines: { start: Number(gap[1]), end: Number(gap[2]) } };
  if (header === undefined && !MASK.test(text)) return undefined;
  return { id: header ?? ANY_ID.exec(text)?.[0], lines: undefined };
}

/** Whether a text was cut or masked before. */
export function holdsMarker(text: string): boolean {
  return CANONICAL.test(text) || HEADER.test(text) || MASK.test(text);
}

/** The id of a compact answer, where the text is one and has this gap. */
export function idOfGap(text: string, { start, end }: LineRange): string | undefined {
  const hasGap = new RegExp(`^✂ ${start}-${end}(?: |\\r?$)`, 'm').test(text);
  return hasGap ? HEADER.exec(text)?.[1] : undefined;
}
