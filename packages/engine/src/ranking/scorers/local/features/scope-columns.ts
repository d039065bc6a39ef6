import { goalWeights } from '../../lexical/bm25.ts';
import {
  type Column,
  type ColumnGroup,
  logged,
  percentiles,
  relative,
  smoothed,
  valueAt,
} from './columns.ts';
import { feedback } from './feedback.ts';
import { type RelativeScores, titleWeights, weighedWords } from './goal-columns.ts';
import { rarityWeights } from './goal-terms.ts';
import { type Grouping, groupScores, groupSizes, membersOf, rankInGroup } from './groups.ts';
import type { Reading } from './reading.ts';

/** What encloses a line says of the goal, and what the words of the best lines say of it. */
export function scopeColumns(
  reading: Reading,
  { words: base, identifiers: exact }: RelativeScores,
): ColumnGroup[] {
  const { scopes, terms, words } = reading;
  const weights = goalWeights(words);
  const blocks = membersOf({ groups: scopes.blocks, total: scopes.blockTotal });
  const paragraphs = membersOf({ groups: scopes.paragraphs, total: scopes.paragraphTotal });
  const sections = membersOf({ groups: scopes.sections, total: scopes.sectionTotal });
  const near = smoothed(base);
  const block = groupScores(terms.words, weights, blocks);
  const paragraph = groupScores(terms.words, weights, paragraphs);
  const weighed = groupScores(terms.words, weighedWords(words), blocks);
  const title = groupScores(terms.words, titleWeights(words, reading.request.goal), blocks);
  const code = groupScores(terms.code, rarityWeights(terms.code), blocks);
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
      'scope.blockWeighed': relative(weighed),
      'scope.blockWeighedRank': percentiles(weighed),
      'scope.blockTitle': relative(title),
      'scope.blockCode': relative(code),
      'scope.inBlock': rankInGroup(near, blocks),
      'scope.inParagraph': rankInGroup(base, paragraphs),
      'scope.parent': valueAt(base, scopes.parents),
      'scope.signature': valueAt(base, scopes.signatures),
      'scope.signatureExact': valueAt(exact, scopes.signatures),
      'scope.ancestors': ancestorMaximum(base, scopes.parents),
      'scope.blockSize': sizeColumn(blocks),
      'scope.fromSignature': distance(scopes.signatures),
      'scope.depth': scaled(scopes.depths, 8),
    },
    feedbackColumns(reading, near, block),
  ];
}

function feedbackColumns(reading: Reading, near: Column, block: Column): ColumnGroup {
  const [nearest, enclosing] = [relative(near), relative(block)];
  const base = new Float32Array(near.length);
  for (let line = 0; line < base.length; line += 1)
    base[line] = (nearest[line] as number) + 0.5 * (enclosing[line] as number);
  const answer = feedback(reading.words, base);
  return {
    'feedback.relative': relative(answer),
    'feedback.rank': percentiles(answer),
    'feedback.near': relative(smoothed(answer)),
  };
}

function ancestorMaximum(values: Column, parents: Int32Array): Column {
  const column = new Float32Array(values.length);
  for (let line = 0; line < values.length; line += 1) {
    const parent = parents[line] as number;
    if (parent >= 0) column[line] = Math.max(column[parent] as number, values[parent] as number);
  }
  return column;
}

function sizeColumn(grouping: Grouping): Column {
  const sizes = logged(groupSizes(grouping));
  for (let group = 0; group < sizes.length; group += 1) sizes[group] = (sizes[group] as number) / 4;
  return valueAt(sizes, grouping.groups);
}

/** How far below its signature a line stands; 2 outside of any. */
function distance(signatures: Int32Array): Column {
  const column = new Float32Array(signatures.length);
  for (let line = 0; line < column.length; line += 1) {
    const signature = signatures[line] as number;
    column[line] = signature < 0 ? 2 : Math.log1p(line - signature) / 4;
  }
  return column;
}

function scaled(values: Int32Array, unit: number): Column {
  const column = new Float32Array(values.length);
  for (let line = 0; line < column.length; line += 1) column[line] = (values[line] as number) / unit;
  return column;
}
