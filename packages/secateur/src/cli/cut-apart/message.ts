/**
 * A message between two processes: one line of JSON, then bytes as they are. Bytes are not made into a string: that
 * would take several times their memory, of which there may be little.
 */
export function packMessage(header: object, parts: readonly Uint8Array[]): Buffer {
  const line = JSON.stringify({ header, sizes: parts.map(({ length }) => length) });
  return Buffer.concat([Buffer.from(`${line}\n`), ...parts]);
}

export interface Message<Header> {
  readonly header: Header;
  readonly parts: Buffer[];
}

/** Returns `undefined` for bytes that are not a whole message. */
export function unpackMessage<Header>(bytes: Buffer): Message<Header> | undefined {
  const lineEnd = bytes.indexOf('\n');
  if (lineEnd === -1) return undefined;
  try {
    const { header, sizes } = JSON.parse(bytes.toString('utf8', 0, lineEnd));
    let at = lineEnd + 1;
    const parts = (sizes as number[]).map((size) => {
      at += size;
      return bytes.subarray(at - size, at);
    });
    return at === bytes.length ? { header: header as Header, parts } : undefined;
  } catch {
    return undefined;
  }
}
