import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Fields, parsedFields } from '../../text/json-value.ts';
import type { EventReader, ToolCall } from './client.ts';

/** What we understand of a transcript: who said what, which calls were made and what they gave. */
export type TranscriptEntry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'agent'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly text: string }
  | { readonly kind: 'exit'; readonly id: string; readonly code: number; readonly output: string };

/** What was said and done before a call. */
export async function entriesBefore(
  { entries, transcriptPath }: ToolCall,
  { readEntry }: Pick<EventReader, 'readEntry'>,
): Promise<readonly TranscriptEntry[]> {
  return entries ?? readTranscript(transcriptPath, readEntry);
}

/** Most often the last request is near the end; a long turn needs a second, longer look. */
const LOOKS_BYTES = [256 * 1024, 4 * 1024 * 1024];

/**
 * The newest entries of a transcript, oldest first, as far back as the user's last request or the bound allows. A missing
 * or odd file has no entries. Only its end is read, whatever its size.
 */
async function readTranscript(
  path: string | undefined,
  readEntry: (line: Fields) => readonly TranscriptEntry[],
): Promise<readonly TranscriptEntry[]> {
  let entries: readonly TranscriptEntry[] = [];
  if (path === undefined) return entries;
  for (const bytes of LOOKS_BYTES) {
    const tail = await readEnd(path, bytes);
    if (tail === undefined) return entries;
    entries = entriesOf(tail.text, readEntry);
    if (tail.isWhole || entries.some(({ kind }) => kind === 'user')) return entries;
  }
  return entries;
}

async function readEnd(path: string, bytes: number): Promise<{ text: string; isWhole: boolean } | undefined> {
  // A pipe in its place would keep a plain open waiting for whoever writes it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) return undefined;
    const start = Math.max(0, found.size - bytes);
    const buffer = Buffer.alloc(Math.min(bytes, found.size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    // The first line is cut somewhere unless the file begins here.
    return { text: start === 0 ? text : text.slice(text.indexOf('\n') + 1), isWhole: start === 0 };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

function entriesOf(
  text: string,
  readEntry: (line: Fields) => readonly TranscriptEntry[],
): readonly TranscriptEntry[] {
  return text.split('\n').flatMap((line) => {
    const value = line.startsWith('{') ? parsedFields(line) : undefined;
    return value === undefined ? [] : readEntry(value);
  });
}
