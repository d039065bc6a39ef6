import { readFileSync } from 'node:fs';

/** Where `wasm/json-scan.as` expects the text, and how many bytes behind it that it may touch. */
const TEXT_AT = 0x20000;
const PADDING = 64;
const PAGE = 65_536;

/** The part of the global that is used here; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  scan(length: number, maxBytes: number): number;
  skip(offset: number): number;
}

/** The compiled scanner and its memory. */
export class JsonModule {
  readonly #exports: Exports;
  #bytes: Uint8Array;
  #idSpan: Uint32Array;

  constructor(exports: Exports) {
    this.#exports = exports;
    this.#bytes = new Uint8Array(exports.memory.buffer);
    this.#idSpan = new Uint32Array(exports.memory.buffer, 0, 2);
  }

  /** Compiles with the first use, once; gives `undefined` where WebAssembly or its wide instructions are missing. */
  static opener(): () => JsonModule | undefined {
    let compiled: object | 'missing' | undefined;
    return () => {
      compiled ??= compile() ?? 'missing';
      if (typeof compiled === 'string') return undefined;
      return new JsonModule(new WebAssembly.Instance(compiled).exports as Exports);
    };
  }

  load(text: Uint8Array): void {
    const missing = TEXT_AT + text.length + PADDING - this.#bytes.length;
    if (missing > 0) {
      this.#exports.memory.grow(Math.ceil(missing / PAGE));
      this.#bytes = new Uint8Array(this.#exports.memory.buffer);
      this.#idSpan = new Uint32Array(this.#exports.memory.buffer, 0, 2);
    }
    this.#bytes.set(text, TEXT_AT);
  }

  scan(length: number, maxBytes: number): number {
    return this.#exports.scan(length, maxBytes);
  }

  skip(offset: number): number {
    return this.#exports.skip(offset);
  }

  get idStart(): number {
    return this.#idSpan[0] ?? 0;
  }

  get idEnd(): number {
    return this.#idSpan[1] ?? 0;
  }
}

function compile(): object | undefined {
  try {
    return new WebAssembly.Module(readFileSync(new URL('./json-scan.wasm', import.meta.url)));
  } catch {
    return undefined;
  }
}
