import { readFileSync } from 'node:fs';
import { attempt, DomainError } from './domain-error.ts';

/** Returns the version of the package that contains this module; after bundling, of the published package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}

/** Loads a package that only some users need. Throws `DomainError` with the install command if it is missing. */
export async function loadOptional<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const { code, message = '' } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw cause;
    throw new DomainError('package_missing', `this needs the package ${name}, which is not installed`, {
      hint: `Install it beside secateur: npm install ${name}`,
      cause,
    });
  }
}

/** The part of `WebAssembly` that is used here; the types of Node do not declare it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** Returns the exports of a compiled module, or `undefined` if WebAssembly or its SIMD is missing. */
export function wasmExports(file: URL): unknown {
  return attempt(() => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file))).exports);
}
