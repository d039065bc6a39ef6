import { type TermStream, TermTally } from '../../lexical/bm25.ts';
import type { Column } from './columns.ts';

/** Lines put together, each in one group. */
export interface Grouping {
  groups: Int32Array;
  total: number;
}

/** Every line gets the score of its group read as one document, by what it says of the goal. */
export function groupScores(stream: TermStream, weights: Float64Array, { groups, total }: Grouping): Column {
  const members = membersOf({ groups, total });
  const lengths = groupLengths(stream, { groups, total });
  const meanLength = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, total));
  const tally = new TermTally(stream.goalTerms);
  const scores = new Float64Array(total);
  for (let group = 0; group < total; group += 1) {
    const end = members.starts[group + 1] as number;
    for (let at = members.starts[group] as number; at < end; at += 1)
      tally.count(stream, members.lines[at] as number);
    scores[group] = tally.weigh(weights, 1.2 * (0.4 + (0.6 * (lengths[group] as number)) / meanLength));
  }
  const column = new Float32Array(groups.length);
  for (let line = 0; line < groups.length; line += 1) column[line] = scores[groups[line] as number] as number;
  return column;
}

/** The share of its own group that each line outdoes. */
export function rankInGroup(values: Column, { groups, total }: Grouping): Column {
  const most = new Float32Array(total);
  for (let line = 0; line < groups.length; line += 1) {
    const group = groups[line] as number;
    most[group] = Math.max(most[group] as number, values[line] as number);
  }
  return values.map((value, line) => {
    const best = most[groups[line] as number] as number;
    return best > 0 ? value / best : 0;
  });
}

export function groupSizes({ groups, total }: Grouping): Int32Array {
  const sizes = new Int32Array(total);
  for (const group of groups) sizes[group] = (sizes[group] as number) + 1;
  return sizes;
}

function groupLengths(stream: TermStream, { groups, total }: Grouping): Float64Array {
  const lengths = new Float64Array(total);
  for (let line = 0; line < groups.length; line += 1) {
    const group = groups[line] as number;
    lengths[group] = (lengths[group] as number) + (stream.lengths[line] as number);
  }
  return lengths;
}

/** The lines of each group, by counting: linear, and a group need not be one stretch. */
function membersOf(grouping: Grouping): { lines: Int32Array; starts: Int32Array } {
  const sizes = groupSizes(grouping);
  const starts = new Int32Array(grouping.total + 1);
  for (let group = 0; group < grouping.total; group += 1) {
    starts[group + 1] = (starts[group] as number) + (sizes[group] as number);
  }
  const next = starts.slice();
  const lines = new Int32Array(grouping.groups.length);
  for (let line = 0; line < lines.length; line += 1) {
    const group = grouping.groups[line] as number;
    lines[next[group] as number] = line;
    next[group] = (next[group] as number) + 1;
  }
  return { lines, starts };
}
