/**
 * Writes what the trees see of each observation of whole runs, computed by the scorer's own code:
 * `export-observations.ts <out folder> <runs.jsonl> <observations.jsonl> [folder of fold trees]`. With trees of an earlier round every
 * output is cut as the product would: what a run has shown is then what its agent would have read, as the trees will meet it.
 * rows.f32 (a row of columns and constants a line), used.u8 (1 used, 2 shown before and used again), lengths.u16, tokens.f32,
 * words.f32 (BM25 with the whole focus), index.jsonl with an entry an observation, names.json.
 */
import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import { crc32 } from 'node:zlib';
import { outOfFold } from '../bench/replay/fold-scorers.ts';
import { kindOfText } from '../src/pruning/text-kind.ts';
import { commandKind } from '../src/ranking/command-kind.ts';
import { type Focus, goalText } from '../src/ranking/focus.ts';
import { scoreLexically } from '../src/ranking/lexical-scorer.ts';
import { readFeatures } from '../src/ranking/scorers/local/features.ts';
import { createNeighbourNetwork, type Network } from '../src/ranking/scorers/local/network.ts';
import { readWeights } from '../src/ranking/scorers/local/weights.ts';
import { observationColumns } from '../src/ranking/scorers/observation/columns.ts';
import { rememberShown } from '../src/ranking/shown.ts';
import { productCutter } from '../src/replay/product-cutter.ts';
import type { Cutter } from '../src/replay/replay.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { estimateTokensExactly } from '../src/text/token-estimate.ts';
import { toHalf } from './half.ts';

const LEAST_LINES = 10;
const RECENT = 3;
const [out = '', runs = '', singles = '', trees] = process.argv.slice(2);

interface Step {
  goal: string;
  command: string;
  output: string;
  used: number[];
  again: number[];
}
interface Run {
  run: string;
  repo: string;
  model: string;
  task: string;
  steps: Step[];
}
interface Single {
  id: string;
  repo: string;
  model: string;
  task: string;
  goal: string;
  command: string;
  text: string;
  used: number[];
}

/** Networks that never saw the repository: scores the trees will meet on new ones. */
const networks = [0, 1, 2, 3].map((fold) =>
  createNeighbourNetwork(
    readWeights(readFileSync(new URL(`../bench/quality/folds/neighbours-${fold}.bin`, import.meta.url))),
  ),
);

const scorerFor = trees === undefined ? undefined : outOfFold(trees);

mkdirSync(out, { recursive: true });
const files = Object.fromEntries(
  ['rows.f16', 'used.u8', 'lengths.u16', 'tokens.f32', 'words.f32', 'index.jsonl'].map((name) => [
    name,
    openSync(`${out}/${name}`, 'w'),
  ]),
);
let named = false;

for await (const row of createInterface({ input: createReadStream(runs) })) {
  const run = JSON.parse(row) as Run;
  const cut = cutterFor(run.repo.toLowerCase());
  const seen = new Set<number>();
  rememberShown(seen, run.task);
  for (const [at, step] of run.steps.entries()) {
    rememberShown(seen, `${step.goal}\n${step.command}`);
    const recentWords = run.steps.slice(Math.max(0, at - RECENT), at).map(({ goal }) => goal);
    const focus = { question: step.goal, task: run.task, recentWords, command: step.command, seen };
    const meta = { id: `${run.run}:${at}`, run: run.run, repo: run.repo.toLowerCase(), model: run.model };
    exportObservation(step.output, { meta, focus, used: step.used, again: step.again });
    const { goal: words, command, output } = step;
    rememberShown(seen, cut({ tool: 'Bash', task: run.task, words, command, output }, focus).text);
  }
}
for await (const row of createInterface({ input: createReadStream(singles) })) {
  const single = JSON.parse(row) as Single;
  const seen = new Set<number>();
  const { goal: question, task, command } = single;
  const meta = { id: single.id, run: '', repo: single.repo.toLowerCase(), model: single.model };
  exportObservation(single.text, {
    meta,
    focus: { question, task, command, seen },
    used: single.used,
    again: [],
  });
}
for (const file of Object.values(files)) closeSync(file);

function cutterFor(repository: string): Cutter {
  if (scorerFor === undefined) return ({ output }) => ({ text: output, gaps: [] });
  return productCutter({ scorer: scorerFor(repository), clock: systemClock });
}

interface Labelled {
  meta: { id: string; run: string; repo: string; model: string };
  focus: Focus;
  used: readonly number[];
  again: readonly number[];
}

function exportObservation(text: string, { meta, focus, used, again }: Labelled): void {
  const lines = text.split('\n');
  if (lines.length < LEAST_LINES) return;
  const command = focus.command ?? '';
  const { sourceType } = kindOfText({ kind: 'command', command }, text);
  const features = readFeatures({ lines, goal: goalText(focus), sourceType });
  const scores = networkFor(meta.repo)(features);
  const { columns, constants } = observationColumns({ lines, focus, features, scores });
  put('rows.f16', interleaved([...columns.values(), ...Object.values(constants)], lines.length));
  put('used.u8', labelsOf(lines.length, used, again));
  put(
    'lengths.u16',
    Uint16Array.from(lines, (line) => Math.min(65_535, line.length)),
  );
  put(
    'tokens.f32',
    Float32Array.from(lines, (line) => estimateTokensExactly(`${line}\n`)),
  );
  const words = scoreLexically({ lines, focus });
  put('words.f32', Float32Array.from(words.scores));
  const size = { lines: lines.length, characters: text.length };
  const entry = { ...meta, kind: commandKind(command), ...size, sourceType };
  writeSync(files['index.jsonl'] as number, `${JSON.stringify(entry)}\n`);
  if (!named)
    writeFileSync(`${out}/names.json`, JSON.stringify([...columns.keys(), ...Object.keys(constants)]));
  named = true;
}

function networkFor(repository: string): Network {
  const network = networks[crc32(repository) % networks.length];
  if (network === undefined) throw new Error('this machine cannot run the network');
  return network;
}

function interleaved(values: readonly (Float32Array | number)[], total: number): Uint16Array {
  const rows = new Uint16Array(values.length * total);
  for (const [at, value] of values.entries()) {
    for (let line = 0; line < total; line += 1)
      rows[line * values.length + at] = toHalf(typeof value === 'number' ? value : (value[line] as number));
  }
  return rows;
}

function labelsOf(total: number, used: readonly number[], again: readonly number[]): Uint8Array {
  const labels = new Uint8Array(total);
  for (const line of again) if (line <= total) labels[line - 1] = 2;
  for (const line of used) if (line <= total) labels[line - 1] = 1;
  return labels;
}

function put(name: string, values: ArrayBufferView): void {
  writeSync(files[name] as number, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}
