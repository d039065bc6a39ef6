import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { usageError } from '@secateur/serving/commands/command.ts';
import type { Environment } from '../config/values.ts';

export interface Terminal {
  readonly input: Readable & { isTTY?: boolean };
  readonly output: TerminalStream;
  readonly errors: TerminalStream;
  /** Colours text for `output`. Has no effect if `output` is not a terminal or NO_COLOR is set. */
  readonly paint: Paint;
  /** Colours text for `errors`. */
  readonly paintErrors: Paint;
  /** Writes one line of the result. */
  line(text: string): void;
  /** Writes one line that does not belong to the result: progress, a warning or a failure. */
  note(text: string): void;
}

export type TerminalStream = Writable & { isTTY?: boolean; columns?: number };

type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

export type Paint = (style: Style, text: string) => string;

export type TerminalStreams = Pick<Terminal, 'input' | 'output' | 'errors'>;

export function createTerminal(streams: TerminalStreams, env: Environment): Terminal {
  return {
    ...streams,
    paint: paintFor(streams.output, env),
    paintErrors: paintFor(streams.errors, env),
    line: (text) => streams.output.write(`${text}\n`),
    note: (text) => streams.errors.write(`${text}\n`),
  };
}

function paintFor(stream: TerminalStream, env: Environment): Paint {
  const plain = stream.isTTY !== true || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  return plain ? (_style, text) => text : (style, text) => styleText(style, text, { validateStream: false });
}

/** Returns untrusted text on one line. Characters that move the cursor, ring the bell or reverse text become `?`. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '?');
}

/** Replaces control characters except line breaks and tabs. */
export function printableLines(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '?');
}

/** Escapes the control characters that `JSON.stringify` leaves inside strings. */
export function printableJson(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
}

const WIDTH = 24;

/** Shows progress by rewriting a line on standard error. Does nothing if standard error is not a terminal. */
export function progressBar({ errors }: Terminal) {
  let shown = '';
  return {
    update: ({ done, total, message }: { done: number; total: number; message: string }) => {
      if (errors.isTTY !== true) return;
      const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      // A terminal of unknown size reports 0 columns.
      const line = `${bar} ${done}/${total} ${printable(message)}`.slice(0, (errors.columns || 80) - 1);
      if (line === shown) return;
      shown = line;
      errors.write(`\r\u001b[2K${line}`);
    },
    /** Removes the bar. */
    end: () => {
      if (shown !== '') errors.write('\r\u001b[2K');
    },
  };
}

/** Writes pieces in order, waiting for each, so that a slow reader does not fill the memory. */
export async function writeAll(output: Writable, pieces: Iterable<Uint8Array | string>): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve, reject) => {
      output.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** Maximum characters of a cell. Names of tools and servers come from data and may be long. */
const MAX_CELL_CHARS = 80;

/** Formats rows as a table whose first and last row are bold. Columns that are not in `left` are right-aligned. */
export function formatTable(
  given: readonly (readonly string[])[],
  paint: Paint,
  left: readonly number[] = [0],
): string {
  const rows = given.map((row) =>
    row.map((cell) =>
      printable(cell.length > MAX_CELL_CHARS ? `${cell.slice(0, MAX_CELL_CHARS - 1)}…` : cell),
    ),
  );
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return left.includes(column) ? cell.padEnd(width) : cell.padStart(width);
    });
    return cells.join('  ').trimEnd();
  });
  const isOutstanding = (index: number) => index === 0 || index === lines.length - 1;
  return lines.map((line, index) => (isOutstanding(index) ? paint('bold', line) : line)).join('\n');
}

/** Reads a file, or standard input if no path or `-` is given. */
export async function readBytes(path: string | undefined, { input }: Terminal): Promise<Buffer> {
  if (path !== undefined && path !== '-') return readNamedFile(path);
  if (input.isTTY === true) throw usageError('give a file or pipe a text in');
  const bytes = await readAtMost(input, MAX_INPUT_BYTES);
  if (bytes !== undefined) return bytes;
  throw new DomainError('input_too_large', `standard input is longer than ${MAX_INPUT_BYTES} bytes`, {
    hint: 'Pipe in a part of it, such as `tail -n 100000`.',
  });
}

/** Maximum bytes of an input. V8's limit for strings is only slightly higher. */
const MAX_INPUT_BYTES = 512 * 1024 * 1024;

/** Whether bytes are text: no NUL near the beginning, as in git and grep. */
export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.subarray(0, 8000).includes(0);
}

async function readNamedFile(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: NodeJS.ErrnoException) => {
    const isFolder = cause.code === 'EISDIR';
    const hint = isFolder ? 'Name a file in it.' : 'Check the name and its permissions.';
    const message = `${path} ${isFolder ? 'is a folder' : 'cannot be read'}`;
    throw new DomainError('cannot_read', message, { hint, cause });
  });
}
