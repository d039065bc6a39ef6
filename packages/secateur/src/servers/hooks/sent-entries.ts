import { type Fields, isFields } from '@secateur/base/text/json-value.ts';
import type { TranscriptEntry } from './transcript.ts';

const MAX_ENTRIES = 500;
const MAX_CHARS = 4 * 1024 * 1024;

/**
 * Reads the last messages that an event carries in `entries`, oldest first: for callers whose transcript is not opened.
 * Of a longer list the newest are kept. An event without the field gives `undefined`.
 */
export function sentEntries({ entries }: Fields): readonly TranscriptEntry[] | undefined {
  if (!Array.isArray(entries)) return undefined;
  const kept: TranscriptEntry[] = [];
  let chars = 0;
  for (const value of entries.slice(-MAX_ENTRIES).reverse()) {
    const entry = isFields(value) ? readEntry(value) : undefined;
    if (entry === undefined) continue;
    chars += JSON.stringify(entry).length;
    if (chars > MAX_CHARS) break;
    kept.push(entry);
  }
  return kept.reverse();
}

function readEntry(given: Fields): TranscriptEntry | undefined {
  const { kind, text } = given;
  if ((kind === 'user' || kind === 'agent') && typeof text === 'string') return { kind, text };
  if (kind === 'compaction') return { kind };
  return typeof given.id === 'string' ? callEntry(given.id, given) : undefined;
}

function callEntry(id: string, given: Fields): TranscriptEntry | undefined {
  const { kind, text, tool, input, at, code, output } = given;
  if (kind === 'call' && typeof tool === 'string') return { kind, id, tool, input };
  if (kind === 'result' && typeof text === 'string')
    return { kind, id, text, at: typeof at === 'number' ? at : undefined };
  if (kind !== 'exit' || typeof code !== 'number') return undefined;
  return { kind, id, code, output: typeof output === 'string' ? output : '' };
}
