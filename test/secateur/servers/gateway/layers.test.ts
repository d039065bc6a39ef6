import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importGraph } from '../../../../scripts/import-graph.ts';
import { sourceFiles } from '../../../../scripts/source-files.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const GATEWAY = 'packages/secateur/src/servers/gateway';
const UPSTREAMS = `${GATEWAY}/upstreams/`;

it.each([
  ['undici', [`${UPSTREAMS}http.ts`]],
  ['runtime/process-group.ts', [`${UPSTREAMS}stdio/child.ts`]],
  ['node:child_process', []],
])('[G26] at most one upstream file of the gateway imports %s', (module, expected) => {
  const importing = sourceFiles(root, GATEWAY).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes(`${module}'`),
  );
  expect(importing).toEqual(expected);
});

const LAYERS: ReadonlyArray<readonly [name: string, files: RegExp, mayImport: readonly string[]]> = [
  ['core', /^packages\/base\//, []],
  ['proxy', /^packages\/secateur\/src\/servers\/gateway\/upstreams\//, ['core', 'api']],
  ['features', /^packages\/(engine|secateur\/src\/(masking|savings)|serving\/src\/workspace)\//, ['core']],
  [
    'services',
    /^packages\/(secateur\/src\/(cli|runner|main)|serving\/src\/commands)\//,
    ['core', 'features', 'api', 'config'],
  ],
  [
    'api',
    /^packages\/(secateur\/src\/servers|serving\/src\/wire)\//,
    ['core', 'features', 'proxy', 'config'],
  ],
  ['config', /^packages\/serving\/src\/config\//, ['core']],
];
const layerOf = (file: string) => LAYERS.find(([, files]) => files.test(file))?.[0];

it.each(LAYERS)('[G26] the layer %s imports only lower layers', (name, files, mayImport) => {
  const imports = [...importGraph(root)].filter(([file]) => files.test(file) && layerOf(file) === name);
  expect(imports.length).toBeGreaterThan(0);
  const used = new Set(imports.flatMap(([, imported]) => [...imported].map(layerOf)));
  const others = [...used].filter((layer) => layer !== undefined && layer !== name);
  expect(others.filter((layer) => !mayImport.includes(layer ?? ''))).toEqual([]);
});

it('[G26] upstreams import no files that open upstreams, serve routes or mask', () => {
  const graph = importGraph(root);
  const reached = new Set([...graph.keys()].filter((file) => file.startsWith(UPSTREAMS)));
  for (const file of reached) for (const imported of graph.get(file) ?? []) reached.add(imported);
  const forbidden =
    /^packages\/(secateur\/src\/(masking\/mask\.ts|savings\/)|engine\/)|gateway\/(gateway|server|respond|shorten|in-process)\.ts$/;
  expect([...reached].filter((file) => forbidden.test(file))).toEqual([]);
});
