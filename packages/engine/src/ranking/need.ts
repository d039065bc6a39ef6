/** Relevance of each unit to the task: line scores pooled, the strongest lines counting most. */

import type { Unit } from '../reading/document.ts';
import type { LineScores, SourceType } from './scorer.ts';

/**
 * Factor that makes odds of a trained network's scores, and of standard deviations if scores only give an
 * order.
 */
const SHARPNESS: Readonly<Record<SourceType, { trained: number; ordered: number }>> = {
  code: { trained: 0.8, ordered: 1.6 },
  docs: { trained: 0.95, ordered: 2.1 },
  logs: { trained: 0.75, ordered: 1.3 },
};

/** Below these a unit is unrelated: measured on 271 files before a fix and 255 documents with a known answer. */
interface Thresholds {
  readonly density: number;
  readonly best: number;
}

/**
 * Code in which the request names no function: agents that read such a file want to know it, and recovered two of three
 * cuts. Of 383 files before a fix 2 % of the cuts hide a line of it with these limits, and 17 % with the usual ones; of
 * 148 files with a function that the request names 6 % with the usual ones.
 */
const UNNAMED_CODE: Thresholds = { density: 0.3, best: 0.05 };
/** In large files relevance is spread thin: with the limits of smaller ones 6 points more of the lines that a fix changed were folded. */
const LARGE_CODE: Thresholds = { density: 0.5, best: 0.09 };
const LARGE_CODE_CHARS = 30_000;
/** A long function is needed more often than its lines say: of those above 150 lines 4 % held lines of the fix, of short ones 1 %. */
const LONG_CODE_UNIT_LINES = 80;
const LONG_CODE_UNIT_SHARE = 0.5;
/** A section leaves its heading behind: the agent sees what it could read. */
const SECTION: Thresholds = { density: 0.5, best: 0.04 };
/** With these limits 97.4 % of 196 long documents keep the whole answer, as with those above. */
const SECTION_OF_LONG: Thresholds = { density: 0.7, best: 0.06 };
const LONG_DOCUMENT_CHARS = 16_000;
/** Quiet lines of a long run: whatever their density, a line that matters keeps its block. */
const QUIET: Thresholds = { density: Number.POSITIVE_INFINITY, best: 0.04 };
const THRESHOLDS: Readonly<Record<SourceType, Thresholds>> = {
  code: { density: 0.7, best: 0.13 },
  docs: { density: 0.25, best: 0.12 },
  logs: { density: 0.25, best: 0.09 },
};

/** Pages repeat short lines whose scores hardly differ: items and menus are weighed by their strongest line alone. */
const MIN_ITEM_STRENGTH = 0.2;
/** An element leaves its first line behind. */
const MIN_ELEMENT_STRENGTH = 0.35;

/** Below this share of the strongest line's odds a unit is unrelated even if all others are as weak: products of a shop's page. */
const NEGLIGIBLE = 0.005;

type Scored = LineScores & {
  readonly areRows?: boolean;
  /** Leaves out lines that no other is compared with: the address and the menus of a page. Default: none. */
  readonly isContent?: (index: number) => boolean;
};

/** Scores of one text, ready to be summed over units. */
export class Needs {
  readonly #odds: Float64Array;
  readonly #oddsBefore: Float64Array;
  readonly #charactersBefore: Float64Array;
  readonly #sourceType: SourceType;

  /** Rows count as equally long: a short row is not more relevant than a long one. */
  constructor(lines: readonly string[], scored: Scored, sourceType: SourceType) {
    this.#sourceType = sourceType;
    this.#odds = oddsOf(scored, sourceType);
    this.#oddsBefore = prefixSums(lines.length, (index) => this.#odds[index] as number);
    const lengthOf = (index: number) => (scored.areRows === true ? 1 : (lines[index] ?? '').length + 1);
    this.#charactersBefore = prefixSums(lines.length, lengthOf);
  }

  /**
   * Whether the task has nothing to do with a unit: hardly any of the text's relevance, and no strong line. `isNamed`: the
   * request names a declaration of the text. Default true.
   */
  isUnrelated({ kind, start, end, head, holds }: Unit, { isNamed = true } = {}): boolean {
    const strongest = this.best(start, end);
    if (holds !== undefined) return strongest < (head < start ? MIN_ITEM_STRENGTH : MIN_ELEMENT_STRENGTH);
    const density = this.density(start, end);
    const share = this.#isLongCode(start, end) ? LONG_CODE_UNIT_SHARE : 1;
    const isBelow = (limits: Thresholds) =>
      strongest < share * limits.best && density < share * limits.density;
    if (kind === 'quiet-lines') return isBelow(QUIET);
    if (strongest < NEGLIGIBLE || isBelow(this.#thresholds(isNamed))) return true;
    return kind === 'section' && isBelow(this.#isLonger(LONG_DOCUMENT_CHARS) ? SECTION_OF_LONG : SECTION);
  }

  #thresholds(isNamed: boolean): Thresholds {
    if (this.#sourceType !== 'code') return THRESHOLDS[this.#sourceType];
    if (!isNamed) return UNNAMED_CODE;
    return this.#isLonger(LARGE_CODE_CHARS) ? LARGE_CODE : THRESHOLDS.code;
  }

  #isLongCode(start: number, end: number): boolean {
    return this.#sourceType === 'code' && end - start >= LONG_CODE_UNIT_LINES;
  }

  #isLonger(characters: number): boolean {
    return (this.#charactersBefore.at(-1) ?? 0) > characters;
  }

  /** The share of the text's relevance that these lines hold, divided by their share of its characters. */
  density(start: number, end: number): number {
    const relevance = shareOf(this.#oddsBefore, start, end);
    return relevance / (shareOf(this.#charactersBefore, start, end) || 1);
  }

  /** The odds of their strongest line, as a share of the strongest in the text. */
  best(start: number, end: number): number {
    let best = 0;
    for (let line = start - 1; line < end; line += 1) best = Math.max(best, this.#odds[line] as number);
    return best;
  }
}

function oddsOf(
  { scores, areLogOdds, isContent = () => true }: Scored,
  sourceType: SourceType,
): Float64Array {
  // A score that is not a number must not spoil the whole text.
  const finite = scores.map((score) => (Number.isFinite(score) ? score : 0));
  const { deviation } = spreadOf(finite);
  const content = finite.filter((_, index) => isContent(index));
  const { highest } = spreadOf(content.length > 0 ? content : finite);
  const { trained, ordered } = SHARPNESS[sourceType];
  const sharpness = areLogOdds ? trained : ordered / (deviation || 1);
  return finite.map((score) => Math.exp(sharpness * Math.min(0, score - highest)));
}

function spreadOf(values: Float64Array): { highest: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    sum += value;
    squares += value * value;
    highest = Math.max(highest, value);
  }
  const count = Math.max(1, values.length);
  return { highest, deviation: Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2)) };
}

function prefixSums(count: number, at: (index: number) => number): Float64Array {
  const sums = new Float64Array(count + 1);
  for (let index = 0; index < count; index += 1) sums[index + 1] = (sums[index] as number) + at(index);
  return sums;
}

function shareOf(before: Float64Array, start: number, end: number): number {
  const total = before.at(-1) || 1;
  return ((before[end] ?? total) - (before[start - 1] ?? 0)) / total;
}
