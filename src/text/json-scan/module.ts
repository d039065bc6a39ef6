import { wasmExports } from '../wasm-exports.ts';

/** Where `wasm/json-scan.as` expects a piece of text, and how large it may be. */
const TEXT_AT = 0x70000;
const PIECE_BYTES = 0x40000;
const UNFINISHED = -2;
/** As many bytes to a string as the first piece said. */
const SAME = -1;
/** Places of what it leaves for us, counted in numbers of four bytes. */
const ID_START = 0;
const ID_END = 1;
const DONE = 2;
const SPAN_COUNT = 3;
const SPANS = 64;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  scan(length: number, isLast: boolean, maxBytes: number): number;
}

/** The compiled scanner and its memory, which never grows: large texts go through it in pieces. */
export class JsonModule {
  readonly #exports: Exports;
  readonly #bytes: Uint8Array;
  readonly #numbers: Uint32Array;

  constructor(exports: Exports) {
    this.#exports = exports;
    this.#bytes = new Uint8Array(exports.memory.buffer);
    this.#numbers = new Uint32Array(exports.memory.buffer);
  }

  /** `undefined` where WebAssembly or its wide instructions are missing. */
  static open(): JsonModule | undefined {
    const exports = wasmExports(new URL('./json-scan.wasm', import.meta.url));
    return exports === undefined ? undefined : new JsonModule(exports as Exports);
  }

  /** The bits that `scan` in `wasm/json-scan.as` gives for the whole text, below zero if it proves nothing. */
  scan(text: Uint8Array, maxStringBytes: number): number {
    let start = 0;
    let maxBytes = maxStringBytes;
    while (text.length - start > PIECE_BYTES) {
      this.#bytes.set(text.subarray(start, start + PIECE_BYTES), TEXT_AT);
      const found = this.#exports.scan(PIECE_BYTES, false, maxBytes);
      if (found !== UNFINISHED) return found;
      start += this.#numbers[DONE] ?? 0;
      maxBytes = SAME;
    }
    this.#bytes.set(start === 0 ? text : text.subarray(start), TEXT_AT);
    return this.#exports.scan(text.length - start, true, maxBytes);
  }

  get idStart(): number {
    return this.#numbers[ID_START] ?? 0;
  }

  get idEnd(): number {
    return this.#numbers[ID_END] ?? 0;
  }

  /** Of long values, where they end, by where they start; some may be missing. */
  ends(): Map<number, number> {
    const ends = new Map<number, number>();
    for (let left = this.#numbers[SPAN_COUNT] ?? 0, at = SPANS; left > 0; left -= 1, at += 2) {
      ends.set(this.#numbers[at] ?? 0, this.#numbers[at + 1] ?? 0);
    }
    return ends;
  }
}
