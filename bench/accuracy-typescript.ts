/** Exported names and signatures of npm packages against the TypeScript compiler: `npx tsx bench/accuracy-typescript.ts`. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOutliner } from '../packages/reverse-spec/src/syntax/read-outline.ts';
import { TABLE_HEAD, Tally } from './accuracy/tally.ts';
import { compareTypeScript, typeScriptFiles } from './accuracy/typescript.ts';

const PACKAGES = [
  '@anthropic-ai/sdk',
  '@modelcontextprotocol/sdk',
  '@redis/client',
  '@swc/core',
  '@types/node',
  '@vitest/mocker',
  '@vitest/runner',
  '@vitest/snapshot',
  '@vitest/utils',
  'ajv',
  'estree-walker',
  'expect-type',
  'fast-check',
  'formatly',
  'gpt-tokenizer',
  'hono',
  'ip-address',
  'jose',
  'json-schema-to-ts',
  'knip',
  'minimatch',
  'postcss',
  'pure-rand',
  'smol-toml',
  'ts-algebra',
  'typebox',
  'undici',
  'vite',
  'vitest',
  'yaml',
  'zod',
  'zod-to-json-schema',
];

const limit = Number(process.argv[2] ?? 400);
const outliner = createOutliner();
const total = new Tally();
console.log(TABLE_HEAD.join('\n'));
for (const name of PACKAGES) {
  const root = fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
  if (!existsSync(root)) continue;
  const tally = await compareTypeScript(outliner, root, typeScriptFiles(root, limit));
  console.log(tally.row(name));
  total.add(tally);
}
console.log(total.row('all'));
if (process.argv.includes('--examples')) console.log(total.examples.join('\n'));
await outliner.close();
