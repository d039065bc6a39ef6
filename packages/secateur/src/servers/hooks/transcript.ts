import { isAbsolute, join } from 'node:path';
import { openRegularFile, type RegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { type Fields, isFields, parsedFields } from '@secateur/base/text/json.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import type { EventReader, ToolCall } from './client.ts';

/** Entries of a transcript: messages with their author, calls and results. */
export type TranscriptEntry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'agent'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: unknown }
  /** `at`: time of the message in ms since the epoch. */
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly text: string;
      readonly at?: number | undefined;
      /** Whether the call failed. Default: false. */
      readonly isError?: boolean;
    }
  /** The client summarised the conversation or cleared results, so that earlier entries may be missing. */
  | { readonly kind: 'compaction' }
  | { readonly kind: 'exit'; readonly id: string; readonly code: number; readonly output: string };

/** Returns the messages, calls and results before a call. Empty if the transcript may not be opened. */
export async function entriesBefore(
  call: ToolCall,
  { readEntry }: Pick<EventReader, 'readEntry'>,
  files: EventFiles,
): Promise<readonly TranscriptEntry[]> {
  const { entries, transcriptPath: path } = call;
  if (entries !== undefined || path === undefined) return entries ?? [];
  const { memory = new TranscriptMemory() } = files;
  return (await withTranscript(path, files, (file) => memory.read(file, { path, readEntry }))) ?? [];
}

/**
 * Returns the entries before a call if they may contain a cut, otherwise none. Used for calls that rarely
 * follow a cut: searching for an id takes a tenth of the time of parsing.
 */
export async function entriesWithCut(
  call: ToolCall,
  client: Pick<EventReader, 'readEntry'>,
  files: EventFiles,
): Promise<readonly TranscriptEntry[]> {
  const { entries, transcriptPath: path } = call;
  const isKnown = entries !== undefined || files.memory !== undefined || path === undefined;
  const mayHoldCut =
    isKnown || (await withTranscript(path, files, async (file) => (await readLast(file)).includes(ANY_CUT)));
  return mayHoldCut ? entriesBefore(call, client, files) : [];
}

/** Prefix of the ids of all cuts. */
const ANY_CUT = 'prn_';

/** Opens a transcript, calls `use` and closes the transcript. `undefined` if it cannot be opened or read. */
async function withTranscript<Result>(
  path: string,
  files: EventFiles,
  use: (file: RegularFile) => Promise<Result>,
): Promise<Result | undefined> {
  const file = files.openTranscript(path);
  try {
    return file && (await use(file));
  } catch {
    return undefined;
  } finally {
    file?.close();
  }
}

/** Maximum bytes read from the end of a transcript (P52): about 100 calls with their outputs. */
const MAX_TRANSCRIPT_BYTES = 4 * 1024 * 1024;
/** Maximum bytes of transcripts whose entries a server remembers. Those that were not read for longest are forgotten. */
const MAX_REMEMBERED_BYTES = 16 * 1024 * 1024;
/** Number of bytes before the read position that are compared. If they differ, the file was replaced. */
const CHECKED_BYTES = 256;

type ReadEntry = EventReader['readEntry'];

interface ReadTranscript {
  readonly readEntry: ReadEntry;
  /** Offset of the end of the last complete line. */
  readonly end: number;
  /** The last bytes before `end`. */
  readonly checked: Buffer;
  /** Size and entries of each line. */
  readonly lines: readonly { readonly bytes: number; readonly entries: readonly TranscriptEntry[] }[];
  readonly bytes: number;
}

/**
 * Reads the newest entries of transcripts, from at most their last 4 MiB, and remembers them. Clients only
 * append to a transcript, so for the next event only the new part is read. A file that became shorter or was
 * replaced is read from the start.
 */
export class TranscriptMemory {
  readonly #transcripts = new Map<string, ReadTranscript>();

  /** Returns the entries of a transcript, oldest first. */
  async read(
    file: RegularFile,
    { path, readEntry }: { path: string; readEntry: ReadEntry },
  ): Promise<readonly TranscriptEntry[]> {
    const known = this.#transcripts.get(path);
    const isKnown = known !== undefined && known.readEntry === readEntry;
    const { before, added } = (isKnown && (await readAdded(file, known))) || (await readEnd(file, readEntry));
    const lineEnd = added.lastIndexOf(LINE_BREAK) + 1;
    const read = withLines(before, added.subarray(0, lineEnd));
    this.#remember(path, read);
    // A last line without a line break may still grow, so it is read again for the next event.
    const last = entriesOf(added.subarray(lineEnd), readEntry);
    return [...read.lines.flatMap(({ entries }) => entries), ...last];
  }

  #remember(path: string, read: ReadTranscript): void {
    this.#transcripts.delete(path);
    this.#transcripts.set(path, read);
    let bytes = [...this.#transcripts.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [oldest, each] of this.#transcripts) {
      if (bytes <= MAX_REMEMBERED_BYTES) return;
      this.#transcripts.delete(oldest);
      bytes -= each.bytes;
    }
  }
}

const LINE_BREAK = 0x0a;

/** Reads the bytes added after `before.end`. `undefined` if there are too many or the file was replaced. */
async function readAdded(file: RegularFile, before: ReadTranscript) {
  const { end, checked } = before;
  const size = file.size - end;
  if (size < 0 || size > MAX_TRANSCRIPT_BYTES) return undefined;
  const bytes = await file.readAt(end - checked.length, checked.length + size);
  const isSame = bytes.subarray(0, checked.length).equals(checked);
  return isSame ? { before, added: bytes.subarray(checked.length) } : undefined;
}

async function readLast(file: RegularFile): Promise<Buffer> {
  const size = Math.min(file.size, MAX_TRANSCRIPT_BYTES);
  return file.readAt(file.size - size, size);
}

/** Reads the end of a file from the first complete line on. */
async function readEnd(file: RegularFile, readEntry: ReadEntry) {
  const bytes = await readLast(file);
  const start = file.size - bytes.length;
  const lineStart = start === 0 ? 0 : bytes.indexOf(LINE_BREAK) + 1;
  const before = { readEntry, end: start + lineStart, checked: Buffer.alloc(0), lines: [], bytes: 0 };
  return { before, added: bytes.subarray(lineStart) };
}

/** Adds complete lines, and forgets the oldest ones to remember at most 4 MiB. */
function withLines(before: ReadTranscript, added: Buffer): ReadTranscript {
  const { readEntry, end, checked } = before;
  const fresh = Array.from(linesIn(added), (line) => ({
    bytes: line.length + 1,
    entries: entriesOf(line, readEntry),
  }));
  const lines = [...before.lines, ...fresh];
  let bytes = before.bytes + added.length;
  let dropped = 0;
  for (; bytes > MAX_TRANSCRIPT_BYTES; dropped += 1) bytes -= lines[dropped]?.bytes ?? 0;
  return {
    readEntry,
    end: end + added.length,
    // A slice would keep its whole buffer in memory, so the bytes are copied.
    checked: Buffer.from(Buffer.concat([checked, added.subarray(-CHECKED_BYTES)]).subarray(-CHECKED_BYTES)),
    lines: lines.slice(dropped),
    bytes,
  };
}

function* linesIn(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(LINE_BREAK, start);
    const end = newline === -1 ? bytes.length : newline;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

function entriesOf(line: Buffer, readEntry: ReadEntry): readonly TranscriptEntry[] {
  const value = line[0] === OPENING_BRACE ? parsedFields(line.toString('utf8')) : undefined;
  return value === undefined ? [] : readEntry(value);
}

const OPENING_BRACE = 0x7b;

const MAX_ENTRIES = 500;
const MAX_CHARS = 4 * 1024 * 1024;

/**
 * Returns the messages in the event's field `entries`, oldest first, for callers whose transcript is not
 * opened. Of a long list, returns the newest. `undefined` if the event does not have the field.
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

/** Environment and home directory. The folders of clients are derived from them. */
export type ClientHome = Pick<LaunchContext, 'env' | 'homeDir'>;

/** Folders in which a client writes files. For an event, no files outside of them are opened. */
export interface ClientFolders {
  readonly transcripts: readonly string[];
  /** Folders in which the client stores long outputs. */
  readonly outputs?: readonly string[];
}

/**
 * Files named by an event that may be opened. `all`: for the user's own process, or the socket of its
 * session. `transcripts`: for a loopback connection of the user that runs the server. `nothing`: for other
 * callers.
 */
export type FileAccess = 'all' | 'transcripts' | 'nothing';

/** Opens the files that one event may name. */
export interface EventFiles {
  /** Opens a transcript. A relative path is in the client's first folder. The caller closes the file. */
  openTranscript(path: string): RegularFile | undefined;
  /** Opens an output that the client keeps in a file. The caller closes the file. */
  openOutput(path: string): RegularFile | undefined;
  /** Transcript entries that were read for earlier events. */
  readonly memory?: TranscriptMemory | undefined;
}

export function eventFiles(
  folders: ClientFolders,
  { access, memory }: Pick<EventFiles, 'memory'> & { readonly access: FileAccess },
): EventFiles {
  const { transcripts, outputs = [] } = folders;
  return {
    memory,
    openTranscript: (path) => {
      const absolute = isAbsolute(path) ? path : join(transcripts[0] ?? '', path);
      return access === 'nothing' ? undefined : openBelow(absolute, transcripts);
    },
    openOutput: (path) => (access === 'all' ? openBelow(path, outputs) : undefined),
  };
}

function openBelow(path: string, folders: readonly string[]): RegularFile | undefined {
  const file = openRegularFile(path, { below: folders });
  return file.kind === 'opened' ? file : undefined;
}
