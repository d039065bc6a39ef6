/**
 * Measures what cutting every output of whole agent runs would have saved, and what it would have hidden.
 *
 *   npm run bench:replay -- [runs.jsonl or .xz, default ../shared/eval/runs.jsonl.xz] [--every 10] [--shipped]
 *
 * Each run is ranked by one of four networks that never saw its repository (bench/quality/folds); `--shipped` measures the packaged one.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { noDeadline, systemClock } from '../packages/base/src/runtime/time.ts';
import { requestKindOf } from '../packages/engine/src/policy/request-kind.ts';
import { createLocalScorer } from '../packages/engine/src/ranking/local-scorer.ts';
import type { LineScorer } from '../packages/engine/src/ranking/scorer.ts';
import { productCutter } from '../packages/secateur/src/replay/product-cutter.ts';
import type { RecoveryStrategy } from '../packages/secateur/src/replay/replay.ts';
import { type Cutter, Replay } from '../packages/secateur/src/replay/replay.ts';
import { compare, type EqualCharacters } from './replay/equal-characters.ts';
import { outOfFold } from './replay/fold-scorers.ts';
import { type LabelledRun, readLabelledRuns } from './replay/labelled-runs.ts';
import { type ReplayedOutput, Report } from './replay/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    shipped: { type: 'boolean', default: false },
  },
});
const shared = fileURLToPath(new URL('../../shared/eval/runs.jsonl.xz', import.meta.url));
const file = positionals[0] ?? shared;
if (!existsSync(file)) {
  console.error(
    `no runs at ${file}: give a file of JSON lines, or use \`secateur replay\` on your own sessions`,
  );
  process.exit(1);
}

const scorerFor = values.shipped ? packaged() : outOfFold();
const every = Number(values.every);
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
      return cut;
    }),
  );
  report.addEqual(equal);
  report.add('the same, recovered an output at a time', run, replayed(run, ours, 'at once'));
  report.add(
    'nothing cut',
    run,
    replayed(run, ({ output }) => ({ text: output, gaps: [] })),
  );
}
report.print(process.cpuUsage(started).user / 1000);

function replayed(run: LabelledRun, cut: Cutter, asking: RecoveryStrategy = 'gap by gap'): ReplayedOutput[] {
  const replay = new Replay(cut, asking);
  return run.steps.map((step, at) => ({
    kind: requestKindOf({ kind: 'command', command: step.command }),
    ...replay.take(step, run.labels[at] ?? { used: [], again: [] }),
  }));
}

function packaged(): (repository: string) => LineScorer {
  const scorer = createLocalScorer();
  return () => (request) => scorer({ ...request, deadline: noDeadline });
}
