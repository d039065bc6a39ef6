import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { Recovered } from '@secateur/engine/recover-text.ts';
import type { PruneOutcome } from '@secateur/engine/request.ts';
import type { Ledger, NewEntry } from '../savings/ledger.ts';

/** Records what the pruner did to a text. A text from which nothing could be removed is not recorded. */
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

/** Records lines a client recovered. */
export function recordRecovered(
  ledger: Ledger,
  from: Pick<NewEntry, 'system' | 'server' | 'tool'>,
): (recovered: Recovered) => void {
  return ({ pruneId, text, client }) => {
    const tokensAfter = estimateTokens(text);
    ledger.record({ kind: 'recovered', ...from, client, pruneId, tokensBefore: 0, tokensAfter });
  };
}
