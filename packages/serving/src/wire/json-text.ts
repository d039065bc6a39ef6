import { isUtf8 } from 'node:buffer';

export type ParsedJson =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'unparsable'; readonly reason: string };

/** JSON from bytes a client sent. Bytes that are not UTF-8 are refused, not silently repaired. */
export function parseJson(bytes: Buffer): ParsedJson {
  if (bytes.length === 0) return { kind: 'unparsable', reason: 'the body is empty' };
  if (!isUtf8(bytes)) return { kind: 'unparsable', reason: 'the text is not valid UTF-8' };
  try {
    return { kind: 'parsed', value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { kind: 'unparsable', reason: 'the text is not valid JSON' };
  }
}
