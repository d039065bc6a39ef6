import { readFileSync } from 'node:fs';

/** Offsets of the opening brace and of the closing one. */
export interface Body {
  start: number;
  end: number;
}

export interface FindOptions {
  /** A `<` where an operand belongs may open an element, whose text is no code. */
  mayHoldJsx: boolean;
}

/** The part of the global that is used here; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Where the text goes. */
  readonly TEXT: { readonly value: number };
  findBodies(length: number, mayHoldJsx: boolean): number;
  bodiesAt(length: number): number;
}

const PAGE_BYTES = 65_536;
/** A unit of text takes two bytes; a body, nine units at least, takes eight more. */
const BYTES_A_UNIT = 3;
const MOST_UNITS = 16_000_000;

/**
 * Finds function bodies without a parser, by `wasm/bodies.as`: machine code from the first file on, where a scanner in
 * JavaScript would be interpreted for the first hundred, in every thread anew.
 */
export class BodyFinder {
  readonly #exports: Exports;
  readonly #textAt: number;
  #bytes: Buffer;

  constructor(exports: Exports) {
    this.#exports = exports;
    this.#textAt = exports.TEXT.value;
    this.#bytes = Buffer.from(exports.memory.buffer);
  }

  /** Nothing where WebAssembly or its wide instructions are missing. */
  static open(): BodyFinder | undefined {
    try {
      const compiled = new WebAssembly.Module(readFileSync(new URL('./bodies.wasm', import.meta.url)));
      return new BodyFinder(new WebAssembly.Instance(compiled).exports as Exports);
    } catch {
      return undefined;
    }
  }

  /** The bodies that stand outside every other one; nothing when the text cannot be understood for certain. */
  find(text: string, { mayHoldJsx }: FindOptions): Body[] | undefined {
    if (text.length > MOST_UNITS) return undefined;
    this.#makeRoom(this.#exports.bodiesAt(0) + text.length * BYTES_A_UNIT);
    this.#bytes.write(text, this.#textAt, 'utf16le');
    const count = this.#exports.findBodies(text.length, mayHoldJsx);
    return count < 0 ? undefined : this.#found(this.#exports.bodiesAt(text.length), count);
  }

  #found(at: number, count: number): Body[] {
    return Array.from({ length: count }, (_, index) => ({
      start: this.#bytes.readInt32LE(at + index * 8),
      end: this.#bytes.readInt32LE(at + index * 8 + 4),
    }));
  }

  #makeRoom(bytes: number): void {
    const { memory } = this.#exports;
    const missing = bytes - memory.buffer.byteLength;
    if (missing <= 0) return;
    memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#bytes = Buffer.from(memory.buffer);
  }
}
