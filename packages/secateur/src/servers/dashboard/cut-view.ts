import { type CutText, explainCut } from '@secateur/engine/cut-text.ts';
import type { Notes } from '@secateur/engine/recovery/notes.ts';
import type { CutRecords } from '../../savings/cut-records.ts';
import { type CutRow, rowOf } from './cut-list.ts';

/** One cut, as `GET /api/cuts/ID` and `secateur explain ID --json` give it. */
export interface CutView {
  readonly id: string;
  /** The figures; null where the ledger no longer has them. */
  readonly cut: CutRow | null;
  /** Null where the text can no longer be recovered: then the figures are all there is. */
  readonly text: CutText | null;
}

/** Returns `undefined` if neither the ledger nor the store knows the id. */
export async function viewCut(
  id: string,
  { notes, records }: { notes: Notes; records: Pick<CutRecords, 'cuts'> },
): Promise<CutView | undefined> {
  const record = records.cuts.findLast(({ entry }) => entry.pruneId === id);
  const text = await explainCut(id, notes);
  if (record === undefined && text === undefined) return undefined;
  return { id, cut: record === undefined ? null : rowOf(record), text: text ?? null };
}
