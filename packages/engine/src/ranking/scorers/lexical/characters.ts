export const OTHER = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
/** `_` and `$`: inside an identifier, between its pieces. */
export const JOINER = 4;
/** Scripts written without spaces: every character is a word. */
export const IDEOGRAPH = 5;

const CAPITALS = [
  [65, 90],
  [0xc0, 0xd6],
  [0xd8, 0xde],
  [0x391, 0x3a9],
  [0x410, 0x42f],
] as const;

/** Kind of each character within a word, by its code. */
export const KINDS: Uint8Array = kinds();

/** Lower case for ASCII, Latin-1, Greek and Cyrillic capitals; other characters stay themselves. */
export const FOLDED: Uint16Array = folded();

/** By ranges: every process and worker makes these tables as it starts. */
function kinds(): Uint8Array {
  return (
    new Uint8Array(0x10000)
      .fill(LOWER, 97, 123)
      .fill(UPPER, 65, 91)
      .fill(DIGIT, 48, 58)
      .fill(JOINER, 95, 96)
      .fill(JOINER, 36, 37)
      // Accented and non-Latin letters count as lower case: only ASCII marks the humps of identifiers.
      .fill(LOWER, 0xc0)
      .fill(OTHER, 0x2000, 0x2c00)
      .fill(OTHER, 0x3000, 0x3040)
      .fill(IDEOGRAPH, 0x3040, 0xa000)
      .fill(OTHER, 0xd800, 0xf900)
  );
}

function folded(): Uint16Array {
  const codes = new Uint16Array(0x10000);
  for (let code = 0; code < 0x10000; code += 1) codes[code] = code;
  for (const [first, last] of CAPITALS)
    for (let code = first; code <= last; code += 1) codes[code] = code + 32;
  return codes;
}
