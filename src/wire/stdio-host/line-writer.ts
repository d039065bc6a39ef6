import type { Readable, Writable } from 'node:stream';

export interface LineWriter {
  readonly write: (message: unknown) => void;
  /** For progress: left out while the client does not keep up. Answers never are. */
  readonly offer: (message: unknown) => void;
  /** For a message that is JSON text already. */
  writeText(text: string): void;
  /** Resolves when the reader of our output has gone away. */
  readonly gone: Promise<void>;
  isGone(): boolean;
  flushed(): Promise<void>;
}

/** Writes one JSON message a line, and stops taking new requests while the client does not read its answers. */
export function createLineWriter(input: Readable, output: Writable): LineWriter {
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const leave = () => {
      isGone = true;
      resolve();
    };
    output.once('error', leave).once('close', leave);
  });
  output.on('drain', () => input.resume());

  const writeText = (text: string) => {
    if (!isGone && !output.write(`${text}\n`)) input.pause();
  };

  return {
    gone,
    writeText,
    isGone: () => isGone,
    offer: (message) => {
      if (!output.writableNeedDrain) writeText(JSON.stringify(message));
    },
    write: (message) => writeText(JSON.stringify(message)),
    flushed: async () => {
      if (isGone || output.writableLength === 0) return;
      await Promise.race([gone, new Promise<void>((resolve) => output.write('', () => resolve()))]);
    },
  };
}
