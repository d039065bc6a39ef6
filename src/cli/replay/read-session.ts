import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import type { TranscriptEntry } from '../../servers/hooks/transcript.ts';
import { type Fields, parsedFields } from '../../text/json-value.ts';

export interface SessionLine {
  entries: readonly TranscriptEntry[];
  /** Bytes of the file read so far, roughly. */
  bytes: number;
  /** Not a line of JSON: an odd file, or one that is being written. */
  isOdd: boolean;
}

/** A session file line by line, whatever its size: of a line only what was said, called and answered is kept. */
export async function* readSession(path: string, sinceMs: number): AsyncGenerator<SessionLine> {
  const input = createReadStream(path);
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue;
      const fields = parsedFields(line);
      const entries = fields === undefined || isOlder(fields, sinceMs) ? [] : entriesOf(fields);
      yield { entries, bytes: input.bytesRead, isOdd: fields === undefined };
    }
  } finally {
    input.destroy();
  }
}

function isOlder({ timestamp }: Fields, sinceMs: number): boolean {
  return typeof timestamp === 'string' && Date.parse(timestamp) < sinceMs;
}

/** The clients' lines have nothing in common, so that one of them at most understands a line. */
function entriesOf(fields: Fields): readonly TranscriptEntry[] {
  for (const client of HOOK_CLIENTS) {
    const entries = client.readEntry(fields);
    if (entries.length > 0) return entries;
  }
  return [];
}
