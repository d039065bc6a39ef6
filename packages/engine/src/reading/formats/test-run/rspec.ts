import { indentOf, isBlank } from '../runs/marks.ts';
import type { TestLines } from './passed-tests.ts';

/** RSpec's documentation format prints passed examples without a mark: they are known by their number alone. */
const TOTAL = /^(\d{1,6}) examples?, \d+ failures?/;

const END = /^(?:Failures|Pending.{0,80}):$|^Finished in /;

const NOT_PASSED = /\((?:FAILED|ERROR) - \d+\)$|\(PENDING: .{0,200}\)$/;

/** Fills in outcomes and headings of the examples above the total, if their number agrees with it. */
export function readExamples(lines: readonly string[], read: TestLines): void {
  const total = totalOf(lines);
  const end = total === 0 ? -1 : lines.findIndex((line) => END.test(line));
  const examples = end === -1 ? undefined : examplesAbove(lines, end, total);
  if (examples === undefined) return;
  for (let index = examples.start; index < end; index += 1) {
    const line = lines[index] ?? '';
    if (isBlank(line)) continue;
    read.isHeading[index] = !examples.indexes.has(index);
    if (read.isHeading[index]) continue;
    read.outcomes[index] = { kind: NOT_PASSED.test(line) ? 'other' : 'passed', tests: 1 };
  }
}

function totalOf(lines: readonly string[]): number {
  for (const line of lines) {
    const found = TOTAL.exec(line)?.[1];
    if (found !== undefined) return Number(found);
  }
  return 0;
}

interface Examples {
  readonly start: number;
  readonly indexes: ReadonlySet<number>;
}

/** Goes up from the end of the list to the heading at the left below which there are as many examples as the total says. */
function examplesAbove(lines: readonly string[], end: number, total: number): Examples | undefined {
  const indexes = new Set<number>();
  let below = 0;
  for (let index = end - 1; index >= 0 && indexes.size <= total; index -= 1) {
    if (isBlank(lines[index])) continue;
    const indent = indentOf(lines[index] ?? '');
    const isHeading = indent === 0 || below > indent;
    if (!isHeading) indexes.add(index);
    if (indent === 0 && indexes.size === total) return { start: index, indexes };
    below = indent;
  }
  return undefined;
}
