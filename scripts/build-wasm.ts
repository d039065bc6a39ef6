import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));

interface WasmModule {
  /** AssemblyScript. */
  readonly source: string;
  readonly compiled: string;
  readonly options: readonly string[];
}

/** Modules compiled to WebAssembly. The result is committed: users of the package need no compiler. */
export const wasmModules = {
  network: {
    source: 'wasm/network.as',
    compiled: 'packages/engine/src/ranking/scorers/local/network/network.wasm',
    options: ['--initialMemory', '16'],
  },
} as const satisfies Record<string, WasmModule>;

const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--outFile', 'module.wasm'];

/** The module its source compiles to; the same bytes every time. */
export async function compileWasm({ source, options }: WasmModule): Promise<Uint8Array> {
  const text = readFileSync(join(root, source), 'utf8');
  let compiled: Uint8Array | undefined;
  const { error, stderr } = await asc.main(['module.ts', ...OPTIONS, ...options], {
    readFile: (name: string) => (name === 'module.ts' ? text : null),
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== 'string') compiled = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || compiled === undefined) throw new Error(`${error?.message}\n${stderr.toString()}`);
  return compiled;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const module of Object.values(wasmModules)) {
    const bytes = await compileWasm(module);
    writeFileSync(join(root, module.compiled), bytes);
    console.log(`${module.compiled}: ${bytes.length} bytes`);
  }
}
