import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Environment } from '../config/values.ts';

export interface Terminal {
  readonly input: Readable & { isTTY?: boolean };
  readonly output: TerminalStream;
  readonly errors: TerminalStream;
  /** Colours for `output`; no effect if it is not a terminal or NO_COLOR is set. */
  readonly paint: Paint;
  /** Colours for `errors`. */
  readonly paintErrors: Paint;
  /** Writes one line of result. */
  line(text: string): void;
  /** Writes one line beside the result: progress, warnings, failure. */
  note(text: string): void;
}

export type TerminalStream = Writable & { isTTY?: boolean; columns?: number };

type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

export type Paint = (style: Style, text: string) => string;

export function createTerminal(streams: TerminalStreams, env: Environment): Terminal {
  return {
    ...streams,
    paint: paintFor(streams.output, env),
    paintErrors: paintFor(streams.errors, env),
    line: (text) => streams.output.write(`${text}\n`),
    note: (text) => streams.errors.write(`${text}\n`),
  };
}

export type TerminalStreams = Pick<Terminal, 'input' | 'output' | 'errors'>;

function paintFor(stream: TerminalStream, env: Environment): Paint {
  const plain = stream.isTTY !== true || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  return plain ? (_style, text) => text : (style, text) => styleText(style, text, { validateStream: false });
}

/** A name or a message of others on one line: what moves a cursor, rings a bell or turns the writing around is shown as `?`. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '?');
}

/** Replaces control characters but line breaks and tabs. */
export function printableLines(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '?');
}

/** JSON escapes most of them already; the rest are inside its strings. */
export function printableJson(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
}

export interface ProgressBar {
  update(state: { done: number; total: number; message: string }): void;
  /** Takes the bar away again. */
  end(): void;
}

const WIDTH = 24;

/** Rewrites one line on standard error; prints nothing if it is not a terminal. */
export function progressBar({ errors }: Terminal): ProgressBar {
  if (errors.isTTY !== true) return { update: () => {}, end: () => {} };
  let shown = '';
  return {
    update: ({ done, total, message }) => {
      const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      // A terminal without a set size says that it has no columns.
      const line = `${bar} ${done}/${total} ${printable(message)}`.slice(0, (errors.columns || 80) - 1);
      if (line === shown) return;
      shown = line;
      errors.write(`\r\u001b[2K${line}`);
    },
    end: () => {
      if (shown !== '') errors.write('\r\u001b[2K');
    },
  };
}

/** Writes the pieces in turn, each when the one before has gone: a slow reader does not pile them up in memory. */
export async function writeAll(output: Writable, pieces: Iterable<Uint8Array | string>): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve, reject) => {
      output.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
}
