import { type Fields, isFields } from '../../text/json-value.ts';
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

function readEntry({ kind, id, text, tool, input, code, output }: Fields): TranscriptEntry | undefined {
  if ((kind === 'user' || kind === 'agent') && typeof text === 'string') return { kind, text };
  if (typeof id !== 'string') return undefined;
  if (kind === 'call' && typeof tool === 'string') return { kind, id, tool, input };
  if (kind === 'result' && typeof text === 'string') return { kind, id, text };
  if (kind !== 'exit' || typeof code !== 'number') return undefined;
  return { kind, id, code, output: typeof output === 'string' ? output : '' };
}
