const UTF8 = 1;
const UTF16 = 2;

/** Text to bytes and back without loss: UTF-8 where it can carry the text, UTF-16 where a lone surrogate would not survive it. */
export function encodeText(text: string): Buffer {
  const wellFormed = text.isWellFormed();
  const body = Buffer.from(text, wellFormed ? 'utf8' : 'utf16le');
  return Buffer.concat([Buffer.of(wellFormed ? UTF8 : UTF16), body]);
}

export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(buffer[0] === UTF8 ? 'utf8' : 'utf16le', 1);
}
