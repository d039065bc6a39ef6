import type { Clock } from '@secateur/base/runtime/clock.ts';
import { plainName } from '@secateur/base/text/plain-name.ts';
import { openSegments, type SegmentLimits } from './ledger/segments.ts';

/** One cut, one masking, or one recovery of what was removed. Sizes and names only: no text, no goal, no path. */
export interface SavingsEntry {
  /** ISO time. */
  at: string;
  kind: 'cut' | 'masked' | 'recovered';
  system: SavingsSystem;
  /** The MCP server behind the gateway; elsewhere the system itself is the server. */
  server?: string | undefined;
  /** Name from the client's `clientInfo`, or the client a hook serves. */
  client?: string | undefined;
  /** The name of the token the call came with, where callers have tokens. */
  user?: string | undefined;
  tool: string;
  sourceType?: string | undefined;
  pruneId?: string | undefined;
  /** For a recovery without `recover_text`: the agent made the same call again, or read the file of the cut again (A19). */
  by?: 'repeated_call' | 'second_read' | undefined;
  /** For a cut: what the answer would have cost, and what it cost. For a recovery: 0 and what came back. */
  tokensBefore: number;
  tokensAfter: number;
  /** Time the cut added to the call. */
  durationMs?: number | undefined;
  /** Reason why the text was returned unchanged, or ranked by less than was asked for. */
  fallback?: string | undefined;
}

export type SavingsSystem = 'pruner' | 'focus' | 'gateway' | 'cli' | 'hook';
export type NewEntry = Omit<SavingsEntry, 'at'>;

/** Takes note of savings. Never throws and keeps its caller for microseconds: accounting must not break pruning. */
export interface Ledger {
  record(entry: NewEntry): void;
}

export const noLedger: Ledger = { record: () => {} };

export interface FileLedgerParts extends SegmentLimits {
  directory: string;
  clock: Clock;
}

/**
 * JSON lines in files of a day, bounded in age and size. Each entry is one append, made immediately: a killed
 * process loses the entry it was writing and no other, and several processes may share the folder.
 */
export function fileLedger({ directory, clock, ...limits }: FileLedgerParts): Ledger {
  const append = openSegments(directory, limits);
  return {
    record: (entry) => {
      const at = new Date(clock.now()).toISOString();
      // The first line break parts it from an entry that was torn by a crash.
      append(at.slice(0, 10), `\n${JSON.stringify({ at, ...inPlainNames(entry) })}\n`);
    },
  };
}

/** Names of tools, clients and servers come from outside. */
function inPlainNames(entry: NewEntry): NewEntry {
  const { server, client, fallback } = entry;
  return {
    ...entry,
    tool: plainName(entry.tool),
    ...(server !== undefined && { server: plainName(server) }),
    ...(client !== undefined && { client: plainName(client) }),
    ...(fallback !== undefined && { fallback: plainName(fallback) }),
  };
}
