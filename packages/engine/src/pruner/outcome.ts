import type { Clock } from '@secateur/base/runtime/clock.ts';
import { type Deadline, deadlineIn } from '@secateur/base/runtime/deadline.ts';
import type { Numbering } from '@secateur/base/text/line-numbering.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { CutText } from '../cut.ts';
import type { LineScores } from '../ranking/scorer.ts';
import type { DeepInfraStats, PruneOutcome, PruneRequest } from '../request.ts';

export type FallbackCode =
  | 'input_too_large'
  | 'timeout'
  | 'constraints_unmet'
  | 'internal_error'
  | 'not_text'
  | 'recovery_unavailable';

/** A request on its way. */
export interface StartedCall {
  request: PruneRequest;
  lineCount: number;
  deadline: Deadline;
  elapsedMs(): number;
}

export interface Call extends StartedCall {
  id: string;
  /** Numbers that compact markers of the text count. */
  numbering?: Numbering | undefined;
}

export function openCall(request: PruneRequest, clock: Clock): StartedCall {
  const started = clock.monotonic();
  return {
    request,
    lineCount: countLines(request.text),
    deadline: deadlineIn(request.options.timeoutMs, clock),
    elapsedMs: () => Math.round(clock.monotonic() - started),
  };
}

/** Source of the ranking; without a ranking the engine makes it. */
export interface Ranked {
  kind: 'local' | 'reranked' | 'failed';
  ranking?: LineScores;
  stats?: DeepInfraStats;
  warnings: readonly string[];
}

/** The fallback of every failure: the text as it came, a reason, and an id that recovers all the same. */
export function passWhole(call: Call, ...warnings: FallbackCode[]): PruneOutcome {
  const tokens = estimateTokens(call.request.text);
  const stats = { ...countsOf(call.lineCount, 0), tokensBefore: tokens, tokensAfter: tokens };
  return {
    id: call.id,
    prunedText: call.request.text,
    annotations: [],
    stats: { ...stats, elapsedMs: call.elapsedMs(), usedFallback: true, backend: 'heuristic' },
    warnings,
  };
}

export function pruned(call: Call, cutText: CutText, ranked: Ranked): PruneOutcome {
  const { prunedText, annotations, tokensBefore, tokensAfter, scorer, explanation } = cutText;
  const prunedLines = annotations.reduce((sum, { count, isInPart }) => sum + (isInPart ? 0 : count), 0);
  return {
    id: call.id,
    prunedText,
    annotations,
    stats: {
      ...countsOf(call.lineCount, prunedLines),
      tokensBefore,
      tokensAfter,
      elapsedMs: call.elapsedMs(),
      usedFallback: ranked.kind === 'failed',
      backend: ranked.kind === 'reranked' ? 'deepinfra' : 'heuristic',
      ...(scorer !== undefined && { scorer }),
      ...(ranked.stats && { deepinfra: ranked.stats }),
    },
    warnings: [...ranked.warnings],
    ...(explanation && { explanation }),
  };
}

/** The outcome of a laid-out text from which nothing was removed: the text as it came. */
export function uncutAs(text: string, id: string, outcome: PruneOutcome): PruneOutcome {
  const tokens = estimateTokens(text);
  const counts = { ...countsOf(countLines(text), 0), tokensBefore: tokens, tokensAfter: tokens };
  return { ...outcome, id, prunedText: text, stats: { ...outcome.stats, ...counts } };
}

function countsOf(originalLines: number, prunedLines: number) {
  const prunedRatio = originalLines === 0 ? 0 : toFourDecimals(prunedLines / originalLines);
  return { originalLines, keptLines: originalLines - prunedLines, prunedLines, prunedRatio };
}

function toFourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function countLines(text: string): number {
  if (text === '') return 0;
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1;
  return text.endsWith('\n') ? breaks : breaks + 1;
}
