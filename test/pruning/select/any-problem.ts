import fc from 'fast-check';
import type { Frames } from '../../../src/pruning/cut/frames.ts';
import type { SelectionProblem } from '../../../src/pruning/cut/select.ts';
import { SOURCE_TYPES } from '../../../src/ranking/scorer.ts';

/** The frames whose `[head, last line]` are given, outer ones first; a head stands in the frame around it. */
export function framesGiven(lines: number, given: readonly (readonly [number, number])[]): Frames {
  const owner = new Int32Array(lines).fill(-1);
  const frames = given.map(([head, last], index) => {
    const parent = owner[head - 1] ?? -1;
    owner.fill(index, head, last);
    return { head: { start: head, end: head }, noun: 'function' as const, name: `f${index}`, parent };
  });
  return { frames, owner, structural: [] };
}

/** Nobody nests deeper to be understood. */
const DEEPEST = 6;

/** The lines of the heads that must stay around a line: the outermost ones. */
export function headsAround(line: number, { frames, owner }: Frames): number[] {
  const heads: number[] = [];
  for (let at = owner[line - 1] ?? -1; at >= 0; at = frames[at]?.parent ?? -1)
    heads.push(frames[at]?.head.start ?? 0);
  return heads.slice(-DEEPEST);
}

/** Whatever selection may be asked about a text of so many lines at most: frames in frames, pinned lines, runs that go as one. */
export function anyProblem(most: number): fc.Arbitrary<SelectionProblem> {
  return fc.integer({ min: 1, max: most }).chain((lines) =>
    fc
      .record({
        scores: perLine(lines, fc.double({ min: -6, max: 6, noNaN: true })),
        probabilities: perLine(lines, fc.double({ min: 0, max: 0.12, noNaN: true })),
        tokens: perLine(lines, fc.integer({ min: 1, max: 30 })),
        pinned: perLine(lines, fc.constantFrom(0, 0, 0, 0, 0, 1)),
        frames: fc.array(range(lines), { maxLength: lines >> 1 }),
        whole: range(lines),
        knowsRun: fc.boolean(),
        areLogOdds: fc.boolean(),
        sourceType: fc.constantFrom(...SOURCE_TYPES),
        maxPruneRatio: fc.constantFrom(0, 0.3, 0.5, 0.7, 0.9, 1),
        minKeepLines: fc.constantFrom(0, 0, lines >> 1, lines),
        mostShare: fc.constantFrom(1, 1, 0.3),
      })
      .map(({ scores, probabilities, tokens, pinned, frames, whole, knowsRun, ...rest }) => {
        const nested = framesGiven(lines, nestedOf(frames));
        return {
          ...rest,
          scores: Float64Array.from(scores),
          ...(knowsRun && { probabilities: Float64Array.from(probabilities), kind: 'read' as const }),
          tokens: Float64Array.from(tokens),
          markerTokens: 9,
          protection: {
            pinned: Uint8Array.from(pinned),
            wholes: mayBeWhole(whole, pinned, nested) ? [{ start: whole[0], end: whole[1] }] : [],
            frames: nested,
          },
        };
      }),
  );
}

const perLine = <Value>(lines: number, value: fc.Arbitrary<Value>) =>
  fc.array(value, { minLength: lines, maxLength: lines });

const range = (lines: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: lines }), fc.integer({ min: 1, max: lines }))
    .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);

/** Those that lie inside or outside each other, each with a head of its own. */
function nestedOf(ranges: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const sorted = [...ranges].sort(([a, b], [c, d]) => a - c || d - b);
  const nested: (readonly [number, number])[] = [];
  for (const [head, last] of sorted) {
    const crosses = nested.some(
      ([start, end]) => start === head || (start < head && head <= end && last > end),
    );
    if (!crosses) nested.push([head, last]);
  }
  return nested;
}

/** Protection asks for no run as one that reaches into a head or holds a pinned line. */
function mayBeWhole(
  [start, end]: [number, number],
  pinned: readonly number[],
  { frames, owner }: Frames,
): boolean {
  if (pinned.slice(start - 1, end).includes(1)) return false;
  if (frames.some(({ head }) => head.start >= start && head.start <= end)) return false;
  return owner.subarray(start - 1, end).every((frame) => frame === owner[start - 1]);
}
