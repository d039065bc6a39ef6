import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { noDeadline, systemClock } from '../../packages/base/src/runtime/time.ts';
import { inlineEngine } from '../../packages/engine/src/inline-engine.ts';
import { createPruner } from '../../packages/engine/src/pruner.ts';
import { scoreLexically } from '../../packages/engine/src/ranking/lexical-scorer.ts';
import { createLocalScorer } from '../../packages/engine/src/ranking/local-scorer.ts';
import type { LineScorer } from '../../packages/engine/src/ranking/scorer.ts';
import { createNeighbourNetwork } from '../../packages/engine/src/ranking/scorers/local/network.ts';
import { readWeights } from '../../packages/engine/src/ranking/scorers/local/weights.ts';
import { createRecovery } from '../../packages/engine/src/recovery/recovery.ts';
import { MemoryStore } from '../../packages/engine/src/recovery/stores/memory.ts';
import { type Example, foldOf } from './examples.ts';

/** Text that one way of pruning kept. */
export interface Kept {
  /** 0-based lines that stayed. */
  lines: ReadonlySet<number>;
  /** Characters of the answer, markers included. */
  characters: number;
  tokensShare: number;
}

/** The product's own answer to `prune_text`, ranked by a network that never saw the example's group. */
export type RealPruning = (example: Example, ratio: number) => Promise<Kept>;

const FOLD_FOLDER = new URL('./folds/', import.meta.url);

/** One scorer a fold; `shipped` instead takes the packaged weights for every example, the example's own group included. */
export function foldScorers(shipped: boolean): (group: string) => LineScorer {
  const packaged = createLocalScorer();
  const folds = [0, 1, 2, 3].map((fold) => {
    const weights = readWeights(readFileSync(new URL(`neighbours-${fold}.bin`, FOLD_FOLDER)));
    const network = createNeighbourNetwork(weights);
    return createLocalScorer(() => ({ network }));
  });
  return (group) => (shipped ? packaged : (folds[foldOf(group)] ?? packaged));
}

export function realPruning(scorers: (group: string) => LineScorer): RealPruning {
  const memory = rememberLast();
  return async (example, ratio) => {
    const store = new MemoryStore({ ttlMs: 60_000, maxBytes: 64 << 20, clock: systemClock, randomBytes });
    const scorer: LineScorer = (request) =>
      memory(example.id, () => scorers(example.group)({ ...request, deadline: noDeadline }));
    const pruner = createPruner({
      engine: inlineEngine({ scorer, clock: systemClock }),
      clock: systemClock,
      maxInputChars: 2_000_000,
      recovery: createRecovery({ store, randomBytes: (size) => Buffer.alloc(size, 7) }),
    });
    const options = {
      maxPruneRatio: ratio,
      minKeepLines: 0,
      timeoutMs: 600_000,
      annotateLines: false,
      includeMarkers: true,
      markers: 'canonical' as const,
    };
    const { text, goal, sourceType } = example;
    const { annotations, prunedText, stats } = await pruner.prune({
      text,
      focus: { question: goal },
      sourceType,
      options,
    });
    const lines = new Set(example.lines.keys());
    for (const { start, end } of annotations)
      for (let line = start - 1; line < end; line += 1) lines.delete(line);
    return {
      lines,
      characters: prunedText.length,
      tokensShare: stats.tokensAfter / Math.max(1, stats.tokensBefore),
    };
  };
}

/** The three ratios of one example share its scores. */
function rememberLast(): (key: string, make: () => ReturnType<LineScorer>) => ReturnType<LineScorer> {
  let last: { key: string; scores: ReturnType<LineScorer> } | undefined;
  return (key, make) => {
    if (last?.key !== key) last = { key, scores: make() };
    return last.scores;
  };
}

export function lexicalScores({ lines, goal }: Example): Float64Array {
  return scoreLexically({ lines, focus: { question: goal } }).scores;
}
