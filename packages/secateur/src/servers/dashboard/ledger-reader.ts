import type { SavingsEntry } from '../../savings/ledger.ts';
import { type CutRecords, cutRecords, LedgerView } from '../../savings/ledger-view.ts';

export interface LedgerNow {
  readonly entries: readonly SavingsEntry[];
  readonly records: CutRecords;
}

/** Long enough for a reader, short enough that a closed page costs no memory. */
const IDLE_MS = 600_000;
const LOOK_EVERY_MS = 1000;

/** The ledger for the page: read on request, followed while a page is open, dropped when idle. */
export class LedgerReader {
  readonly #directory: string;
  readonly #owner: () => string | undefined;
  /** View of each owner, until entries are added or dropped. */
  readonly #seen = new Map<string | undefined, Promise<LedgerNow>>();
  readonly #watchers = new Set<() => void>();
  #view: LedgerView | undefined;
  #refreshing: Promise<boolean> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;

  /** An `owner` (named token) sees only its own entries; without an owner all are shown. */
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
    const seen = lookAt(owner === undefined ? [...entries] : entries.filter(({ user }) => user === owner));
    this.#seen.set(owner, seen);
    return seen;
  }

  /** Calls whenever entries were added, by this process or another, until the signal aborts. */
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

  /** Calls during a refresh share its result. */
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

/** Takes entries that no refresh changes: summing them takes several turns of the event loop. */
async function lookAt(entries: readonly SavingsEntry[]): Promise<LedgerNow> {
  return { entries, records: await cutRecords(entries) };
}
