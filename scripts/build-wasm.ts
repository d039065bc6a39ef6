import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

export const WASM_SOURCE = 'wasm/json-scan.as';
export const WASM_MODULE = 'src/text/json-scan/json-scan.wasm';

const OPTIONS = [
  ...[
    '-O3',
    '--runtime',
    'stub',
    '--noAssert',
    '--enable',
    'simd',
    '--initialMemory',
    '12',
    '--maximumMemory',
    '12',
  ],
  ...['--outFile', 'module.wasm'],
];

/** The module its source compiles to; the same bytes every time. */
export async function compileWasm(source: string): Promise<Uint8Array> {
  let compiled: Uint8Array | undefined;
  const { error, stderr } = await asc.main(['module.ts', ...OPTIONS], {
    readFile: (name: string) => (name === 'module.ts' ? source : null),
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== 'string') compiled = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || compiled === undefined) throw new Error(`${error?.message}\n${stderr.toString()}`);
  return compiled;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const bytes = await compileWasm(readFileSync(join(root, WASM_SOURCE), 'utf8'));
  writeFileSync(join(root, WASM_MODULE), bytes);
  console.log(`${WASM_MODULE}: ${bytes.length} bytes`);
}
