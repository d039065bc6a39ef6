import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import type { Recovered } from '@secateur/engine/recover-text.ts';
import type { Recovery } from '@secateur/engine/recovery/recovery.ts';
import type { CutPolicy, LeastSize, PruneOutcome } from '@secateur/engine/request.ts';
import type { Ledger, NewEntry } from '../savings/ledger.ts';

export interface CommonDeps {
  readonly recovery: Recovery;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly version: string;
}

/** The pruner of this process, and the limits of its cuts. */
export interface EmbeddedPruning {
  readonly pruner: Pruner;
  readonly least: LeastSize;
  readonly policy?: CutPolicy | undefined;
  /** Time limit in ms. Texts that take longer are not pruned. */
  readonly timeoutMs: number;
}

/** Records what the pruner did to a text. Nothing is recorded if it had no removable lines. */
export function recordOutcome(
  ledger: Ledger,
  { id, stats, warnings }: Pick<PruneOutcome, 'id' | 'stats' | 'warnings'>,
  call: Pick<NewEntry, 'system' | 'tool' | 'sourceType' | 'client'>,
): void {
  const { tokensBefore, tokensAfter, elapsedMs: durationMs, usedFallback } = stats;
  if (tokensAfter >= tokensBefore && !usedFallback) return;
  const fallback = usedFallback ? { fallback: warnings[0] ?? 'unknown' } : {};
  ledger.record({ kind: 'cut', ...call, pruneId: id, tokensBefore, tokensAfter, durationMs, ...fallback });
}

/** Records that a client recovered lines. */
export function recordRecovered(
  ledger: Ledger,
  from: Pick<NewEntry, 'system' | 'server' | 'tool'>,
): (recovered: Recovered) => void {
  return ({ pruneId, text, client }) => {
    const tokensAfter = estimateTokens(text);
    ledger.record({ kind: 'recovered', ...from, client, pruneId, tokensBefore: 0, tokensAfter });
  };
}

/** Default price in US dollars per million input tokens: the price of a common model. */
const DEFAULT_USD_PER_MILLION_TOKENS = 3;

/** Returns an outcome in the format of `prune_text` and `secateur prune --json`. */
export function outcomeShape(
  { id, prunedText, annotations, stats, warnings }: PruneOutcome,
  usdPerMillionTokens = DEFAULT_USD_PER_MILLION_TOKENS,
) {
  const { tokensBefore, tokensAfter, deepinfra } = stats;
  const tokensSaved = tokensBefore - tokensAfter;
  return {
    prune_id: id,
    pruned_text: prunedText,
    annotations: annotations.map(({ start, end, count, reason, marker }) => ({
      ...{ kind: 'pruned_block', original_start_line: start, original_end_line: end },
      ...{ pruned_line_count: count, reason, marker },
    })),
    stats: {
      original_lines: stats.originalLines,
      kept_lines: stats.keptLines,
      pruned_lines: stats.prunedLines,
      pruned_ratio: stats.prunedRatio,
      tokens_est_before: tokensBefore,
      tokens_est_after: tokensAfter,
      elapsed_ms: stats.elapsedMs,
      used_fallback: stats.usedFallback,
      backend: stats.backend,
      scorer: stats.scorer,
      tokens_saved_est: tokensSaved,
      cost_estimated_usd: Math.round(tokensSaved * usdPerMillionTokens) / 1_000_000,
      ...(deepinfra && {
        deepinfra_latency_ms: deepinfra.latencyMs,
        deepinfra_docs_scored: deepinfra.docsScored,
        deepinfra_docs_total: deepinfra.docsTotal,
        deepinfra_http_status: deepinfra.httpStatus,
        deepinfra_cached: deepinfra.cached,
      }),
    },
    warnings,
  };
}
