import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Fields, parsedFields } from '../../text/json-value.ts';
import type { EventReader, ToolCall } from './client.ts';

/** What we understand of a transcript: who said what, which calls were made and what they gave. */
export type TranscriptEntry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'agent'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: unknown }
  /** `at`: when it came, in ms since the epoch. */
  | { readonly kind: 'result'; readonly id: string; readonly text: string; readonly at?: number | undefined }
  /** The client has summarised what was before, or cleared results of it: the model may not see them any more. */
  | { readonly kind: 'compaction' }
  | { readonly kind: 'exit'; readonly id: string; readonly code: number; readonly output: string };

/** What was said and done before a call. */
export async function entriesBefore(
  { entries, transcriptPath }: ToolCall,
  { readEntry }: Pick<EventReader, 'readEntry'>,
): Promise<readonly TranscriptEntry[]> {
  return entries ?? readTranscript(transcriptPath, readEntry);
}

/** As much as is read of a transcript (P52): about a hundred calls with their outputs. */
const MAX_TRANSCRIPT_BYTES = 4 * 1024 * 1024;

/** Reads the newest entries of a transcript, oldest first. A missing or odd file has no entries; only its end is read. */
async function readTranscript(
  path: string | undefined,
  readEntry: (line: Fields) => readonly TranscriptEntry[],
): Promise<readonly TranscriptEntry[]> {
  const text = path === undefined ? undefined : await readEnd(path, MAX_TRANSCRIPT_BYTES);
  return text === undefined ? [] : entriesOf(text, readEntry);
}

async function readEnd(path: string, bytes: number): Promise<string | undefined> {
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
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
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
