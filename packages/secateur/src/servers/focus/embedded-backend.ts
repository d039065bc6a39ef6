import type { LeastSize } from '@secateur/engine/least-size.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import { type CutPolicy, DEFAULT_OPTIONS } from '@secateur/engine/request.ts';
import type { FocusAnswer, FocusBackend, FocusErrorCode } from './backend.ts';

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
