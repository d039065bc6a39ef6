/** `reference-features.ts <examples folder> <out.json>`: the features of our own examples in full precision, for reference.py. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitLines } from '../packages/base/src/text/lines.ts';
import { readFeatures } from '../packages/engine/src/ranking/scorers/local/features.ts';
import type { Example } from './augment.ts';

const [folder = '', out = ''] = process.argv.slice(2);
const examples = readdirSync(folder)
  .sort()
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  .map((row) => JSON.parse(row) as Example);
const features = examples.map(({ id, text, goal_hint: goal, source_type: sourceType }) => {
  const { columns, constants } = readFeatures({ lines: splitLines(text), goal, sourceType });
  const lists = Object.fromEntries([...columns].map(([name, column]) => [name, [...column]]));
  return { id, columns: lists, constants };
});
writeFileSync(out, JSON.stringify(features));
