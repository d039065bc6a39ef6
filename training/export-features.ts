/**
 * Writes what the network sees of each example, computed by the scorer's own code, for the training script:
 * `export-features.ts <out folder> <shard> <shards> <file.jsonl>…` handles every `shards`-th example.
 * Per shard: rows.f16 (one row of features a line), constants.f32, words.u32 with counts.u16 a line,
 * goal.u32, gold.u8, lengths.u16, and index.jsonl with one entry an example in the same order.
 */
import { closeSync, createReadStream, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { readFeatures } from '../packages/engine/src/ranking/scorers/local/features.ts';
import { augmented, type Example } from './augment.ts';
import { toHalf } from './half.ts';

const [out = '', shard = '0', shards = '1', ...files] = process.argv.slice(2);

mkdirSync(out, { recursive: true });
const streams = Object.fromEntries(
  [
    'rows.f16',
    'constants.f32',
    'words.u32',
    'counts.u16',
    'goal.u32',
    'gold.u8',
    'lengths.u16',
    'index.jsonl',
  ].map((name) => [name, openSync(`${out}/${shard}.${name}`, 'w')]),
);

let seen = 0;
for (const file of files) {
  const set = basename(file, '.jsonl');
  for await (const row of createInterface({ input: createReadStream(file) })) {
    seen += 1;
    if (row === '' || seen % Number(shards) !== Number(shard)) continue;
    const example = JSON.parse(row) as Example;
    exportExample(set === 'train' ? augmented(example) : example, set);
  }
}
for (const stream of Object.values(streams)) closeSync(stream);

function exportExample(example: Example, set: string): void {
  const lines = example.text.split('\n');
  const features = readFeatures({ lines, goal: example.goal_hint, sourceType: example.source_type });
  const columns = [...features.columns.values()];
  const gold = new Uint8Array(lines.length);
  for (const line of example.gold_lines) if (line <= lines.length) gold[line - 1] = 1;
  const { words, starts, vocabulary, goalSequence } = features.words;
  const hashes = Uint32Array.from(words.subarray(0, starts[lines.length]), (word) => vocabulary.hashOf(word));
  const goal = Uint32Array.from(new Set(goalSequence), (word) => vocabulary.hashOf(word));
  put('rows.f16', interleaved(columns, lines.length));
  put('constants.f32', Float32Array.from(Object.values(features.constants)));
  put('words.u32', hashes);
  put(
    'counts.u16',
    Uint16Array.from(lines, (_, line) => (starts[line + 1] ?? 0) - (starts[line] ?? 0)),
  );
  put('goal.u32', goal);
  put('gold.u8', gold);
  put(
    'lengths.u16',
    Uint16Array.from(lines, (line) => Math.min(line.length, 65_535)),
  );
  const group = String(example.meta.group ?? '').toLowerCase();
  const entry = { id: example.id, set, group, lines: lines.length, words: hashes.length, goal: goal.length };
  writeSync(
    streams['index.jsonl'] as number,
    `${JSON.stringify({ ...entry, source: example.source_type })}\n`,
  );
  if (shard === '0') writeNames(features);
}

function interleaved(columns: readonly Float32Array[], total: number): Uint16Array {
  const rows = new Uint16Array(columns.length * total);
  for (const [at, column] of columns.entries()) {
    for (let line = 0; line < total; line += 1)
      rows[line * columns.length + at] = toHalf(column[line] as number);
  }
  return rows;
}

function put(name: string, values: ArrayBufferView): void {
  writeSync(streams[name] as number, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

function writeNames(features: ReturnType<typeof readFeatures>): void {
  const names = { columns: [...features.columns.keys()], constants: Object.keys(features.constants) };
  writeFileSync(`${out}/names.json`, JSON.stringify(names));
}
