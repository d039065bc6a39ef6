export const OTHER = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
/** `_` and `$`: inside an identifier, between its pieces. */
export const JOINER = 4;
/** Scripts written without spaces: every character is a word. */
export const IDEOGRAPH = 5;

/** What each character is to a word, by its code. */
export const KINDS: Uint8Array = new Uint8Array(0x10000);

/** Lower case for ASCII, Latin-1, Greek and Cyrillic capitals; other characters stay themselves. */
export const FOLDED: Uint16Array = new Uint16Array(0x10000);

for (let code = 0; code < 0x10000; code += 1) {
  KINDS[code] = kindOf(code);
  FOLDED[code] = folded(code);
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === 95 || code === 36) return JOINER;
  return code < 0xc0 ? OTHER : wideKind(code);
}

/** Accented and non-Latin letters count as lower case: only ASCII marks the humps of identifiers. */
function wideKind(code: number): number {
  if (code >= 0x2000 && code < 0x2c00) return OTHER;
  if (code >= 0x3000 && code < 0x3040) return OTHER;
  if (code >= 0x3040 && code < 0xa000) return IDEOGRAPH;
  return code >= 0xd800 && code < 0xf900 ? OTHER : LOWER;
}

function folded(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  if (code >= 0xc0 && code <= 0xde && code !== 0xd7) return code + 32;
  if (code >= 0x391 && code <= 0x3a9) return code + 32;
  return code >= 0x410 && code <= 0x42f ? code + 32 : code;
}
