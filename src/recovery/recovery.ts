import { createHmac } from 'node:crypto';
import { crockford } from '../runtime/base32.ts';
import { DomainError } from '../runtime/domain-error.ts';
import { within } from '../runtime/within.ts';
import { type LineRange, sliceLines, splitLines } from '../text/lines.ts';
import type { RecoveryStore } from './store.ts';
import { encodeText } from './text-codec.ts';

/** Remembers raw texts before they are cut and gives any of their lines back. */
export interface Recovery {
  /**
   * Stores `text` under an id made from it and `identity` (goal, options…): the same input gives the same id.
   * A store in failure, or slower than `timeoutMs`, is a value here, never an exception: the caller then leaves the text uncut.
   */
  remember(text: string, identity: readonly string[], timeoutMs?: number): Promise<Remembered>;
  /** Throws `DomainError`: `prune_id_not_found`, `invalid_range` or `recovery_unavailable`. */
  recover(id: string, ranges: readonly LineRange[]): Promise<RecoveredLines>;
  close(): Promise<void>;
}

export type Remembered = { kind: 'stored'; id: string } | { kind: 'unavailable'; id: string; cause: unknown };

export interface RecoveredLines {
  /** As asked, with ends past the last line brought back to it. */
  ranges: LineRange[];
  /** The exact text of each range, without its last line terminator. */
  texts: string[];
  totalLines: number;
}

export interface RecoveryParts {
  store: RecoveryStore;
  randomBytes: (size: number) => Uint8Array;
}

export function createRecovery({ store, randomBytes }: RecoveryParts): Recovery {
  const keyring = createKeyring(store, randomBytes);
  return {
    remember: async (text, identity, timeoutMs = Number.POSITIVE_INFINITY) => {
      const key = await keyring(timeoutMs);
      const id = pruneId(key.bytes, [text, ...identity]);
      if (key.kind === 'unavailable') return { kind: 'unavailable', id, cause: key.cause };
      try {
        await within(store.put(id, text), timeoutMs);
        return { kind: 'stored', id };
      } catch (cause) {
        return { kind: 'unavailable', id, cause };
      }
    },
    recover: async (id, ranges) => linesOf(await fetchText(store, id), ranges),
    close: () => store.close(),
  };
}

type Key = { kind: 'kept'; bytes: Uint8Array } | { kind: 'unavailable'; bytes: Uint8Array; cause: unknown };

/** Asks the store for its key until it has it once; meanwhile ids come from a key of this process. */
function createKeyring(
  store: RecoveryStore,
  randomBytes: RecoveryParts['randomBytes'],
): (timeoutMs: number) => Promise<Key> {
  const spare = randomBytes(32);
  let kept: Uint8Array | undefined;
  return async (timeoutMs) => {
    if (kept !== undefined) return { kind: 'kept', bytes: kept };
    try {
      kept = await within(store.idKey(), timeoutMs);
      return { kind: 'kept', bytes: kept };
    } catch (cause) {
      return { kind: 'unavailable', bytes: spare, cause };
    }
  };
}

/** Each part is preceded by its length, so that no two lists of parts run into the same bytes. */
function pruneId(key: Uint8Array, parts: readonly string[]): string {
  const hmac = createHmac('sha256', key);
  for (const part of parts) {
    const bytes = encodeText(part);
    hmac.update(`${bytes.length}:`).update(bytes);
  }
  return `prn_${crockford(hmac.digest(), 26)}`;
}

async function fetchText(store: RecoveryStore, id: string): Promise<string> {
  const text = await store.get(id).catch((cause: unknown) => {
    throw new DomainError('recovery_unavailable', 'the recovery store does not answer', {
      hint: 'Try again in a moment; the text is not lost if the store comes back.',
      cause,
    });
  });
  if (text !== undefined) return text;
  throw new DomainError('prune_id_not_found', 'prune_id_not_found', {
    hint: 'The id is unknown or has expired. Read or run the source again to get a fresh one.',
    data: { prune_id: id },
  });
}

function linesOf(text: string, ranges: readonly LineRange[]): RecoveredLines {
  const lines = splitLines(text);
  if (ranges.length === 0) throw invalidRange(lines.length);
  const clamped = ranges.map((range) => clampRange(range, lines.length));
  return {
    ranges: clamped,
    texts: clamped.map((range) => sliceLines(lines, range)),
    totalLines: lines.length,
  };
}

function clampRange({ start, end }: LineRange, lastLine: number): LineRange {
  if (start < 1 || start > end || start > lastLine) throw invalidRange(lastLine);
  return { start, end: Math.min(end, lastLine) };
}

function invalidRange(lastLine: number): DomainError {
  return new DomainError('invalid_range', 'invalid_range', {
    hint: `Ask for lines between 1 and ${lastLine}, start_line not after end_line.`,
    data: { max_line: lastLine },
  });
}
