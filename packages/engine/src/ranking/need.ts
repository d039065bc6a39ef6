/** Relevance of each unit to the task. The scores of its lines are combined so that the strongest weigh most. */

import type { Unit } from '../reading/document.ts';
import type { LineScores, SourceType } from './scorer.ts';

/**
 * Factors that convert scores to odds. `trained`: for log-odds from the network. `ordered`: for scores that
 * only give an order, in standard deviations.
 */
const SHARPNESS: Readonly<Record<SourceType, { trained: number; ordered: number }>> = {
  code: { trained: 0.8, ordered: 1.6 },
  docs: { trained: 0.95, ordered: 2.1 },
  logs: { trained: 0.75, ordered: 1.3 },
};

/** Limits below which a unit counts as unrelated. Measured on 271 files before a fix and on 255 documents with an answer. */
interface Thresholds {
  readonly density: number;
  readonly best: number;
}

/**
 * Limits for code if the request mentions no function. Agents read such a file to know all of it, and
 * recovered most of the cuts. In 383 files before a fix, 2 % of the cuts hide a line of the fix, against 17 %
 * with the default limits. In 148 files with a mentioned function, the default limits hide one in 6 %.
 */
const UNNAMED_CODE: Thresholds = { density: 0.3, best: 0.05 };
/**
 * Minimum lines of a long function. It is needed more often than its scores suggest: 4 % of functions above
 * 150 lines contained lines of the fix, but only 1 % of short functions.
 */
const LONG_CODE_UNIT_LINES = 80;
const LONG_CODE_UNIT_SHARE = 0.5;
/** Second limits for sections. The heading is kept, so that the agent sees what it can recover. */
const SECTION: Thresholds = { density: 0.5, best: 0.04 };
/** Second limits for sections of long documents. As with `SECTION`, 97.4 % of 196 documents keep the whole answer. */
const SECTION_OF_LONG: Thresholds = { density: 0.7, best: 0.06 };
const LONG_DOCUMENT_CHARS = 16_000;
/** Limits for quiet lines of a long run. One relevant line is enough to keep a block. */
const QUIET: Thresholds = { density: Number.POSITIVE_INFINITY, best: 0.04 };
const THRESHOLDS: Readonly<Record<SourceType, Thresholds>> = {
  code: { density: 0.5, best: 0.09 },
  docs: { density: 0.25, best: 0.12 },
  logs: { density: 0.25, best: 0.09 },
};

/** Minimum strength of an item or menu, by its strongest line. Pages repeat short lines with similar scores. */
const MIN_ITEM_STRENGTH = 0.2;
/** Minimum strength of an element whose first line is kept, by its strongest line. */
const MIN_ELEMENT_STRENGTH = 0.35;
/** Limit for the strongest line of a section with controls, which an agent may have to fill in. */
const MIN_FORM_STRENGTH = 0.1;

/** Share of the strongest line's odds below which a unit is unrelated, even if all other units are as weak. */
const NEGLIGIBLE = 0.005;

type Scored = LineScores & {
  readonly areRows?: boolean;
  /** Whether a line is compared with others. Addresses and menus of a page are not. Default: all lines are. */
  readonly isContent?: (index: number) => boolean;
};

/** Scores of one text, ready to be summed over units. */
export class Needs {
  readonly #odds: Float64Array;
  readonly #oddsBefore: Float64Array;
  readonly #charactersBefore: Float64Array;
  readonly #sourceType: SourceType;

  /** Rows count as equally long, because a short row is not more relevant than a long one. */
  constructor(lines: readonly string[], scored: Scored, sourceType: SourceType) {
    this.#sourceType = sourceType;
    this.#odds = oddsOf(scored, sourceType);
    this.#oddsBefore = prefixSums(lines.length, (index) => this.#odds[index] as number);
    const lengthOf = (index: number) => (scored.areRows === true ? 1 : (lines[index] ?? '').length + 1);
    this.#charactersBefore = prefixSums(lines.length, lengthOf);
  }

  /**
   * Whether a unit is unrelated to the task: it has a small share of the text's relevance and no strong line.
   * `isNamed`: whether the request mentions a declaration of the text. Default: true.
   */
  isUnrelated(unit: Unit, { isNamed = true } = {}): boolean {
    const { kind, start, end } = unit;
    const strongest = this.best(start, end);
    if (unit.holds !== undefined) return strongest < minStrengthOf(unit);
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
    return isNamed ? THRESHOLDS.code : UNNAMED_CODE;
  }

  #isLongCode(start: number, end: number): boolean {
    return this.#sourceType === 'code' && end - start >= LONG_CODE_UNIT_LINES;
  }

  #isLonger(characters: number): boolean {
    return (this.#charactersBefore.at(-1) ?? 0) > characters;
  }

  /** Returns the share of the text's relevance in these lines, divided by their share of the characters. */
  density(start: number, end: number): number {
    const relevance = shareOf(this.#oddsBefore, start, end);
    return relevance / (shareOf(this.#charactersBefore, start, end) || 1);
  }

  /** Returns the odds of the strongest of these lines, as a share of the strongest odds in the text. */
  best(start: number, end: number): number {
    let best = 0;
    for (let line = start - 1; line < end; line += 1) best = Math.max(best, this.#odds[line] as number);
    return best;
  }
}

/** Returns the limit for the strongest line of an item or an element of a page. */
function minStrengthOf({ head, start, holdsControls = false }: Unit): number {
  if (head < start) return MIN_ITEM_STRENGTH;
  return holdsControls ? MIN_FORM_STRENGTH : MIN_ELEMENT_STRENGTH;
}

function oddsOf({ scores, areLogOdds, isContent = () => true }: Scored, sourceType: SourceType) {
  // A score of NaN must not affect other lines.
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
