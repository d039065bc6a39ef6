import type { LineRange } from '../../../text/lines.ts';

/** The smallest thing selection decides about: one line, or a run that goes or stays as one. 1-based, inclusive. */
export interface Unit {
  start: number;
  end: number;
  lines: number;
  pinned: boolean;
}

export function buildUnits({ pinned, wholes }: { pinned: Uint8Array; wholes: readonly LineRange[] }): Unit[] {
  const units: Unit[] = [];
  let next = 0;
  for (let line = 1; line <= pinned.length; ) {
    while (next < wholes.length && (wholes[next]?.start ?? 0) < line) next += 1;
    const whole = wholes[next];
    const end = whole !== undefined && whole.start === line ? whole.end : line;
    units.push({ start: line, end, lines: end - line + 1, pinned: pinned[line - 1] === 1 });
    line = end + 1;
  }
  return units;
}
