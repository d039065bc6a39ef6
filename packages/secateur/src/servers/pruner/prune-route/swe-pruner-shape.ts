import { sliceLines, splitLines } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { type PrunedBlock, type PruneOutcome, USUAL_OPTIONS } from '@secateur/engine/request.ts';
import { kindOfText } from '@secateur/engine/text-kind.ts';
import type { Static } from 'typebox';
import type { PruneRouteCall } from '../prune-route.ts';

/** What clients of the public SWE-Pruner service send. */
export const swePrunerRequestSchema = Type.Object({
  query: Type.String(),
  code: Type.String(),
  threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
});

export type SwePrunerRequest = Static<typeof swePrunerRequestSchema>;

const USUAL_THRESHOLD = 0.5;
/** A threshold of 0 keeps everything, the usual .5 prunes .7 of the lines that can go. */
const RATIO_PER_THRESHOLD = 1.4;

export async function answerSwePrunerRequest(
  { query, code, threshold = USUAL_THRESHOLD }: SwePrunerRequest,
  { pruner, onPruned, client, signal }: PruneRouteCall,
) {
  const kind = kindOfText({ kind: 'other' }, code);
  const maxPruneRatio = Math.min(1, RATIO_PER_THRESHOLD * threshold);
  const options = { ...USUAL_OPTIONS, maxPruneRatio, timeoutMs: 10_000 };
  const outcome = await pruner.prune({ text: code, focus: { question: query }, ...kind, options }, signal);
  onPruned(outcome, { client, sourceType: kind.sourceType });
  return swePrunerAnswer(code, outcome);
}

function swePrunerAnswer(code: string, { annotations, stats, warnings }: PruneOutcome) {
  const prunedCode = withFilteredGaps(code, annotations);
  const leftTokens = estimateTokens(prunedCode);
  return {
    // The service gives the text's relevance here; the share that was worth keeping is the nearest we have.
    score: stats.tokensBefore === 0 ? 0 : Math.min(1, leftTokens / stats.tokensBefore),
    pruned_code: prunedCode,
    kept_frags: keptLineNumbers(stats.originalLines, annotations),
    origin_token_cnt: stats.tokensBefore,
    left_token_cnt: leftTokens,
    model_input_token_cnt: stats.tokensBefore,
    token_scores: [],
    error_msg: warnings.length === 0 ? null : warnings.join(', '),
  };
}

function withFilteredGaps(code: string, gaps: readonly PrunedBlock[]): string {
  const lines = splitLines(code);
  const pieces: string[] = [];
  let next = 1;
  for (const { start, end, count } of gaps) {
    if (start > next) pieces.push(sliceLines(lines, { start: next, end: start - 1 }));
    pieces.push(`(filtered ${count} lines)`);
    next = end + 1;
  }
  if (next <= lines.length) pieces.push(sliceLines(lines, { start: next, end: lines.length }));
  return pieces.join('\n') + (code.endsWith('\n') ? '\n' : '');
}

function keptLineNumbers(total: number, gaps: readonly PrunedBlock[]): number[] {
  const kept: number[] = [];
  let next = 1;
  for (const { start, end } of [...gaps, { start: total + 1, end: total }]) {
    for (let number = next; number < start; number += 1) kept.push(number);
    next = end + 1;
  }
  return kept;
}
