const scratch = new Float32Array(1);
const bits = new Uint32Array(scratch.buffer);

/** The 16 bits of a number as IEEE half precision, ties to even, out of range to infinity. */
export function toHalf(value: number): number {
  scratch[0] = value;
  const word = bits[0] as number;
  const sign = (word >>> 16) & 0x8000;
  const exponent = ((word >>> 23) & 0xff) - 112;
  const fraction = word & 0x7fffff;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent <= 0) return sign | roundedShift(fraction | 0x800000, 14 - exponent);
  return sign | ((exponent << 10) + roundedShift(fraction, 13));
}

function roundedShift(value: number, places: number): number {
  if (places > 24) return 0;
  const kept = value >>> places;
  const rest = value & ((1 << places) - 1);
  const middle = 1 << (places - 1);
  return rest > middle || (rest === middle && (kept & 1) === 1) ? kept + 1 : kept;
}
