import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sourceFiles } from '../../scripts/source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it.each([
  ['undici', ['src/servers/gateway/upstreams/http.ts']],
  ['runtime/process-group.ts', ['src/servers/gateway/upstreams/stdio/child.ts']],
  ['node:child_process', []],
])('[G26] in the gateway %s is known to one file of its upstreams at most', (module, expected) => {
  const importing = sourceFiles(root, 'src/servers/gateway').filter((file) =>
    readFileSync(join(root, file), 'utf8').includes(`${module}'`),
  );
  expect(importing).toEqual(expected);
});
