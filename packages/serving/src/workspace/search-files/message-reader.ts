import { LineReader, type LongLine } from '@secateur/base/text/line-reader.ts';
import type { FirstMatches } from './first-matches.ts';

/** A longer message holds one enormous line; its start and its line number are enough. */
const MAX_MESSAGE_BYTES = 1_048_576;

/**
 * Reads ripgrep's JSON messages from chunks. A file's messages come together; those of a file that cannot
 * contribute any more are skipped without being parsed.
 */
export class MessageReader {
  /** Whether the search ran to its end. */
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
    // The kind is spelled at a fixed place, which spares parsing messages that will not be used.
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
// Inside a JSON string every quote is escaped: this sequence occurs once, after the line's text.
const LINE_NUMBER = '"},"line_number":';
const LINE_START = /"lines":\{"(text|bytes)":"/;
const CARRY_BYTES = 64;

/** A match message too long to keep: remembers how the line starts and which one it is. */
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

/** The start of a JSON string, cut anywhere: at most one escape sequence is incomplete. */
function unescapeStart(escaped: string): string {
  for (let cut = 0; cut < 12; cut += 1) {
    try {
      return JSON.parse(`"${escaped.slice(0, escaped.length - cut)}"`) as string;
    } catch {}
  }
  return '';
}

/** Text as ripgrep writes it: as a string, or in base64 when it is not UTF-8. */
type Data = { text: string } | { bytes: string };

export function beginPath(message: Buffer): string {
  return textOf(dataOf<{ path: Data }>(message).path);
}

interface MatchedLine {
  line: number;
  column: number | null;
  text: string;
  cut: boolean;
}

export function readMatch(message: Buffer): MatchedLine {
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

/** Longer lines (minified code, data) are shown around their match only. */
const MAX_LINE_CHARACTERS = 2_000;
const BEFORE_MATCH = 500;

export function shortenLine(line: string, matchAt: number): { text: string; cut: boolean } {
  if (line.length <= MAX_LINE_CHARACTERS) return { text: line, cut: false };
  const start = Math.max(0, Math.min(matchAt - BEFORE_MATCH, line.length - MAX_LINE_CHARACTERS));
  const end = Math.min(line.length, start + MAX_LINE_CHARACTERS);
  const shown = line.slice(start, end).toWellFormed();
  return { text: `${start > 0 ? '…' : ''}${shown}${end < line.length ? '…' : ''}`, cut: true };
}
