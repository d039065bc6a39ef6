import type { Pruner } from '@secateur/engine/pruner.ts';
import { type CutPolicy, DEFAULT_OPTIONS, type LeastSize, type TextKind } from '@secateur/engine/request.ts';

/** The pruner: the engine in this process, or a service. Failure is a value here. */
export interface FocusBackend {
  /** Name in logs; carries no credentials. */
  readonly endpoint: string;
  /** Whether it takes the output of a call as one text, in one request. Else each text of it is pruned alone. */
  readonly takesWholeOutput: boolean;
  prune(job: FocusJob): Promise<FocusAnswer>;
}

/** A text, its kind (if the backend accepts one) and the goal it is read for. */
export interface FocusJob extends TextKind {
  requestId: string;
  tool: string;
  question: string;
  text: string;
  maxOutputBytes: number | undefined;
  /** The command, file or pattern the text came from. */
  command: string;
  style: AnswerStyle;
  signal: AbortSignal;
}

/** Format of a pruned text, if the backend accepts one. */
export interface AnswerStyle {
  markers: 'canonical' | 'compact';
  /** Kept lines carry their numbers. */
  numbered: boolean;
}

export type FocusErrorCode = 'timeout' | 'http_error' | 'invalid_response';

/** Tokens of the text and of what is left of it. */
export interface TokenCounts {
  before: number;
  after: number;
}

export type FocusAnswer =
  | { kind: 'pruned'; text: string; pruneId?: string | undefined; tokens?: TokenCounts }
  /** The backend looked and found nothing to take out. */
  | { kind: 'unchanged' }
  | { kind: 'failed'; code: FocusErrorCode; message: string };

interface EmbeddedParts {
  pruner: Pruner;
  timeoutMs: number;
  least: LeastSize;
  policy?: CutPolicy | undefined;
}

/** The engine in this process. */
export function embeddedBackend({ pruner, timeoutMs, least, policy }: EmbeddedParts): FocusBackend {
  return {
    endpoint: 'embedded',
    takesWholeOutput: false,
    prune: async ({ text, question, command, sourceType, origin, fileName, style, signal }) => {
      const options = {
        ...DEFAULT_OPTIONS,
        maxPruneRatio: MAX_PRUNE_RATIO,
        timeoutMs,
        annotateLines: style.numbered,
        ...(style.numbered && { firstLine: 1 }),
        markers: style.markers,
        least,
        ...policy,
        anySize: true,
      };
      const kind = { sourceType, origin, intent: 'explicit' as const, ...(fileName && { fileName }) };
      const outcome = await pruner.prune({ text, focus: { question, command }, ...kind, options }, signal);
      if (outcome.warnings.includes('not_text')) return { kind: 'unchanged' };
      if (outcome.stats.usedFallback) return failed(outcome.warnings[0]);
      if (outcome.annotations.length === 0) return { kind: 'unchanged' };
      const { tokensBefore: before, tokensAfter: after } = outcome.stats;
      return { kind: 'pruned', text: outcome.prunedText, pruneId: outcome.id, tokens: { before, after } };
    },
  };
}

/** A cap, not a target: how far a text is cut follows from what its lines are worth (P27). */
const MAX_PRUNE_RATIO = 0.95;

/** The pruner passed the text whole and says why; the seed of this interface knows three codes only. */
function failed(warning: string | undefined): FocusAnswer {
  const code: FocusErrorCode = warning === 'timeout' ? 'timeout' : 'invalid_response';
  return {
    kind: 'failed',
    code,
    message: `the embedded pruner passed the text whole: ${warning ?? 'unknown'}`,
  };
}
