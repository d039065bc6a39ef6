import { join } from 'node:path';
import { openRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { forEachInSlices } from '@secateur/base/runtime/event-loop-queue.ts';
import { parsedJson } from '@secateur/base/text/json.ts';
import { type SavingsEntry, segmentNames } from './ledger.ts';

/** The entries of all ledger files, oldest first. `refresh` reads only what was added. It takes no lock, so that writers never wait. */
export class LedgerView {
  readonly #directory: string;
  readonly #files = new Map<string, ReadFile>();
  readonly #names = new Map<string, string>();
  #entries: SavingsEntry[] = [];
  /** The reason why the ledger's folder could not be listed. */
  #folderFault: LedgerFault | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  get entries(): readonly SavingsEntry[] {
    return this.#entries;
  }

  /** Number of lines that are not entries. They come from a crash, a full disk or another program. */
  get damagedLines(): number {
    let count = 0;
    for (const { damagedLines } of this.#files.values()) count += damagedLines;
    return count;
  }

  /** Paths of the ledger's folder or files that cannot be read, with the reasons. */
  get faults(): LedgerFault[] {
    const ofFiles = [...this.#files.values()].flatMap(({ fault }) => fault ?? []);
    return this.#folderFault === undefined ? ofFiles : [this.#folderFault];
  }

  /** Returns the entries added since the last refresh; none if the folder does not exist yet. */
  async refresh(): Promise<SavingsEntry[]> {
    this.#folderFault = undefined;
    const names = await segmentNames(this.#directory).catch((error: NodeJS.ErrnoException) => {
      this.#folderFault = { path: this.#directory, reason: `cannot be read (${error.code})` };
      return [];
    });
    this.#forgetAllBut(new Set(names));
    const fresh: SavingsEntry[] = [];
    for (const name of names) for (const entry of await this.#readOn(name)) fresh.push(entry);
    if (fresh.length > 0) this.#add(fresh);
    return fresh;
  }

  #forgetAllBut(names: ReadonlySet<string>): void {
    const gone = [...this.#files].filter(([name]) => !names.has(name));
    if (gone.length === 0) return;
    const dropped = new Set(gone.flatMap(([, file]) => file.entries));
    for (const [name] of gone) this.#files.delete(name);
    this.#entries = this.#entries.filter((entry) => !dropped.has(entry));
  }

  /** Adds entries. Sorts them if two processes wrote them in another order. */
  #add(fresh: SavingsEntry[]): void {
    fresh.sort(byTime);
    const last = this.#entries.at(-1);
    const isInOrder = last === undefined || byTime(last, fresh[0] as SavingsEntry) <= 0;
    for (const entry of fresh) this.#entries.push(entry);
    if (!isInOrder) this.#entries.sort(byTime);
  }

  async #readOn(name: string): Promise<SavingsEntry[]> {
    const file: ReadFile = this.#files.get(name) ?? { offset: 0, entries: [], damagedLines: 0 };
    this.#files.set(name, file);
    const text = await readFrom(join(this.#directory, name), file);
    const end = text.lastIndexOf(LINE_BREAK) + 1;
    if (end === 0) return [];
    file.offset += end;
    const entries = await this.#parse(text.toString('utf8', 0, end), file);
    for (const entry of entries) file.entries.push(entry);
    return entries;
  }

  async #parse(text: string, file: ReadFile): Promise<SavingsEntry[]> {
    const entries: SavingsEntry[] = [];
    await forEachInSlices(text.split('\n'), (line) => {
      if (line === '') return;
      const entry = parsedJson(line);
      if (isEntry(entry)) entries.push(this.#withSharedNames(entry));
      else file.damagedLines += 1;
    });
    return entries;
  }

  /** Returns an entry that shares its strings with others. Thousands of entries contain only a few names. */
  #withSharedNames(entry: SavingsEntry): SavingsEntry {
    for (const key of NAME_KEYS) {
      const name = entry[key];
      if (name === undefined) continue;
      const known = this.#names.get(name);
      if (known === undefined) this.#names.set(name, name);
      else (entry as { [Key in typeof key]: string })[key] = known;
    }
    return entry;
  }
}

export interface LedgerFault {
  readonly path: string;
  /** Reason, worded to follow the path. */
  readonly reason: string;
}

interface ReadFile {
  /** Number of bytes read so far; always the end of a line. */
  offset: number;
  readonly entries: SavingsEntry[];
  damagedLines: number;
  fault?: LedgerFault | undefined;
}

const LINE_BREAK = 0x0a;
const NAME_KEYS = ['system', 'server', 'client', 'tool', 'sourceType', 'fallback'] as const;

function byTime(left: SavingsEntry, right: SavingsEntry): number {
  if (left.at === right.at) return 0;
  return left.at < right.at ? -1 : 1;
}

async function readFrom(path: string, file: ReadFile): Promise<Buffer> {
  const opened = openRegularFile(path);
  file.fault = undefined;
  if (opened.kind === 'refused') {
    if (opened.code !== 'missing') file.fault = { path, reason: opened.reason };
    return Buffer.alloc(0);
  }
  try {
    return await opened.readAt(file.offset, Math.max(0, opened.size - file.offset));
  } catch (error) {
    file.fault = { path, reason: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
    return Buffer.alloc(0);
  } finally {
    opened.close();
  }
}

const KINDS: ReadonlySet<unknown> = new Set(['cut', 'masked', 'recovered']);

/** Whether a parsed line is a complete entry. A crash may have cut it short. */
function isEntry(value: unknown): value is SavingsEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<Record<keyof SavingsEntry, unknown>>;
  const named = [entry.at, entry.system, entry.tool].every((each) => typeof each === 'string');
  const sized = Number.isFinite(entry.tokensBefore) && Number.isFinite(entry.tokensAfter);
  return named && sized && KINDS.has(entry.kind);
}

/** A cut or a masking, and what was recovered from it later. */
export interface CutRecord {
  readonly entry: SavingsEntry;
  recoveries: number;
  tokensRecovered: number;
  /** Tokens that the cut saved, minus the recovered tokens. Negative if recovering cost more than the cut saved. */
  netTokensSaved: number;
}

export type CutRecords = Awaited<ReturnType<typeof cutRecords>>;

/**
 * Assigns each recovery to the last cut before it that has its id, because equal requests get the same id.
 * `cuts` are sorted, oldest first. `cutOf` returns `undefined` if the ledger no longer contains the cut.
 */
export async function cutRecords(entries: readonly SavingsEntry[]) {
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
  return { cuts, cutOf: (recovery: SavingsEntry) => origins.get(recovery) };
}
