import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Environment } from '../config/origin.ts';

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
