import type { Readable, Writable } from 'node:stream';
import type { EncodedJson } from '../messages/encode-json.ts';

export interface LineWriter {
  readonly write: (message: unknown) => void;
  /** For progress: left out while the client does not keep up. Answers never are. */
  readonly offer: (message: unknown) => void;
  /** Writes a message that is encoded already. */
  writeJson(json: EncodedJson): void;
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

  const writeJson = (json: EncodedJson) => {
    if (isGone) return;
    if (typeof json !== 'string') for (const piece of json) output.write(piece);
    if (!output.write(typeof json === 'string' ? `${json}\n` : '\n')) input.pause();
  };

  return {
    gone,
    writeJson,
    isGone: () => isGone,
    offer: (message) => {
      if (!output.writableNeedDrain) writeJson(JSON.stringify(message));
    },
    write: (message) => writeJson(JSON.stringify(message)),
    flushed: async () => {
      if (isGone || output.writableLength === 0) return;
      await Promise.race([gone, new Promise<void>((resolve) => output.write('', () => resolve()))]);
    },
  };
}
