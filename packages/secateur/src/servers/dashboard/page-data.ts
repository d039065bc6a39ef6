import { forEachInSlices } from '@secateur/base/runtime/event-loop-queue.ts';
import { type CutNote, type CutText, explainCut } from '@secateur/engine/cut-note.ts';
import type { Notes } from '@secateur/engine/recovery/notes.ts';
import type { SavingsEntry } from '../../savings/ledger.ts';
import { type CutRecord, type CutRecords, cutRecords, LedgerView } from '../../savings/ledger-view.ts';
import {
  type Money,
  moneyOf,
  type Prices,
  reportOf,
  type SavingsReport,
  serverOf,
  UNKNOWN_CLIENT,
} from '../../savings/sums.ts';

/** A cut as it appears in lists. */
export type CutRow = SavingsEntry & Pick<CutRecord, 'recoveries' | 'tokensRecovered' | 'netTokensSaved'>;

export interface CutFilter {
  readonly tool?: string | undefined;
  readonly client?: string | undefined;
  readonly server?: string | undefined;
  /** Text that must occur in a reason: why a block was removed, or why a text was left unchanged. Default: any. */
  readonly reason?: string | undefined;
  /** Index of the last cut on the previous page. Only earlier cuts are listed. Default: all cuts are. */
  readonly beforeIndex?: number | undefined;
  readonly limit: number;
}

/** Maximum number of records read for one page. Reasons are in these records and not in the ledger. */
const MAX_NOTES_READ = 2000;

/** Returns one page of cuts, newest first. `next` is the index for the next page, null after the last cut. */
export async function listCuts(
  cuts: readonly CutRecord[],
  filter: CutFilter,
  noteOf: (id: string) => Promise<CutNote | undefined>,
) {
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

/** One cut, in the format of `GET /api/cuts/ID` and `secateur explain ID --json`. */
export interface CutView {
  readonly id: string;
  /** The figures of the cut; null if the ledger no longer has them. */
  readonly cut: CutRow | null;
  /** The text of the cut; null if it can no longer be recovered. */
  readonly text: CutText | null;
}

/** Returns a cut; `undefined` if neither the ledger nor the store knows the id. */
export async function viewCut(
  id: string,
  { notes, records }: { notes: Notes; records: Pick<CutRecords, 'cuts'> },
): Promise<CutView | undefined> {
  const record = records.cuts.findLast(({ entry }) => entry.pruneId === id);
  const text = await explainCut(id, notes);
  if (record === undefined && text === undefined) return undefined;
  return { id, cut: record === undefined ? null : rowOf(record), text: text ?? null };
}

export interface LedgerNow {
  readonly entries: readonly SavingsEntry[];
  readonly records: CutRecords;
}

/** Time in ms after which an unused ledger is dropped. A closed page then uses no memory. */
const IDLE_MS = 600_000;
const LOOK_EVERY_MS = 1000;

/** Ledger for the page. It is loaded when it is first needed, updated while a page is open, and dropped later. */
export class LedgerReader {
  readonly #directory: string;
  readonly #owner: () => string | undefined;
  /** Entries that each owner may see. Cleared when entries are added or dropped. */
  readonly #seen = new Map<string | undefined, Promise<LedgerNow>>();
  readonly #watchers = new Set<() => void>();
  #view: LedgerView | undefined;
  #refreshing: Promise<boolean> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;

  /** `owner` returns the name of the caller's token, whose entries are shown. `undefined`: all entries are shown. */
  constructor(directory: string, owner: () => string | undefined) {
    this.#directory = directory;
    this.#owner = owner;
  }

  async now(): Promise<LedgerNow> {
    await this.#refresh();
    const owner = this.#owner();
    const known = this.#seen.get(owner);
    if (known !== undefined) return known;
    const { entries } = this.#opened();
    const shown = owner === undefined ? [...entries] : entries.filter(({ user }) => user === owner);
    // Recoveries are assigned to cuts in slices, so `shown` must not change in between.
    const seen = cutRecords(shown).then((records) => ({ entries: shown, records }));
    this.#seen.set(owner, seen);
    return seen;
  }

  /** Calls `changed` whenever a process has added entries, until the signal aborts. */
  watch(changed: () => void, signal: AbortSignal): void {
    this.#watchers.add(changed);
    this.#looking ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
    signal.addEventListener('abort', () => this.#leave(changed), { once: true });
  }

  #leave(changed: () => void): void {
    this.#watchers.delete(changed);
    if (this.#watchers.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  async #look(): Promise<void> {
    const hasNew = await this.#refresh().catch(() => false);
    if (hasNew) for (const changed of this.#watchers) changed();
  }

  /** Reads new entries. Concurrent calls share one refresh. */
  #refresh(): Promise<boolean> {
    this.#refreshing ??= this.#readOn().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #readOn(): Promise<boolean> {
    const view = this.#opened();
    const before = view.entries.length;
    const fresh = await view.refresh();
    if (fresh.length > 0 || view.entries.length !== before) this.#seen.clear();
    return fresh.length > 0;
  }

  #opened(): LedgerView {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#view = undefined;
      this.#seen.clear();
    }, IDLE_MS).unref();
    this.#view ??= new LedgerView(this.#directory);
    return this.#view;
  }
}

export interface Overview extends SavingsReport {
  since: string | null;
  money: Money | null;
  /** Points of the time series, oldest first, without gaps. */
  series: Point[];
  /** Seconds per point of the series. */
  stepSeconds: number;
}

interface Point {
  /** Start of the point, in seconds since 1970. */
  at: number;
  netTokensSaved: number;
  tokensSaved: number;
  tokensRecovered: number;
}

const SPANS_S: Readonly<Record<string, number>> = {
  '24h': 86_400,
  '7d': 604_800,
  '30d': 2_592_000,
  '90d': 7_776_000,
};
const HOUR_S = 3600;
const DAY_S = 86_400;

/** Returns the time span with this name; an unknown name means all time. */
export function spanNamed(asked: string): string {
  return Object.hasOwn(SPANS_S, asked) ? asked : 'all';
}

/** Returns the figures of a time span; an unknown name means all time. */
export async function overviewOf(
  { entries, records }: LedgerNow,
  { span, now, prices }: { span: string; now: number; prices: Prices },
): Promise<Overview> {
  const spanS = SPANS_S[span];
  const since = spanS === undefined ? undefined : new Date(now - spanS * 1000).toISOString();
  const report = await reportOf(entries, since, records);
  const stepSeconds = span === '24h' ? HOUR_S : DAY_S;
  const first = Date.parse(since ?? entries[0]?.at ?? new Date(now).toISOString());
  return {
    ...report,
    since: since ?? null,
    money: moneyOf(report.total.netTokensSaved, prices) ?? null,
    series: await seriesOf(entries, { since: since ?? '', first, now, stepSeconds }),
    stepSeconds,
  };
}

async function seriesOf(
  entries: readonly SavingsEntry[],
  { since, first, now, stepSeconds }: { since: string; first: number; now: number; stepSeconds: number },
): Promise<Point[]> {
  const stepMs = stepSeconds * 1000;
  const start = Math.floor(first / stepMs);
  const count = Math.max(1, Math.floor(now / stepMs) - start + 1);
  const zero = { netTokensSaved: 0, tokensSaved: 0, tokensRecovered: 0 };
  const points = Array.from({ length: count }, (_, index) => ({
    at: (start + index) * stepSeconds,
    ...zero,
  }));
  await forEachInSlices(entries, (entry) => {
    if (entry.at < since) return;
    const point = points[Math.floor(Date.parse(entry.at) / stepMs) - start];
    if (point !== undefined) addTo(point, entry);
  });
  return points;
}

function addTo(point: Point, { kind, tokensBefore, tokensAfter }: SavingsEntry): void {
  if (kind === 'recovered') point.tokensRecovered += tokensAfter;
  else point.tokensSaved += tokensBefore - tokensAfter;
  point.netTokensSaved = point.tokensSaved - point.tokensRecovered;
}
