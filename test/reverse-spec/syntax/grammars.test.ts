import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';

const folder = new URL('../../../packages/reverse-spec/grammars/', import.meta.url);
const rows = [
  ...readFileSync(new URL('README.md', folder), 'utf8').matchAll(
    /^\| `(\S+\.wasm\.br)` \|.*`([0-9a-f]{64})`/gm,
  ),
];

it('each vendored grammar has the SHA-256 hash that its documentation page lists', () => {
  expect(rows).toHaveLength(12);
  for (const [, file = '', hash] of rows) {
    const grammar = brotliDecompressSync(readFileSync(new URL(file, folder)));
    expect(createHash('sha256').update(grammar).digest('hex')).toBe(hash);
  }
});
