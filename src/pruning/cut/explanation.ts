import type { LineRange } from '../../text/lines.ts';
import { type Explanation, KEEP_RULES, REMOVED } from '../keep-rules.ts';
import type { PrunedBlock } from '../request.ts';
import type { ProtectedLines } from './protect.ts';

export interface ExplainedCut {
  scores: Float64Array;
  areLogOdds: boolean;
  /** Where it is known how likely each line is used. */
  lostLinePrice: number | undefined;
  protection: ProtectedLines;
  /** What the selection wanted to cut, and what was. */
  gaps: readonly LineRange[];
  blocks: readonly PrunedBlock[];
}

export function explainCut(cut: ExplainedCut): Explanation {
  const { scores, areLogOdds, lostLinePrice, blocks } = cut;
  return {
    rules: rulesOf(cut),
    scores: Array.from(scores, rounded),
    areLogOdds,
    ...(lostLinePrice !== undefined && { lostLinePrice }),
    blocks: blocks.map(({ start, end, reason }) => ({ start, end, reason, ...bestIn(scores, start, end) })),
  };
}

function rulesOf({ scores, protection, gaps, blocks }: ExplainedCut): string {
  const { pinnedBy, frames } = protection;
  const rules = Array.from(scores, () => KEEP_RULES.score as string);
  const mark = (ranges: readonly LineRange[], rule: string) => {
    for (const { start, end } of ranges) rules.fill(rule, start - 1, end);
  };
  markCheap(scores, rules, blocks);
  mark([...frames.frames.map(({ head }) => head), ...frames.structural], KEEP_RULES.structure);
  mark(gaps, KEEP_RULES.neighbour);
  for (const [index, rule] of pinnedBy.entries()) if (rule !== undefined) rules[index] = KEEP_RULES[rule];
  mark(blocks, REMOVED);
  return rules.join('');
}

/** A kept line that scores less than the average removed one was not kept for its score. */
function markCheap(scores: Float64Array, rules: string[], blocks: readonly LineRange[]): void {
  let sum = 0;
  let count = 0;
  for (const { start, end } of blocks)
    for (let line = start; line <= end; line += 1, count += 1) sum += scores[line - 1] ?? 0;
  if (count === 0) return;
  for (const [index, score] of scores.entries()) if (score < sum / count) rules[index] = KEEP_RULES.neighbour;
}

function bestIn(scores: Float64Array, start: number, end: number): { bestScore: number; bestLine: number } {
  let bestLine = start;
  for (let line = start; line <= end; line += 1)
    if ((scores[line - 1] ?? 0) > (scores[bestLine - 1] ?? 0)) bestLine = line;
  return { bestScore: rounded(scores[bestLine - 1] ?? 0), bestLine };
}

function rounded(score: number): number {
  return Number.isFinite(score) ? Math.round(score * 100) / 100 : 0;
}
