import type { LineRange } from '@secateur/base/text/lines.ts';
import { type Explanation, KEEP_RULES, type KeepRule, REMOVED } from '../keep-rules.ts';
import type { LineScores } from '../ranking/scorer.ts';
import type { Document } from '../reading/document.ts';
import type { PrunedBlock } from '../request.ts';
import type { Gap, Pins } from './select.ts';

export interface ExplainedCut {
  readonly document: Document;
  /** Gaps that selection wanted to remove, and the removed blocks. */
  readonly gaps: readonly Gap[];
  readonly blocks: readonly PrunedBlock[];
  readonly pins: Pins;
  /** If lines were ranked. */
  readonly scores: LineScores | undefined;
}

/** For each removed block its rule, reason and best score; for each kept line why it stayed. */
export function explainCut({ document, gaps, pins, blocks, scores }: ExplainedCut): Explanation {
  const lines = document.lines.length;
  const rules = new Array<string>(lines).fill(KEEP_RULES.score);
  const mark = (ranges: readonly LineRange[], letter: string) => {
    for (const { start, end } of ranges) rules.fill(letter, start - 1, end);
  };
  mark(gaps, KEEP_RULES.neighbour);
  for (const [rule, pinned] of Object.entries(pins) as [KeepRule, ReadonlySet<number>][])
    for (const index of pinned) rules[index] = KEEP_RULES[rule];
  mark(blocks, REMOVED);
  const ruleAt = new Map(gaps.map(({ start, units }) => [start, units[0]?.rule]));
  const known = scores?.scores ?? new Float64Array(0);
  return {
    rules: rules.join(''),
    scores: Array.from(known, rounded),
    areLogOdds: scores?.areLogOdds ?? false,
    blocks: blocks.map((block) => ({
      start: block.start,
      end: block.end,
      reason: block.reason,
      rule: block.isInPart === true ? 'long-lines' : (ruleAt.get(block.start) ?? 'max-prune-ratio'),
      ...bestIn(known, block),
    })),
  };
}

function bestIn(scores: Float64Array, { start, end }: LineRange): { bestScore: number; bestLine: number } {
  let bestLine = start;
  for (let line = start; line <= end; line += 1)
    if ((scores[line - 1] ?? 0) > (scores[bestLine - 1] ?? 0)) bestLine = line;
  return { bestScore: rounded(scores[bestLine - 1] ?? 0), bestLine };
}

function rounded(score: number): number {
  return Number.isFinite(score) ? Math.round(score * 100) / 100 : 0;
}
