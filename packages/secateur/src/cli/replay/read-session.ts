import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { openRegularFile } from '@secateur/base/runtime/open-regular-file.ts';
import { type Fields, parsedFields } from '@secateur/base/text/json-value.ts';
import { LineReader } from '@secateur/base/text/line-reader.ts';
import type { HookClient } from '../../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import type { TranscriptEntry } from '../../servers/hooks/transcript.ts';

export interface SessionLine {
  entries: readonly TranscriptEntry[];
  /** The client that wrote the entries. */
  client: HookClient | undefined;
  /** Bytes of the file read so far, roughly. */
  bytes: number;
  /** Not a line of JSON: an odd file, or one that is being written. */
  isOdd: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
/** A longer line counts as odd: no client writes one, and it would have to be held in memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Reads a session file of any size line by line: of a line only messages, calls and results are kept. */
export async function* readSession(path: string, sinceMs: number): AsyncGenerator<SessionLine> {
  const file = openRegularFile(path, { followLinks: true });
  if (file.kind === 'refused') throw new DomainError('cannot_read', `${path} ${file.reason}`);
  const lines: (Buffer | undefined)[] = [];
  const reader = new LineReader(MAX_LINE_BYTES, {
    line: (bytes) => lines.push(bytes),
    tooLong: () => {
      lines.push(undefined);
      return undefined;
    },
  });
  try {
    for (let bytes = 0, isEnd = false; !isEnd; ) {
      const chunk = await file.readAt(bytes, CHUNK_BYTES);
      bytes += chunk.length;
      isEnd = chunk.length === 0;
      if (isEnd) reader.end();
      else reader.push(chunk);
      for (const line of lines.splice(0)) yield { ...readLine(line, sinceMs), bytes };
    }
  } finally {
    file.close();
  }
}

function readLine(line: Buffer | undefined, sinceMs: number): Omit<SessionLine, 'bytes'> {
  const text = line?.toString('utf8');
  if (text?.trim() === '') return { ...NO_ENTRIES, isOdd: false };
  const fields = text === undefined ? undefined : parsedFields(text);
  const read = fields === undefined || isOlder(fields, sinceMs) ? NO_ENTRIES : entriesOf(fields);
  return { ...read, isOdd: fields === undefined };
}

function isOlder({ timestamp }: Fields, sinceMs: number): boolean {
  return typeof timestamp === 'string' && Date.parse(timestamp) < sinceMs;
}

const NO_ENTRIES: Pick<SessionLine, 'entries' | 'client'> = { entries: [], client: undefined };

/** The clients' lines have nothing in common, so that one of them at most understands a line. */
function entriesOf(fields: Fields): Pick<SessionLine, 'entries' | 'client'> {
  for (const client of HOOK_CLIENTS) {
    const entries = client.readEntry(fields);
    if (entries.length > 0) return { entries, client };
  }
  return NO_ENTRIES;
}
