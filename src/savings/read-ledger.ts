import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SavingsEntry } from './ledger.ts';
import { addToReport, createReport, type SavingsReport } from './sums.ts';

/** Sums every ledger file of the folder; a folder that is not there yet is an empty ledger. */
export async function readSavings(directory: string): Promise<SavingsReport> {
  const report = createReport();
  for (const fileName of await ledgerFiles(directory)) {
    for await (const entry of entriesOf(join(directory, fileName))) addToReport(report, entry);
  }
  return report;
}

async function ledgerFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => /^savings-\d{4}-\d{2}\.jsonl$/.test(name)).sort();
}

async function* entriesOf(path: string): AsyncGenerator<SavingsEntry> {
  const lines = createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    const entry = parseEntry(line);
    if (entry !== undefined) yield entry;
  }
}

/** A line cut short by a crash is skipped: the rest of the ledger still counts. */
function parseEntry(line: string): SavingsEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is SavingsEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<Record<keyof SavingsEntry, unknown>>;
  const named = typeof entry.at === 'string' && typeof entry.system === 'string';
  const sized = Number.isFinite(entry.tokensBefore) && Number.isFinite(entry.tokensAfter);
  return named && sized && (entry.kind === 'cut' || entry.kind === 'recovered');
}
