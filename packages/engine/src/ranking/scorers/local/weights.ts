/** A trained network as stored in its file: named tensors, and a description of its input. */
export interface Weights {
  columns: readonly string[];
  constants: readonly string[];
  has(name: string): boolean;
  tensor(name: string): Float32Array;
}

/** Reads a file of training/export.py: the length of the header, a JSON header, and tensors in half precision. */
export function readWeights(bytes: Uint8Array): Weights {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerEnd = 4 + view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, headerEnd))) as {
    columns: string[];
    constants: string[];
    tensors: { name: string; shape: number[]; at: number }[];
  };
  const tensors = new Map(
    header.tensors.map(({ name, shape, at }) => {
      const size = shape.reduce((product, side) => product * side, 1);
      const values = halvesAt(view, headerEnd + 2 * at, size);
      return [name, values] as const;
    }),
  );
  return {
    columns: header.columns,
    constants: header.constants,
    has: (name) => tensors.has(name),
    tensor: (name) => tensors.get(name) ?? missing(name),
  };
}

function missing(name: string): never {
  throw new Error(`the weights hold no tensor ${name}`);
}

/** Reads half-precision numbers (IEEE). Uses a plain loop: a hook process reads all of them once, with code that V8 has not optimised. */
function halvesAt(view: DataView, start: number, size: number): Float32Array {
  const values = new Float32Array(size);
  for (let at = 0; at < size; at += 1) {
    const bits = view.getUint16(start + 2 * at, true);
    const fraction = bits & 0x3ff;
    const head = bits >> 10;
    values[at] = (STEPS[head] as number) * ((head & 0x1f) === 0 ? fraction : 1024 + fraction);
  }
  return values;
}

/** Value of one step of the fraction, by sign and exponent. The highest exponent means infinity; weights are never NaN. */
const STEPS: readonly number[] = Array.from({ length: 64 }, (_, head) => {
  const exponent = head & 0x1f;
  const step = exponent === 31 ? Number.POSITIVE_INFINITY : 2 ** (Math.max(exponent, 1) - 25);
  return head < 32 ? step : -step;
});

export interface ModuleWithMemory {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
}

/** Exports of wasm/network.as. Addresses are in bytes. */
export interface NetworkModule extends ModuleWithMemory {
  place(...places: number[]): void;
  readInput(...places: number[]): void;
  mix(...places: number[]): void;
  finish(...places: number[]): void;
}

const PAGE = 65_536;
/** First free address. The compiler uses lower ones. */
const FIRST_FREE = 1024;

/** Allocates memory of the module from low to high addresses. Memory is never freed. */
export class Memory {
  top = FIRST_FREE;
  readonly #memory: ModuleWithMemory['memory'];

  constructor({ memory }: ModuleWithMemory) {
    this.#memory = memory;
  }

  /** Reserves memory for `count` numbers. Returns its address, which is aligned for SIMD. */
  take(count: number): number {
    const place = this.top;
    this.top = (place + 4 * count + 63) & ~63;
    const missing = this.top + PAGE - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    return place;
  }

  put(values: Float32Array): number {
    const place = this.take(values.length);
    this.numbers().set(values, place / 4);
    return place;
  }

  /** Returns all memory as 32-bit numbers. The array becomes empty when the memory grows. */
  numbers(): Float32Array {
    return new Float32Array(this.#memory.buffer);
  }
}
