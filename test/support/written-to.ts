import type { PassThrough } from 'node:stream';

/** Returns all that was written to a stream and not read yet; since Node 26 one `read()` returns one chunk. */
export function writtenTo(stream: PassThrough): string {
  const chunks: Buffer[] = [];
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
