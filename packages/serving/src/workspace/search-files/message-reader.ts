import { LineReader, type LongLine } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { openInside, type WorkspaceRoot } from '../root.ts';
import type { SearchMatch } from '../search-files.ts';

/** Maximum bytes of a message. Of a longer one, for an enormous line, only the beginning and the line number are kept. */
const MAX_MESSAGE_BYTES = 1_048_576;

/**
 * Reads the JSON messages of ripgrep from chunks. Messages of one file are consecutive. If a file cannot
 * contribute matches any more, its messages are skipped without parsing.
 */
export class MessageReader {
  /** Whether ripgrep has written its summary, the last message of a search. */
  summarised = false;
  private readonly matches: FirstMatches;
  private readonly name: (printed: string) => string;
  private readonly lines: LineReader;
  private path = '';
  private skipping = false;

  constructor(matches: FirstMatches, name: (printed: string) => string) {
    this.matches = matches;
    this.name = name;
    this.lines = new LineReader(MAX_MESSAGE_BYTES, {
      line: (bytes) => this.message(bytes),
      tooLong: () =>
        new OversizeMessage((line) => {
          if (!this.skipping) this.matches.add({ path: this.path, column: null, ...line }, true);
        }),
    });
  }

  push(chunk: Buffer): void {
    this.lines.push(chunk);
  }

  private message(bytes: Buffer): void {
    // The type of a message has a fixed offset, so it is found without parsing.
    const kind = bytes.toString('latin1', 9, 14);
    if (kind === 'match') this.match(bytes);
    else if (kind === 'begin') this.begin(bytes);
    else if (bytes.includes('"type":"summary"')) this.summarised = true;
  }

  private begin(bytes: Buffer): void {
    this.path = this.name(beginPath(bytes));
    this.skipping = !this.matches.wants(this.path);
  }

  private match(bytes: Buffer): void {
    if (this.skipping) {
      this.matches.seen += 1;
      return;
    }
    const { cut, ...match } = readMatch(bytes);
    this.matches.add({ path: this.path, ...match }, cut);
  }
}

const START_BYTES = 16_384;
// Follows the text of a line. It occurs only once, because quotes inside a JSON string are escaped.
const LINE_NUMBER = '"},"line_number":';
const LINE_START = /"lines":\{"(text|bytes)":"/;
const CARRY_BYTES = 64;

/** A match message that is too long to keep. Only its beginning and its line number are stored. */
export class OversizeMessage implements LongLine {
  private start: Buffer = Buffer.alloc(0);
  private carry: Buffer = Buffer.alloc(0);
  private lineNumber: number | undefined;

  private readonly found: (line: { line: number; text: string }) => void;

  constructor(found: (line: { line: number; text: string }) => void) {
    this.found = found;
  }

  push(part: Buffer): void {
    if (this.start.length < START_BYTES) {
      this.start = Buffer.concat([this.start, part.subarray(0, START_BYTES - this.start.length)]);
    }
    if (this.lineNumber !== undefined) return;
    const seen = Buffer.concat([this.carry, part]);
    const at = seen.lastIndexOf(LINE_NUMBER);
    const digits =
      at === -1
        ? undefined
        : /^(\d+),/.exec(seen.toString('latin1', at + LINE_NUMBER.length, at + CARRY_BYTES));
    if (digits !== undefined && digits !== null) this.lineNumber = Number(digits[1]);
    this.carry = Buffer.from(seen.subarray(Math.max(0, seen.length - CARRY_BYTES)));
  }

  end(): void {
    const start = this.start.toString('utf8');
    const found = LINE_START.exec(start);
    const rest = found === null ? '' : start.slice(found.index + found[0].length);
    const text = found?.[1] === 'bytes' ? Buffer.from(rest, 'base64').toString('utf8') : unescapeStart(rest);
    this.found({ line: this.lineNumber ?? 0, text: shortenLine(text, 0).text });
  }
}

/** Decodes the beginning of a JSON string. It may be cut anywhere, even inside an escape sequence. */
function unescapeStart(escaped: string): string {
  for (let cut = 0; cut < 12; cut += 1) {
    try {
      return JSON.parse(`"${escaped.slice(0, escaped.length - cut)}"`) as string;
    } catch {}
  }
  return '';
}

/** Text in ripgrep's format: a string, or base64 if the text is not UTF-8. */
type Data = { text: string } | { bytes: string };

export function beginPath(message: Buffer): string {
  return textOf(dataOf<{ path: Data }>(message).path);
}

export function readMatch(message: Buffer): {
  line: number;
  column: number | null;
  text: string;
  cut: boolean;
} {
  const { lines, line_number, submatches } = dataOf<{
    lines: Data;
    line_number: number | null;
    submatches: { start: number }[];
  }>(message);
  const start = submatches[0]?.start;
  const column = start === undefined ? null : start + 1;
  return { line: line_number ?? 0, column, ...shortenLine(textOf(lines).replace(/\r?\n$/, ''), start ?? 0) };
}

function dataOf<Content>(message: Buffer): Content {
  return (JSON.parse(message.toString()) as { data: Content }).data;
}

function textOf(data: Data): string {
  return 'text' in data ? data.text : Buffer.from(data.bytes, 'base64').toString('utf8');
}

/** Maximum characters of a line. Of longer lines (minified code, data) the part around the match is shown. */
const MAX_LINE_CHARACTERS = 2_000;
const BEFORE_MATCH = 500;

export function shortenLine(line: string, matchAt: number): { text: string; cut: boolean } {
  if (line.length <= MAX_LINE_CHARACTERS) return { text: line, cut: false };
  const start = Math.max(0, Math.min(matchAt - BEFORE_MATCH, line.length - MAX_LINE_CHARACTERS));
  const end = Math.min(line.length, start + MAX_LINE_CHARACTERS);
  const shown = line.slice(start, end).toWellFormed();
  return { text: `${start > 0 ? '…' : ''}${shown}${end < line.length ? '…' : ''}`, cut: true };
}

/** Keeps the first `limit` matches of a stream by path and line, in limited memory. */
export class FirstMatches {
  private readonly limit: number;
  private kept: SearchMatch[] = [];
  /** Last match that can be among the first. Later ones are dropped. `undefined` until the limit is reached. */
  private last: SearchMatch | undefined;
  private dropped = false;
  /** Number of matches, including those that were not read. */
  seen = 0;
  private cutLines = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether a match in a file can be among the first `limit` matches. */
  wants(path: string): boolean {
    if (this.last === undefined || comparePaths(path, this.last.path) <= 0) return true;
    this.dropped = true;
    return false;
  }

  add(match: SearchMatch, lineWasCut: boolean): void {
    this.seen += 1;
    if (this.last !== undefined && inOrder(this.last, match) < 0) {
      this.dropped = true;
      return;
    }
    this.kept.push(match);
    this.cutLines ||= lineWasCut;
    if (this.kept.length >= 2 * this.limit + 64) this.shrink();
  }

  private shrink(): void {
    const sorted = withoutRepeats(this.kept.sort(inOrder));
    this.dropped ||= sorted.length > this.limit;
    this.kept = sorted.slice(0, this.limit);
    this.last = this.kept.length === this.limit ? this.kept.at(-1) : undefined;
  }

  /** Returns the kept matches, whether there were more, and whether a line was shortened. */
  sorted(): { matches: SearchMatch[]; hasMore: boolean; hasCutLines: boolean } {
    this.shrink();
    return { matches: this.kept, hasMore: this.dropped, hasCutLines: this.cutLines };
  }
}

function inOrder(a: SearchMatch, b: SearchMatch): number {
  return a.path === b.path ? a.line - b.line : comparePaths(a.path, b.path);
}

/** Compares paths folder by folder, as `--sort path` of ripgrep does: `a/z` before `a-b`. */
function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Returns the rank of a character in UTF-8 order. `/` is first, so that folders precede longer names. */
function rank(code: number): number {
  if (code === 47) return 0;
  return code >= 0xd800 && code <= 0xdfff ? code + 0x10000 : code;
}

/** Removes duplicate matches. The caller may have given a file twice. */
function withoutRepeats(sorted: readonly SearchMatch[]): SearchMatch[] {
  return sorted.filter((match, index) => {
    const before = sorted[index - 1];
    return before === undefined || inOrder(before, match) !== 0;
  });
}

/** A file or folder to search. It is open and inside the root. */
export type SearchTarget = Awaited<ReturnType<typeof openTarget>>;

/** Opens all targets, or none if one fails. The caller closes them. */
export async function openTargets(root: WorkspaceRoot, paths: readonly string[]): Promise<SearchTarget[]> {
  const opened = await Promise.allSettled(paths.map((path) => openTarget(root, path)));
  const targets = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failure = opened.find((each) => each.status === 'rejected');
  if (failure === undefined) return targets;
  await closeTargets(targets);
  throw failure.reason;
}

async function openTarget(root: WorkspaceRoot, path: string) {
  const { handle, path: real } = await openInside(root, path);
  const found = await handle.stat();
  if (found.isFile() || found.isDirectory()) return { handle, path: real, isDirectory: found.isDirectory() };
  await handle.close();
  throw new DomainError('invalid_path', `${path}: is neither a file nor a directory`);
}

export async function closeTargets(targets: readonly SearchTarget[]): Promise<void> {
  await Promise.all(targets.map(({ handle }) => handle.close()));
}
