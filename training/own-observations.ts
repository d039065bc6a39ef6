import { readdirSync, readFileSync } from 'node:fs';
import type { Focus } from '../src/ranking/focus.ts';
import { readFeatures } from '../src/ranking/scorers/local/features.ts';
import { createNeighbourNetwork } from '../src/ranking/scorers/local/network.ts';
import { NEIGHBOUR_WEIGHTS } from '../src/ranking/scorers/local/weights/neighbours.ts';
import { readWeights } from '../src/ranking/scorers/local/weights.ts';
import { type ObservationColumns, observationColumns } from '../src/ranking/scorers/observation/columns.ts';
import { rememberShown } from '../src/ranking/shown.ts';
import type { Example } from './augment.ts';

export interface OwnObservation {
  id: string;
  lines: number;
  input: ObservationColumns;
}

const FOLDER = new URL('../bench/quality/examples/', import.meta.url);
/** Some command for each kind of text: the trees look at its kind. */
const COMMANDS = { code: 'sed -n 1,200p src/module.py', logs: 'python -m pytest', docs: 'cat README.md' };
const LONGEST = 60;

/** The first lines of our own examples as an agent would have read them half an hour into a run: what the trees are tested with. */
export function ownObservations(): OwnObservation[] {
  const network = createNeighbourNetwork(readWeights(Buffer.from(NEIGHBOUR_WEIGHTS, 'base64')));
  if (network === undefined) throw new Error('this machine cannot run the network');
  const files = readdirSync(FOLDER).sort();
  const rows = files.flatMap((name) => readFileSync(new URL(name, FOLDER), 'utf8').trim().split('\n'));
  return rows.map((row) => {
    const { id, text, goal_hint: question, source_type: sourceType } = JSON.parse(row) as Example;
    const lines = text.split('\n').slice(0, LONGEST);
    const seen = new Set<number>();
    rememberShown(seen, lines.slice(0, 20).join('\n'));
    const focus: Focus = { question, task: question, command: COMMANDS[sourceType], seen };
    const features = readFeatures({ lines, goal: question, sourceType });
    const scores = network(features);
    return { id, lines: lines.length, input: observationColumns({ lines, focus, features, scores }) };
  });
}
