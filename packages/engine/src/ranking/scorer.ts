import type { Deadline } from '@secateur/base/runtime/deadline.ts';
import type { Focus } from './focus.ts';

export const SOURCE_TYPES = ['code', 'logs', 'docs'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export interface ScoreRequest {
  lines: readonly string[];
  focus: Focus;
  sourceType: SourceType;
  /** A scorer that cannot finish in time answers with a cheaper tier, never late. */
  deadline: Deadline;
}

/** One score a line, comparable within one text only; higher means more needed for the goal. */
export interface LineScores {
  scores: Float64Array;
  /** Whether a difference between two scores says how much more likely a line is needed, or only that it is. */
  areLogOdds: boolean;
  /** Tier of the scorer that was used; `stats` reports it. */
  tier: string;
}

/** Ranks the lines of a text towards a goal. Deterministic, local, synchronous: it runs inside a worker. */
export type LineScorer = (request: ScoreRequest) => LineScores;
