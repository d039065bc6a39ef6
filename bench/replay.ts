/**
 * What cutting every output of whole agent runs would have saved, and what it would have hidden.
 *
 *   npm run bench:replay -- [runs.jsonl or .xz, default ../shared/eval/runs.jsonl.xz] [--every 10] [--folds folder]
 *
 * `--folds` names the folder where training/observations.py left its trees and folds: each run is then judged by trees that never saw
 * its repository. Without it the packaged trees are measured, partly on what they learnt from.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commandKind } from '../src/ranking/command-kind.ts';
import type { LineScorer } from '../src/ranking/scorer.ts';
import { createNeighbourNetwork } from '../src/ranking/scorers/local/network.ts';
import { readWeights } from '../src/ranking/scorers/local/weights.ts';
import { createLocalScorer } from '../src/ranking/scorers/local.ts';
import { createObservationScorer } from '../src/ranking/scorers/observation.ts';
import { productCutter } from '../src/replay/product-cutter.ts';
import { type Cutter, Replay } from '../src/replay/replay.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { noDeadline } from '../src/runtime/deadline.ts';
import { foldOf } from './quality/examples.ts';
import { compare, type EqualCharacters } from './replay/equal-characters.ts';
import { type LabelledRun, readLabelledRuns } from './replay/labelled-runs.ts';
import { LookupTable } from './replay/lookup-table.ts';
import { type ReplayedOutput, Report } from './replay/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    folds: { type: 'string' },
    rivals: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const shared = fileURLToPath(new URL('../../shared/eval/runs.jsonl.xz', import.meta.url));
const file = positionals[0] ?? shared;
if (!existsSync(file)) {
  console.error(
    `no runs at ${file}: give a file of JSON lines, or use \`secateur replay\` on your own sessions`,
  );
  process.exit(1);
}

/** What a compact marker costs, roughly. */
const MARKER_TOKENS = 11;
const LOSSES = [360, 700, 1500];

const scorerFor = values.folds === undefined ? packaged() : outOfFold(values.folds);
const every = Number(values.every);
const tables = values.rivals ? await learnTables() : [];
const report = new Report();
const started = process.cpuUsage();
for await (const run of readLabelledRuns(file, every)) {
  const equal: EqualCharacters[] = [];
  const ours = productCutter({ scorer: scorerFor(run.repository), clock: systemClock });
  let at = 0;
  report.add(
    'Sécateur',
    run,
    replayed(run, (step, focus) => {
      const cut = ours(step, focus);
      const used = run.labels[at]?.used ?? [];
      if (cut.gaps.length > 0 && used.length > 0 && values.rivals)
        equal.push(compare({ step, focus, cut, used }));
      at += 1;
      return cut;
    }),
  );
  report.addEqual(equal);
  if (!values.rivals) continue;
  for (const loss of LOSSES)
    report.add(`lookup table, L ${loss}`, run, replayed(run, tableCutter(run, loss)));
  report.add(
    'nothing cut',
    run,
    replayed(run, ({ output }) => ({ text: output, gaps: [] })),
  );
}
report.print(process.cpuUsage(started).user / 1000);

function replayed(run: LabelledRun, cut: Cutter): ReplayedOutput[] {
  const replay = new Replay(cut);
  return run.steps.map((step, at) => ({
    kind: commandKind(step.command),
    ...replay.take(step, run.labels[at] ?? { used: [], again: [] }),
  }));
}

function packaged(): (repository: string) => LineScorer {
  const scorer = createLocalScorer();
  return () => (request) => scorer({ ...request, deadline: noDeadline });
}

/** Networks and trees that never saw the repository. */
function outOfFold(folder: string): (repository: string) => LineScorer {
  const folds = JSON.parse(readFileSync(`${folder}/folds.json`, 'utf8')) as Record<string, number>;
  const read = (path: string | URL) => readWeights(readFileSync(path));
  const networks = [0, 1, 2, 3].map((fold) =>
    createNeighbourNetwork(read(new URL(`./quality/folds/neighbours-${fold}.bin`, import.meta.url))),
  );
  const trees = new Map(
    [...new Set(Object.values(folds))].map((fold) => [
      fold,
      createObservationScorer(read(`${folder}/trees-${fold}.bin`)),
    ]),
  );
  return (repository) => {
    const network = networks[foldOf(repository)];
    const observation = trees.get(folds[repository] ?? 0);
    if (network === undefined || observation === undefined) throw new Error(`no fold for ${repository}`);
    const scorer = createLocalScorer(() => ({ full: network, 'per-line': network, observation }));
    return (request) => scorer({ ...request, deadline: noDeadline });
  };
}

/** Four tables, each without a quarter of the repositories. */
async function learnTables(): Promise<LookupTable[]> {
  const learnt = [0, 1, 2, 3].map(() => new LookupTable());
  for await (const run of readLabelledRuns(file, 1)) {
    for (const [fold, table] of learnt.entries()) if (foldOf(run.repository) !== fold) table.learn(run);
  }
  return learnt;
}

function tableCutter(run: LabelledRun, loss: number): Cutter {
  const table = tables[foldOf(run.repository)];
  if (table === undefined) throw new Error('no table');
  return table.cutter(loss, MARKER_TOKENS);
}
