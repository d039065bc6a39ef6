/**
 * What cutting every output of whole agent runs would have saved, and what it would have hidden.
 *
 *   npm run bench:replay -- [runs.jsonl or .xz, default ../shared/eval/runs.jsonl.xz] [--every 10] [--folds folder]
 *
 * `--folds` names the folder where training/observations.py left its trees and folds: each run is then judged by trees that never saw
 * its repository. Without it the packaged trees are measured, partly on what they learnt from.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commandKind } from '../src/ranking/command-kind.ts';
import type { LineScorer } from '../src/ranking/scorer.ts';
import { createLocalScorer } from '../src/ranking/scorers/local.ts';
import { productCutter } from '../src/replay/product-cutter.ts';
import type { Asking } from '../src/replay/replay/recoveries.ts';
import { type Cutter, Replay } from '../src/replay/replay.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { noDeadline } from '../src/runtime/deadline.ts';
import { foldOf } from './quality/examples.ts';
import { compare, type EqualCharacters } from './replay/equal-characters.ts';
import { outOfFold } from './replay/fold-scorers.ts';
import { type LabelledRun, readLabelledRuns } from './replay/labelled-runs.ts';
import { LookupTable } from './replay/lookup-table.ts';
import { type ReplayedOutput, Report } from './replay/report.ts';
import { unnamedTokens } from './replay/unnamed-lines.ts';

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
      if (cut.gaps.length > 0 && used.length > 0) equal.push(compare({ step, focus, cut, used }));
      at += 1;
      report.addUnnamed(unnamedTokens(step, focus, cut));
      return cut;
    }),
  );
  report.addEqual(equal);
  report.add('the same, asked back an output at once', run, replayed(run, ours, 'at once'));
  report.add('the same, recoveries unseen', run, replayed(run, unseen(ours)));
  if (!values.rivals) continue;
  const ruled = productCutter({ scorer: tableFor(run).scorer, clock: systemClock });
  report.add('our rules with the lookup table', run, replayed(run, ruled));
  for (const loss of LOSSES)
    report.add(`lookup table, L ${loss}`, run, replayed(run, tableFor(run).cutter(loss, MARKER_TOKENS)));
  report.add(
    'nothing cut',
    run,
    replayed(run, ({ output }) => ({ text: output, gaps: [] })),
  );
}
report.print(process.cpuUsage(started).user / 1000);

/** As where an agent asks in a way we do not see: by reading the file once more, say. */
function unseen(cut: Cutter): Cutter {
  return (step, { askedBack, ...focus }) =>
    cut(step, askedBack === undefined ? focus : { ...focus, askedBack: { ...askedBack, recoveries: 0 } });
}

function replayed(run: LabelledRun, cut: Cutter, asking: Asking = 'gap by gap'): ReplayedOutput[] {
  const replay = new Replay(cut, asking);
  return run.steps.map((step, at) => ({
    kind: commandKind(step.command),
    ...replay.take(step, run.labels[at] ?? { used: [], again: [] }),
  }));
}

function packaged(): (repository: string) => LineScorer {
  const scorer = createLocalScorer();
  return () => (request) => scorer({ ...request, deadline: noDeadline });
}

/** Four tables, each without a quarter of the repositories. */
async function learnTables(): Promise<LookupTable[]> {
  const learnt = [0, 1, 2, 3].map(() => new LookupTable());
  for await (const run of readLabelledRuns(file, 1)) {
    for (const [fold, table] of learnt.entries()) if (foldOf(run.repository) !== fold) table.learn(run);
  }
  return learnt;
}

function tableFor(run: LabelledRun): LookupTable {
  const table = tables[foldOf(run.repository)];
  if (table === undefined) throw new Error('no table');
  return table;
}
