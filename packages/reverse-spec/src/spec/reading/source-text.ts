import { isUtf8 } from 'node:buffer';

/** Text that is not UTF-8 is older than it: one byte a character loses no name and no line. */
export function sourceText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}
