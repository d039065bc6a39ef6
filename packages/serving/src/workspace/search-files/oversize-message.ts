import type { LongLine } from '@secateur/base/text/line-reader.ts';
import { shortenLine } from './match-message.ts';

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
