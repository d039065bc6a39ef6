import type { SourceType } from '../ranking/scorer.ts';

export interface PruneRequest {
  text: string;
  /** What the reader is after; data, never an instruction. */
  goal: string;
  sourceType: SourceType;
  options: PruneOptions;
}

export interface PruneOptions {
  /** At most this share of the lines goes. */
  maxPruneRatio: number;
  minKeepLines: number;
  timeoutMs: number;
  /** Prefixes kept lines with `N│ `, their number in the original. */
  annotateLines: boolean;
  includeMarkers: boolean;
}

export interface PruneOutcome {
  /** Recovers every line of the original. */
  id: string;
  prunedText: string;
  annotations: PrunedBlock[];
  stats: PruneStats;
  warnings: string[];
}

/** Lines `start` to `end` of the original that the pruned text leaves out. */
export interface PrunedBlock {
  start: number;
  end: number;
  count: number;
  reason: string;
  marker: string;
}

export interface PruneStats {
  originalLines: number;
  keptLines: number;
  prunedLines: number;
  prunedRatio: number;
  tokensBefore: number;
  tokensAfter: number;
  elapsedMs: number;
  usedFallback: boolean;
  backend: Backend;
  /** Which tier of the scorer ranked the lines; undefined when none did. */
  scorer?: string;
  deepinfra?: DeepInfraStats;
}

export type Backend = 'heuristic' | 'deepinfra';

export interface DeepInfraStats {
  latencyMs: number;
  docsScored: number;
  docsTotal: number;
  httpStatus?: number;
  cached: boolean;
}
