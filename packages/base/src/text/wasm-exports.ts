import { readFileSync } from 'node:fs';

/** The part of the global that is used here; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** Returns the exports of a compiled module; undefined if WebAssembly or its SIMD is missing. */
export function wasmExports(file: URL): unknown {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file))).exports;
  } catch {
    return undefined;
  }
}
