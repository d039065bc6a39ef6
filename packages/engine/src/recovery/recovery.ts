import { createHmac } from 'node:crypto';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { withTimeout } from '@secateur/base/runtime/time.ts';
import {
  countedFrom,
  type LineNumbers,
  type LineRange,
  lineHolding,
  lineNumbers,
  type Numbering,
  splitLines,
} from '@secateur/base/text/lines.ts';
import { type NumberedText, packText, unpackText } from './notes.ts';
import type { RecoveryStore } from './store.ts';
import { DamagedText, encodeText, unlessDamaged } from './stores/text-codec.ts';

/** Stores original texts before they are cut, and recovers lines of them. */
export interface Recovery {
  /**
   * Stores `text` under an id that is computed from the text and `identity` (goal, options …), so that equal
   * input has the same id. Never throws: `unavailable` means that the store failed or needed more than
   * `timeoutMs`. The caller must then return the text uncut.
   */
  remember(text: string, identity: readonly string[], timeoutMs?: number): Promise<Remembered>;
  /**
   * Like `remember`, but resolves when the id is known. The caller may then begin to cut, but must wait for
   * `stored` before it returns the cut.
   */
  claim(text: string | NumberedText, identity: readonly string[], timeoutMs?: number): Promise<Claim>;
  /**
   * Returns lines by the line numbers that the markers of the text use. Throws `DomainError`:
   * `prune_id_not_found`, `invalid_range` or `recovery_unavailable`.
   */
  recover(id: string, ranges: readonly LineRange[] | 'all'): Promise<RecoveredLines>;
  /** Maximum number of bytes that a server may return in one response. */
  readonly maxRecoveredBytes: number;
  close(): Promise<void>;
}

export type Remembered = { kind: 'stored'; id: string } | { kind: 'unavailable'; id: string; cause: unknown };

export type Claim =
  | { kind: 'claimed'; id: string; stored: Promise<Remembered> }
  | Extract<Remembered, { kind: 'unavailable' }>;

export interface RecoveredLines {
  /** Line numbers as requested. An end behind the last line is replaced by the last line. */
  ranges: LineRange[];
  /** Text of each range, without the last line break. */
  texts: string[];
  /** Returns the number of the line that contains the character at `offset` in the text of range `index`. */
  lineAt(index: number, offset: number): number;
  totalLines: number;
  /** Whether the lines already begin with their numbers. */
  showsNumbers: boolean;
}

export interface RecoveryParts {
  store: RecoveryStore;
  randomBytes: (size: number) => Uint8Array;
  maxRecoveredBytes?: number;
}

const MAX_RECOVERED_BYTES = 4 * 1024 * 1024;

export function createRecovery(parts: RecoveryParts): Recovery {
  const { store, randomBytes, maxRecoveredBytes = MAX_RECOVERED_BYTES } = parts;
  const keyring = createKeyring(store, randomBytes);
  const claim: Recovery['claim'] = async (given, identity, timeoutMs = Number.POSITIVE_INFINITY) => {
    const numbered = typeof given === 'string' ? { text: given } : given;
    const key = await keyring(timeoutMs);
    const longest = pruneId(key.bytes, [numbered.text, ...identity]);
    if (key.kind === 'unavailable') return unavailable(longest, key.cause);
    return putUnderFreeId(store, { longest, text: packText(numbered), timeoutMs });
  };
  return {
    claim,
    remember: async (text, identity, timeoutMs) => {
      const claimed = await claim(text, identity, timeoutMs);
      return claimed.kind === 'claimed' ? claimed.stored : claimed;
    },
    recover: async (id, ranges) => linesOf(unpackText(await fetchText(store, id)), ranges),
    maxRecoveredBytes,
    close: () => store.close(),
  };
}

type Key = { kind: 'kept'; bytes: Uint8Array } | { kind: 'unavailable'; bytes: Uint8Array; cause: unknown };

/** Returns a function for the key of ids: the key of the store or, until the store responds, a key of this process. */
function createKeyring(
  store: RecoveryStore,
  randomBytes: RecoveryParts['randomBytes'],
): (timeoutMs: number) => Promise<Key> {
  const spare = randomBytes(32);
  let kept: Uint8Array | undefined;
  return async (timeoutMs) => {
    if (kept !== undefined) return { kind: 'kept', bytes: kept };
    try {
      kept = await withTimeout(store.idKey(), timeoutMs);
      return { kind: 'kept', bytes: kept };
    } catch (cause) {
      return { kind: 'unavailable', bytes: spare, cause };
    }
  };
}

/** Computes an id from all parts. The length of each part is included, so that different parts never give the same bytes. */
function pruneId(key: Uint8Array, parts: readonly string[]): string {
  const hmac = createHmac('sha256', key);
  for (const part of parts) {
    const bytes = encodeText(part);
    hmac.update(`${bytes.length}:`).update(bytes);
  }
  return `${ID_PREFIX}${crockford(hmac.digest(), MAX_ID_CHARACTERS)}`;
}

const ID_PREFIX = 'prn_';
/**
 * Minimum length of an id. Ids cost tokens in each marker. With ten characters, a million texts contain a
 * collision in one of 2,000 cases.
 */
const MIN_ID = ID_PREFIX.length + 10;
const MAX_ID_CHARACTERS = 26;

function unavailable(longest: string, cause: unknown): Extract<Remembered, { kind: 'unavailable' }> {
  return { kind: 'unavailable', id: longest.slice(0, MIN_ID), cause };
}

/** Finds a free id and stores the text under it. `timeoutMs` limits the total time. */
function putUnderFreeId(
  store: RecoveryStore,
  { longest, text, timeoutMs }: { longest: string; text: string; timeoutMs: number },
): Promise<Claim> {
  const freeId = findFreeId(store, longest, text);
  const put = async (): Promise<Remembered> => {
    const id = await freeId;
    // Another process may have taken the id after it was found to be free.
    if (!(await store.putNew(id, text))) throw new Error('the id belongs to another text');
    return { kind: 'stored', id };
  };
  const failed = (cause: unknown) => unavailable(longest, cause);
  const stored = withTimeout(put(), timeoutMs).catch(failed);
  return withTimeout(freeId, timeoutMs).then((id) => ({ kind: 'claimed', id, stored }), failed);
}

/** Returns the shortest prefix of `longest` under which no other text is stored. A damaged text is overwritten. */
async function findFreeId(store: RecoveryStore, longest: string, text: string): Promise<string> {
  for (let length = MIN_ID; length < longest.length; length += 1) {
    const id = longest.slice(0, length);
    const known = await store.get(id).catch(unlessDamaged);
    if (known === undefined || known === text) return id;
  }
  return longest;
}

async function fetchText(store: RecoveryStore, id: string): Promise<string> {
  const text = await store.get(id).catch((cause: unknown) => {
    if (cause instanceof DamagedText) throw notFound(id, { reason: 'damaged', cause });
    throw new DomainError('recovery_unavailable', 'the recovery store does not answer', {
      hint: 'Try again in a moment; the text is not lost if the store comes back.',
      cause,
    });
  });
  if (text === undefined) throw notFound(id, { reason: 'unknown_or_expired' });
  return text;
}

function notFound(id: string, { reason, cause }: { reason: string; cause?: unknown }): DomainError {
  const why = reason === 'damaged' ? 'What was stored is damaged.' : 'The id is unknown or has expired.';
  return new DomainError('prune_id_not_found', 'prune_id_not_found', {
    hint: `${why} Read or run the source again to get a fresh one.`,
    data: { prune_id: id, reason },
    cause,
  });
}

function linesOf({ text, numbering }: NumberedText, asked: readonly LineRange[] | 'all'): RecoveredLines {
  const starts = lineStarts(text);
  const totalLines = starts.length - 1;
  const numbers = numbersOf(text, totalLines, numbering);
  const ranges = asked === 'all' ? [{ start: numbers.first, end: numbers.last }] : asked;
  if (ranges.length === 0) throw invalidRange(numbers);
  const found = ranges.map((range) => findLines(range, numbers));
  const startOf = (line: number) => starts[line - 1] ?? 0;
  return {
    ranges: found.map(({ start, end }) => ({ start: numbers.numberOf(start), end: numbers.numberOf(end) })),
    // Slices share the memory of the text, so even a thousand ranges copy nothing.
    texts: found.map(({ start, end }) => text.slice(startOf(start), startOf(end + 1) - 1)),
    lineAt: (index, offset) =>
      numbers.numberOf(lineHolding(starts, startOf(found[index]?.start ?? 1) + offset)),
    totalLines,
    showsNumbers: numbers.areShown,
  };
}

function numbersOf(text: string, totalLines: number, numbering: Numbering | undefined): LineNumbers {
  if (numbering?.kind === 'shown') return lineNumbers(splitLines(text), numbering);
  return countedFrom((numbering?.firstLine ?? 1) - 1, totalLines);
}

/** Returns the offset of each line of `splitLines`, and the offset after the last one. */
function lineStarts(text: string): number[] {
  if (text === '') return [0];
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  if (!text.endsWith('\n')) starts.push(text.length + 1);
  return starts;
}

function findLines(range: LineRange, numbers: LineNumbers): LineRange {
  const { start, end } = range;
  const found = start < 1 || start > end ? undefined : numbers.linesOf(range);
  if (found === undefined) throw invalidRange(numbers);
  return found;
}

function invalidRange({ first, last }: LineNumbers): DomainError {
  return new DomainError('invalid_range', 'invalid_range', {
    hint: `Ask for lines between ${first} and ${last}, start_line not after end_line.`,
    data: { max_line: last, ...(first > 1 && { min_line: first }) },
  });
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the first `length` characters of `bytes` in Crockford base32: five bits each, most significant first. */
function crockford(bytes: Uint8Array, length: number): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5 && text.length < length) {
      bits -= 5;
      text += CROCKFORD[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}
