/** A trained network as it lies in its file: named tensors, and what it expects to be fed. */
export interface Weights {
  variant: string;
  columns: readonly string[];
  constants: readonly string[];
  has(name: string): boolean;
  tensor(name: string): Float32Array;
}

interface Header {
  variant: string;
  columns: string[];
  constants: string[];
  tensors: { name: string; shape: number[]; at: number }[];
}

/** Reads what training/export.py wrote: header length, JSON header, tensors in half precision. */
export function readWeights(bytes: Uint8Array): Weights {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerEnd = 4 + view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, headerEnd))) as Header;
  const tensors = new Map(
    header.tensors.map(({ name, shape, at }) => {
      const size = shape.reduce((product, side) => product * side, 1);
      const values = Float32Array.from({ length: size }, (_, place) =>
        fromHalf(view.getUint16(headerEnd + 2 * (at + place), true)),
      );
      return [name, values] as const;
    }),
  );
  return {
    variant: header.variant,
    columns: header.columns,
    constants: header.constants,
    has: (name) => tensors.has(name),
    tensor: (name) => tensors.get(name) ?? missing(name),
  };
}

function missing(name: string): never {
  throw new Error(`the weights hold no tensor ${name}`);
}

/** A number of IEEE half precision from its 16 bits. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
