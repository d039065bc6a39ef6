import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { makeFolder } from '../runtime/make-folder.ts';

/** One cut, or one recovery of what was cut. Sizes and names only: no text, no goal, no path. */
export interface SavingsEntry {
  /** ISO time. */
  at: string;
  kind: 'cut' | 'recovered';
  system: SavingsSystem;
  tool: string;
  pruneId?: string;
  /** For a cut: what the answer would have cost, and what it cost. For a recovery: 0 and what came back. */
  tokensBefore: number;
  tokensAfter: number;
}

export type SavingsSystem = 'pruner' | 'focus' | 'gateway' | 'cli';

/** Takes note of savings. Never throws and never keeps its caller waiting: accounting must not break pruning. */
export interface Ledger {
  record(entry: Omit<SavingsEntry, 'at'>): void;
  /** Resolves when everything recorded so far is written or given up. */
  flush(): Promise<void>;
}

export const noLedger: Ledger = { record: () => {}, flush: async () => {} };

export interface FileLedgerParts {
  directory: string;
  clock: Clock;
}

/** Appends JSON lines to one file a month; appends of whole lines let several processes share it. */
export function fileLedger({ directory, clock }: FileLedgerParts): Ledger {
  let waiting: SavingsEntry[] = [];
  let writing: Promise<void> = Promise.resolve();

  const writeWaiting = async () => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) await append(directory, batch).catch(() => {});
  };

  return {
    record: (entry) => {
      waiting.push({ at: new Date(clock.now()).toISOString(), ...entry });
      if (waiting.length === 1) writing = writing.then(writeWaiting);
    },
    flush: () => writing,
  };
}

/** `savings-2026-11.jsonl`: a year of heavy use stays a dozen small files. */
export function ledgerFileName(isoTime: string): string {
  return `savings-${isoTime.slice(0, 7)}.jsonl`;
}

async function append(directory: string, batch: readonly SavingsEntry[]): Promise<void> {
  await makeFolder(directory);
  for (const [fileName, lines] of linesByFile(batch)) {
    await appendFile(join(directory, fileName), lines, { mode: 0o600 });
  }
}

function linesByFile(batch: readonly SavingsEntry[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of batch) {
    const fileName = ledgerFileName(entry.at);
    files.set(fileName, `${files.get(fileName) ?? ''}${JSON.stringify(entry)}\n`);
  }
  return files;
}
