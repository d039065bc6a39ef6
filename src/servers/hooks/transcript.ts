import type { RegularFile } from '../../runtime/open-regular-file.ts';
import { type Fields, parsedFields } from '../../text/json-value.ts';
import type { EventReader, ToolCall } from './client.ts';
import type { EventFiles } from './event-files.ts';

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

/** Reads the messages, calls and results before a call. A transcript that may not be opened has none. */
export async function entriesBefore(
  { entries, transcriptPath }: ToolCall,
  { readEntry }: Pick<EventReader, 'readEntry'>,
  files: EventFiles,
): Promise<readonly TranscriptEntry[]> {
  if (entries !== undefined || transcriptPath === undefined) return entries ?? [];
  const file = files.openTranscript(transcriptPath);
  if (file === undefined) return [];
  try {
    return await readTranscript(file, readEntry);
  } catch {
    return [];
  } finally {
    file.close();
  }
}

/** As much as is read of a transcript (P52): about a hundred calls with their outputs. */
const MAX_TRANSCRIPT_BYTES = 4 * 1024 * 1024;

/** Reads the newest entries of a transcript, oldest first. Only the end of the file is read, whatever its size. */
async function readTranscript(
  file: RegularFile,
  readEntry: (line: Fields) => readonly TranscriptEntry[],
): Promise<readonly TranscriptEntry[]> {
  return entriesOf(await readEnd(file, MAX_TRANSCRIPT_BYTES), readEntry);
}

async function readEnd(file: RegularFile, maxBytes: number): Promise<string> {
  const start = Math.max(0, file.size - maxBytes);
  const text = (await file.readAt(start, file.size - start)).toString('utf8');
  // The first line is cut somewhere unless the file begins here.
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
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
