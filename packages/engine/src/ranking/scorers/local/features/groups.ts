import { type TermStream, TermTally } from '../../lexical/bm25.ts';
import type { Column } from './columns.ts';

/** Lines put together, each in one group. */
export interface Grouping {
  groups: Int32Array;
  total: number;
}

/** The lines of each group, one after another; group `i` owns `lines` from `starts[i]` up to `starts[i + 1]`. */
export interface Members extends Grouping {
  lines: Int32Array;
  starts: Int32Array;
}

/** Every line gets the score of its group read as one document, by what it says of the goal. */
export function groupScores(stream: TermStream, weights: Float64Array, members: Members): Column {
  const { groups, total } = members;
  const lengths = groupLengths(stream, members);
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
  const column = new Float32Array(values.length);
  for (let line = 0; line < column.length; line += 1) {
    const best = most[groups[line] as number] as number;
    if (best > 0) column[line] = (values[line] as number) / best;
  }
  return column;
}

export function groupSizes({ groups, total }: Grouping): Int32Array {
  const sizes = new Int32Array(total);
  for (let line = 0; line < groups.length; line += 1) {
    const group = groups[line] as number;
    sizes[group] = (sizes[group] as number) + 1;
  }
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

/** By counting: linear, and a group need not be one stretch. */
export function membersOf(grouping: Grouping): Members {
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
  return { ...grouping, lines, starts };
}
