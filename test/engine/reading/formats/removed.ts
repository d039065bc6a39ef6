import type { Format, RuleName, Unit } from '../../../../packages/engine/src/reading/document.ts';

/** A gap as a reader sees it: its lines, its label and its count. */
export interface Gap {
  readonly lines: string;
  readonly kind: string;
  readonly name: string;
  readonly count: number;
}

const NOISE: readonly RuleName[] = ['passed-tests', 'progress', 'repeated-lines', 'library-frames'];

/** Returns what the rules for runs may remove. */
export function gapsOf(units: readonly Unit[]): Gap[] {
  return units.flatMap((unit) => {
    const isNoise = unit.rule !== undefined && NOISE.includes(unit.rule) && unit.standsOut !== true;
    if (!isNoise) return gapsOf(unit.children ?? []);
    const start = Math.max(unit.start, unit.head + 1);
    return [{ lines: `${start}-${unit.end}`, kind: unit.kind, name: unit.name, count: unit.count ?? 1 }];
  });
}

/** Returns the lines that stay when all of them go. */
export function keptLines(format: Format, text: string): string[] {
  const lines = text.split('\n');
  const gone = new Set<number>();
  for (const { lines: range } of gapsOf(format.units(lines, {}))) {
    const [start = 0, end = 0] = range.split('-').map(Number);
    for (let line = start; line <= end; line += 1) gone.add(line);
  }
  return lines.filter((_, index) => !gone.has(index + 1));
}

/** Returns how many passed tests the gaps of a text count. */
export function passedIn(format: Format, text: string): number {
  const passed = gapsOf(format.units(text.split('\n'), {})).filter(
    ({ kind, name }) => kind === 'passed-tests' && name === '',
  );
  return passed.reduce((sum, { count }) => sum + count, 0);
}
