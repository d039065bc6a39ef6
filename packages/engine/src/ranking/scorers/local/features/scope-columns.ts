import { goalWeights, type TermStream, TermTally } from '../../../lexical-scorer.ts';
import {
  type Column,
  type ColumnGroup,
  each,
  logged,
  maximum,
  type Numbers,
  percentiles,
  relative,
  valueAt,
} from './columns.ts';
import { type GoalScores, type RelativeScores, titleWeights } from './goal-columns.ts';
import { ERROR } from './keywords.ts';
import { KIND_BITS } from './line-kinds.ts';
import type { Reading } from './reading.ts';
import type { Groups } from './scope.ts';

/** Returns columns for how well the scopes that enclose a line, and the words of the best lines, match the goal. */
export function scopeColumns(
  reading: Reading,
  { words: base, identifiers: exact }: RelativeScores,
): ColumnGroup[] {
  const { scopes, terms, words } = reading;
  const weights = goalWeights(words);
  const blocks = membersOf(scopes.blocks);
  const paragraphs = membersOf(scopes.paragraphs);
  const sections = membersOf(scopes.sections);
  const block = groupScores(terms.words, weights, blocks);
  const paragraph = groupScores(terms.words, weights, paragraphs);
  const title = groupScores(terms.words, titleWeights(words, reading.request.goal), blocks);
  const section = groupScores(terms.words, weights, sections);
  return [
    {
      'scope.block': relative(block),
      'scope.blockRank': percentiles(block),
      'scope.blockLogged': logged(block),
      'scope.paragraph': relative(paragraph),
      'scope.paragraphRank': percentiles(paragraph),
      'scope.section': relative(section),
      'scope.sectionRank': percentiles(section),
      'scope.blockTitle': relative(title),
      'scope.parent': valueAt(base, scopes.parents),
      'scope.signature': valueAt(base, scopes.signatures),
      'scope.signatureExact': valueAt(exact, scopes.signatures),
      'scope.ancestors': ancestorMaximum(base, scopes.parents),
      'scope.blockSize': sizeColumn(blocks),
      'scope.fromSignature': distance(scopes.signatures),
      'scope.depth': each(scopes.depths, (depth) => depth / 8),
    },
  ];
}

function ancestorMaximum(values: Column, parents: Int32Array): Column {
  const column = new Float32Array(values.length);
  for (let line = 0; line < values.length; line += 1) {
    const parent = parents[line] as number;
    if (parent >= 0) column[line] = Math.max(column[parent] as number, values[parent] as number);
  }
  return column;
}

function sizeColumn(groups: Groups): Column {
  const sizes = logged(groupSizes(groups)).map((size) => size / 4);
  return valueAt(sizes, groups.groups);
}

/** Returns the distance of each line from its signature; 2 for lines outside of signatures. */
function distance(signatures: Int32Array): Column {
  return each(signatures, (signature, line) => (signature < 0 ? 2 : Math.log1p(line - signature) / 4));
}

/** Lines of all groups, one group after another. Those of group `i` are `lines[starts[i]]` to before `lines[starts[i + 1]]`. */
interface Members extends Groups {
  lines: Int32Array;
  starts: Int32Array;
}

/** Returns for each line the score of its group, which is scored against the goal as one document. */
function groupScores(stream: TermStream, weights: Float64Array, members: Members): Column {
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
  return valueAt(scores, groups);
}

function groupSizes({ groups, total }: Groups): Int32Array {
  const sizes = new Int32Array(total);
  for (let line = 0; line < groups.length; line += 1) {
    const group = groups[line] as number;
    sizes[group] = (sizes[group] as number) + 1;
  }
  return sizes;
}

function groupLengths(stream: TermStream, { groups, total }: Groups): Float64Array {
  const lengths = new Float64Array(total);
  for (let line = 0; line < groups.length; line += 1) {
    const group = groups[line] as number;
    lengths[group] = (lengths[group] as number) + (stream.lengths[line] as number);
  }
  return lengths;
}

/** Sorts lines by counting, which takes linear time. The lines of a group need not be adjacent. */
function membersOf(grouping: Groups): Members {
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

/** Computes values that are the same for all lines: properties of the text and the goal. */
export function textConstants(reading: Reading, scores: GoalScores): Record<string, number> {
  const { request, words, kinds, shapes } = reading;
  const total = Math.max(1, request.lines.length);
  const characters = request.lines.reduce((sum, line) => sum + line.length, 0);
  const ofGoal = words.lineCounts.subarray(0, words.goalWords);
  const shareOf = (bit: number) => countOf(kinds.bits, (bits) => (bits & bit) !== 0) / total;
  return {
    'text.lines': Math.log1p(request.lines.length) / 6,
    'text.meanLength': Math.log1p(characters / total) / 4,
    'text.vocabulary': Math.log1p(words.vocabulary.size) / 6,
    'text.code': request.sourceType === 'code' ? 1 : 0,
    'text.logs': request.sourceType === 'logs' ? 1 : 0,
    'text.docs': request.sourceType === 'docs' ? 1 : 0,
    'text.numbered': shapes.numbered ? 1 : 0,
    'text.blank': shareOf(KIND_BITS.blank),
    'text.dated': shareOf(KIND_BITS.timestamp),
    'text.located': shareOf(KIND_BITS.located),
    'text.signatures': shareOf(KIND_BITS.signature),
    'text.errors': countOf(kinds.telling, (bits) => (bits & ERROR) !== 0) / total,
    'goal.words': Math.log1p(words.goalWords) / 6,
    'goal.found': countOf(ofGoal, isPositive) / Math.max(1, words.goalWords),
    'goal.bestWords': Math.log1p(maximum(scores.words)) / 4,
    'goal.hits': countOf(scores.words, isPositive) / total,
  };
}

function countOf(values: Numbers, counts: (value: number) => boolean): number {
  let count = 0;
  for (let at = 0; at < values.length; at += 1) if (counts(values[at] as number)) count += 1;
  return count;
}

function isPositive(value: number): boolean {
  return value > 0;
}
