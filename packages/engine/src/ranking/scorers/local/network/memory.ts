/** A module with memory to place things in. */
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
/** Below this address the compiler keeps what is its own. */
const FIRST_FREE = 1024;

/** Hands out places in the module's memory, one after another. */
export class Memory {
  top = FIRST_FREE;
  readonly #memory: ModuleWithMemory['memory'];

  constructor({ memory }: ModuleWithMemory) {
    this.#memory = memory;
  }

  /** Reserves memory for that many numbers, at an address that vectors may start at. */
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

  /** All of it, in 32 bits a number; a view taken before the memory grew is empty. */
  numbers(): Float32Array {
    return new Float32Array(this.#memory.buffer);
  }
}
