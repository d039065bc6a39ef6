import { type CutNote, type CutText, explainCut } from '@secateur/engine/cut-note.ts';
import type { Notes } from '@secateur/engine/recovery/notes.ts';
import type { SavingsEntry } from '../../savings/ledger.ts';
import type { CutRecord, CutRecords } from '../../savings/ledger-view.ts';
import { serverOf, UNKNOWN_CLIENT } from '../../savings/sums.ts';

/** A cut as lists show it. */
export type CutRow = SavingsEntry & Pick<CutRecord, 'recoveries' | 'tokensRecovered' | 'netTokensSaved'>;

export interface CutFilter {
  readonly tool?: string | undefined;
  readonly client?: string | undefined;
  readonly server?: string | undefined;
  /** Part of a reason: why a block was removed or a text left unchanged. */
  readonly reason?: string | undefined;
  /** Only cuts before this one of an earlier page. */
  readonly beforeIndex?: number | undefined;
  readonly limit: number;
}

export interface CutPage {
  readonly cuts: readonly CutRow[];
  /** Start of the next page; null at the end. */
  readonly next: number | null;
  readonly total: number;
}

/** Reasons stand in the notes, not in the ledger: so many of them are read for one page. */
const MAX_NOTES_READ = 2000;

/** Newest first. */
export async function listCuts(
  cuts: readonly CutRecord[],
  filter: CutFilter,
  noteOf: (id: string) => Promise<CutNote | undefined>,
): Promise<CutPage> {
  const found: CutRow[] = [];
  let index = Math.min(filter.beforeIndex ?? cuts.length, cuts.length);
  let notesLeft = MAX_NOTES_READ;
  while (index > 0 && found.length < filter.limit && notesLeft > 0) {
    index -= 1;
    const record = cuts[index];
    if (record === undefined || !isNamed(record.entry, filter)) continue;
    if (filter.reason !== undefined) {
      notesLeft -= 1;
      if (!(await hasReason(record.entry, filter.reason, noteOf))) continue;
    }
    found.push(rowOf(record));
  }
  return { cuts: found, next: index > 0 ? index : null, total: cuts.length };
}

function rowOf({ entry, recoveries, tokensRecovered, netTokensSaved }: CutRecord): CutRow {
  return { ...entry, recoveries, tokensRecovered, netTokensSaved };
}

function isNamed(entry: SavingsEntry, { tool, client, server }: CutFilter): boolean {
  if (tool !== undefined && entry.tool !== tool) return false;
  if (client !== undefined && (entry.client ?? UNKNOWN_CLIENT) !== client) return false;
  return server === undefined || serverOf(entry) === server;
}

async function hasReason(
  { fallback, pruneId }: SavingsEntry,
  reason: string,
  noteOf: (id: string) => Promise<CutNote | undefined>,
): Promise<boolean> {
  const wanted = reason.toLowerCase();
  if (fallback?.toLowerCase().includes(wanted)) return true;
  const note = pruneId === undefined ? undefined : await noteOf(pruneId);
  return note?.blocks.some((block) => block.reason.toLowerCase().includes(wanted)) ?? false;
}

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
