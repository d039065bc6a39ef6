import { failure } from './answer.ts';
import type { ClientCall } from './client-call.ts';

/** A server-sent event as bytes, including the blank line at its end. */
export interface ServerEvent {
  readonly raw: Buffer;
}

const LF = 10;
const CR = 13;

interface EventLimits {
  /** Maximum bytes of an event. */
  readonly maxBytes: number;
  /** Waits until this number of bytes may be held in memory; see `ClientCall`. */
  readonly hold?: ClientCall['hold'];
}

/** Splits a byte stream into events. Yields each complete event and keeps only one in memory. */
export async function* readEvents(
  chunks: AsyncIterable<Buffer>,
  { maxBytes, hold }: EventLimits,
): AsyncGenerator<ServerEvent> {
  const pending = new PendingEvent(maxBytes);
  let isFirst = true;
  const complete = (last: Buffer) => {
    const raw = pending.complete(last);
    const hasMark = isFirst && raw.subarray(0, BOM.length).equals(BOM);
    isFirst = false;
    return hasMark ? raw.subarray(BOM.length) : raw;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = pending.endIn(chunk, from); end !== -1; end = pending.endIn(chunk, from)) {
      yield { raw: complete(chunk.subarray(from, end)) };
      from = end;
    }
    pending.keep(chunk.subarray(from));
    await hold?.(pending.size);
  }
  // Some servers omit the blank line after the last event.
  const rest = complete(Buffer.alloc(0));
  if (rest.length > 0) yield { raw: Buffer.concat([rest, Buffer.from('\n\n')]) };
}

const BOM = Buffer.from('\ufeff');

class PendingEvent {
  #parts: Buffer[] = [];
  #size = 0;
  /** Whether the current line has no characters yet. */
  #blank = true;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the offset after the blank line that ends the current event; -1 if the event is incomplete. */
  endIn(chunk: Buffer, from: number): number {
    let lineStart = from;
    for (let lf = chunk.indexOf(LF, lineStart); lf !== -1; lf = chunk.indexOf(LF, lineStart)) {
      const blank = this.#blank && isBlank(chunk, lineStart, lf);
      this.#blank = true;
      lineStart = lf + 1;
      if (blank) return lineStart;
    }
    this.#blank = this.#blank && isBlank(chunk, lineStart, chunk.length);
    return -1;
  }

  keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size > this.#maxBytes) throw responseTooLarge(this.#maxBytes);
    this.#parts.push(part);
  }

  get size(): number {
    return this.#size;
  }

  complete(last: Buffer): Buffer {
    this.keep(last);
    const event = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return event;
  }
}

function isBlank(chunk: Buffer, start: number, end: number): boolean {
  return end === start || (end === start + 1 && chunk[start] === CR);
}

export function responseTooLarge(maxBytes: number): Error {
  return failure('response_too_large', `The upstream's answer is larger than ${maxBytes} bytes`, {
    hint: 'Ask for less, or raise max_response_bytes.',
    data: { max_response_bytes: maxBytes },
  });
}

/** Whether a client that loses the stream after this event can request the next ones. */
export function isResumable({ raw }: ServerEvent): boolean {
  return linesOf(raw).some((line) => line.subarray(0, ID.length).equals(ID));
}

const ID = Buffer.from('id:');
const DATA = Buffer.from('data:');
const SPACE = 32;
const LINE_END = Buffer.from('\n');

/** Returns the data lines of an event, joined. A single line, as in most events, is not copied. */
export function eventData({ raw }: ServerEvent): Buffer {
  const lines = linesOf(raw).filter(isData).map(payload);
  return lines.length === 1 ? (lines[0] as Buffer) : joined(lines);
}

/** Returns an event with other JSON as data. Its id and type stay. */
export function withEventData({ raw }: ServerEvent, json: Buffer): ServerEvent {
  const others = linesOf(raw).filter((line) => line.length > 0 && !isData(line));
  const end = Buffer.alloc(0);
  return { raw: joined([...others, Buffer.concat([Buffer.from('data: '), onOneLine(json)]), end, end]) };
}

/** Replaces line breaks between JSON tokens. They would end the data line of an event. */
function onOneLine(json: Buffer): Buffer {
  if (!json.includes(LF) && !json.includes(CR)) return json;
  return Buffer.from(json.map((byte) => (byte === LF || byte === CR ? SPACE : byte)));
}

function linesOf(raw: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let lf = raw.indexOf(LF); lf !== -1; lf = raw.indexOf(LF, start)) {
    lines.push(raw.subarray(start, raw[lf - 1] === CR && lf > start ? lf - 1 : lf));
    start = lf + 1;
  }
  return lines;
}

function isData(line: Buffer): boolean {
  return line.subarray(0, DATA.length).equals(DATA);
}

function payload(line: Buffer): Buffer {
  return line.subarray(line[DATA.length] === SPACE ? DATA.length + 1 : DATA.length);
}

function joined(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [LINE_END, line])));
}

export function messageEvent(text: string): ServerEvent {
  return { raw: Buffer.from(`event: message\ndata: ${text}\n\n`) };
}
