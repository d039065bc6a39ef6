import type { LineRange } from '../text/lines.ts';
import type { ProtectedLines } from './protect.ts';
import type { SourceType } from './scorer.ts';
import { cheapestGaps, closeUnpaid } from './select/gaps.ts';
import { growGaps } from './select/grow.ts';
import { needOf } from './select/need.ts';
import { type SecureLimits, secureBest } from './select/secure.ts';
import { shrinkGaps } from './select/shrink.ts';
import { buildUnits, type Unit } from './select/units.ts';

export interface SelectionProblem {
  scores: Float64Array;
  protection: ProtectedLines;
  /** Estimated tokens of each line. */
  tokens: Float64Array;
  /** What a marker costs, roughly: a gap that hides less is not opened. */
  markerTokens: number;
  maxPruneRatio: number;
  minKeepLines: number;
  sourceType: SourceType;
}

/**
 * This share of the unprotected lines that stay is chosen line by line; the rest fills up around them. What a log's
 * reader needs stands together, what a change to code needs is scattered.
 */
const SECURED_SHARE: Readonly<Record<SourceType, number>> = { code: 0.6, docs: 0.6, logs: 0.1 };
/** Lines needed for sure may make up this share of all lines that stay, protected ones counted. */
const SURE_SHARE: Readonly<Record<SourceType, number>> = { code: 0.5, docs: 0.5, logs: 0.1 };

/**
 * The gaps to cut, in order: as many lines as the limits allow, those the goal needs least, in as few
 * pieces as that allows, because every piece costs a marker.
 */
export function selectGaps(problem: SelectionProblem): LineRange[] {
  const units = buildUnits(problem.protection);
  const budget = prunableLines(problem);
  if (budget === 0) return [];
  const need = needOf(units, problem.scores);
  secureBest(units, need, secureLimits(problem, budget));
  const tokens = Float64Array.from(units, (unit) => tokensIn(problem.tokens, unit));
  const gaps = { units, need, budget, tokens, markerTokens: problem.markerTokens };
  const cut = cheapestGaps(gaps);
  shrinkGaps({ ...gaps, cut });
  closeUnpaid(cut, gaps);
  growGaps({ ...gaps, cut });
  return rangesOf(units, cut);
}

function secureLimits({ protection, sourceType }: SelectionProblem, budget: number): SecureLimits {
  const kept = protection.pinned.length - budget;
  const lines = (kept - pinnedLines(protection)) * SECURED_SHARE[sourceType];
  return { lines, sureLines: Math.max(lines, kept * SURE_SHARE[sourceType]) };
}

/** Protected lines stay; the rest is pruned down to 1 − ratio of its number, within the limits of the whole text. */
function prunableLines({ protection, maxPruneRatio, minKeepLines }: SelectionProblem): number {
  const total = protection.pinned.length;
  const free = total - pinnedLines(protection);
  const byRatio = Math.min(Math.floor(free * maxPruneRatio), Math.floor(total * maxPruneRatio));
  return Math.max(0, Math.min(byRatio, total - minKeepLines));
}

function pinnedLines({ pinned }: ProtectedLines): number {
  return pinned.reduce((sum, pin) => sum + pin, 0);
}

function rangesOf(units: readonly Unit[], cut: Uint8Array): LineRange[] {
  const ranges: LineRange[] = [];
  for (const [index, unit] of units.entries()) {
    if (cut[index] === 0) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last.end === unit.start - 1) last.end = unit.end;
    else ranges.push({ start: unit.start, end: unit.end });
  }
  return ranges;
}

function tokensIn(tokens: Float64Array, { start, end }: LineRange): number {
  return tokens.subarray(start - 1, end).reduce((sum, count) => sum + count, 0);
}
