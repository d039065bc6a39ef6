import { wasmExports } from './wasm-exports.ts';

/** What every module has that reads a text in UTF-16 from its memory. */
export interface TextExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Where the text goes. */
  readonly TEXT: { readonly value: number };
}

const PAGE_BYTES = 65_536;
/** Two bytes a unit of text, and one for what the module notes about it. */
const BYTES_A_UNIT = 3;
const MARGIN_BYTES = 1_024;
const MOST_UNITS = 16_000_000;

/**
 * A compiled WebAssembly module that looks at texts, one at a time. It is machine code from the first text on, where
 * JavaScript would be interpreted for the first hundred, in every thread anew.
 */
export class TextModule<Exports extends TextExports> {
  readonly exports: Exports;
  #bytes: Buffer;

  constructor(exports: Exports) {
    this.exports = exports;
    this.#bytes = Buffer.from(exports.memory.buffer);
  }

  /** Nothing where WebAssembly or its wide instructions are missing. */
  static open<Exports extends TextExports>(file: URL): TextModule<Exports> | undefined {
    const exports = wasmExports(file);
    return exports === undefined ? undefined : new TextModule(exports as Exports);
  }

  /** Puts a text where the module looks for it; not one that is too long. */
  put(text: string): boolean {
    if (text.length > MOST_UNITS) return false;
    const { memory, TEXT } = this.exports;
    const needed = TEXT.value + text.length * BYTES_A_UNIT + MARGIN_BYTES;
    const missing = needed - this.#bytes.length;
    if (missing > 0) {
      memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#bytes = Buffer.from(memory.buffer);
    }
    this.#bytes.write(text, TEXT.value, 'utf16le');
    return true;
  }

  /** A number the module left in its memory. */
  numberAt(address: number): number {
    return this.#bytes.readInt32LE(address);
  }
}
