import { forEachInSlices } from '@secateur/base/runtime/slices.ts';
import type { SavingsEntry } from './ledger.ts';

/** A cut or masking, and what was recovered of it since. */
export interface CutRecord {
  readonly entry: SavingsEntry;
  recoveries: number;
  tokensRecovered: number;
  /** Negative if recovery cost more than the cut saved: then the cut was a loss. */
  netTokensSaved: number;
}

export interface CutRecords {
  /** Oldest first. */
  readonly cuts: readonly CutRecord[];
  /** The cut a recovery belongs to; none where the ledger has forgotten it. */
  cutOf(recovery: SavingsEntry): SavingsEntry | undefined;
}

/** Ties each recovery to the last cut under its id before it: the same request cut twice has one id. */
export async function cutRecords(entries: readonly SavingsEntry[]): Promise<CutRecords> {
  const cuts: CutRecord[] = [];
  const lastById = new Map<string, CutRecord>();
  const origins = new Map<SavingsEntry, SavingsEntry>();
  await forEachInSlices(entries, (entry) => {
    if (entry.kind !== 'recovered') {
      const netTokensSaved = entry.tokensBefore - entry.tokensAfter;
      const record = { entry, recoveries: 0, tokensRecovered: 0, netTokensSaved };
      cuts.push(record);
      if (entry.pruneId !== undefined) lastById.set(entry.pruneId, record);
      return;
    }
    const cut = lastById.get(entry.pruneId ?? '');
    if (cut === undefined) return;
    origins.set(entry, cut.entry);
    cut.recoveries += 1;
    cut.tokensRecovered += entry.tokensAfter;
    cut.netTokensSaved -= entry.tokensAfter;
  });
  return { cuts, cutOf: (recovery) => origins.get(recovery) };
}
