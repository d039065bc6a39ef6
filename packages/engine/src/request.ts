import type { Explanation } from './keep-rules.ts';
import type { LeastSize } from './least-size.ts';
import type { Origin } from './origin.ts';
import type { PolicySizes } from './policy/policy.ts';
import type { Focus } from './ranking/focus.ts';
import type { SourceType } from './ranking/scorer.ts';
import type { RuleName } from './reading/document.ts';

export interface PruneRequest {
  text: string;
  focus: Focus;
  sourceType: SourceType;
  /** Source of the text; decides what may be removed from it. */
  origin?: Origin;
  fileName?: string;
  /** Default `capped`. */
  intent?: CutIntent;
  /** The text is another one laid out: JSON that came in very long lines (P55). */
  cameAs?: OriginalText;
  options: PruneOptions;
}

/** A text before it was laid out; a cut must be worth it compared with this one. */
export interface OriginalText {
  /** Recovers it. */
  readonly id: string;
  readonly characters: number;
  readonly tokens: number;
}

/**
 * Why a text is cut. `implicit`: without a request (hooks), so precise requests are returned unchanged.
 * `explicit`: towards a question. `capped`: `prune_text`, down to its caller's limits.
 */
export type CutIntent = 'implicit' | 'explicit' | 'capped';

export interface PruneOptions {
  /** At most this share of the lines is removed. */
  maxPruneRatio: number;
  minKeepLines: number;
  timeoutMs: number;
  /** Prefixes kept lines with `N│ `, their number in the original. */
  annotateLines: boolean;
  includeMarkers: boolean;
  markers: MarkerStyle;
  /** Default: what the pruner was made with. */
  structure?: StructureRule;
  /**
   * For a small context: at most this share of the tokens stays, markers counted, if protection allows it.
   */
  mostShare?: number;
  /** The pruner's limit on the size of a text does not apply: the caller has a limit of its own. */
  anySize?: boolean;
  /** Minimum savings of a cut; `prune_text` sets none. */
  least?: LeastSize;
  /** Sizes below which nothing is cut; default: those of the policy. */
  sizes?: PolicySizes;
  /** Rules that may not remove anything. */
  disabledRules?: readonly RuleName[];
  /** The command or tool that gives lines back where this text is read, `{id}` for the id; for the first line of compact markers. */
  recoverBy?: string;
  /** The number that the text's first line has in its file; compact markers and numbered lines count from it. */
  firstLine?: number;
  /** Lays out JSON in very long lines although the caller has limits in lines (`secateur prune`). */
  laysOut?: boolean;
  /** The outcome says for each line why it stayed or went. */
  explain?: boolean;
}

/** Settings that apply to all cuts. */
export type CutPolicy = Pick<PruneOptions, 'sizes' | 'disabledRules'>;

/** Default options, for callers that set none. */
export const DEFAULT_OPTIONS = {
  minKeepLines: 0,
  annotateLines: false,
  includeMarkers: true,
  markers: 'canonical',
} as const satisfies Partial<PruneOptions>;

/** `all` keeps every declaration, import and heading at any ratio; `by-need` beyond .6 those that what stays needs. */
export type StructureRule = 'all' | 'by-need';

/** Canonical markers stand by themselves; compact ones are short and belong to the first line of their text. */
export type MarkerStyle = 'canonical' | 'compact';

export interface PruneOutcome {
  /** Recovers every line of the original. */
  id: string;
  prunedText: string;
  annotations: PrunedBlock[];
  stats: PruneStats;
  warnings: string[];
  /** With `options.explain`, if lines were ranked. */
  explanation?: Explanation;
}

/** Lines `start` to `end` of the original that the pruned text leaves out. */
export interface PrunedBlock {
  start: number;
  end: number;
  count: number;
  reason: string;
  marker: string;
  /** One long line of which the marker shows a part: no line is gone. */
  isInPart?: true;
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
  /** Tier of the scorer that ranked the lines; undefined when none did. */
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
