const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The first `length` Crockford base32 characters of `bytes` (five bits each, most significant first). */
export function crockford(bytes: Uint8Array, length: number): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5 && text.length < length) {
      bits -= 5;
      text += CROCKFORD[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}
