/**
 * Share of the lines a goal needs that survive: the real answer of prune_text beside rivals given as many
 * characters, and ranking alone.
 *
 *   npm run bench:quality -- [folder of JSON lines, default ../shared/eval, else our own examples] [--sample 60]
 *     [--sets logs-,tool-] [--ratios 0.7,0.95] [--shipped] [--no-ranking]
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { scoreLexically } from '../packages/engine/src/ranking/lexical-scorer.ts';
import { type Example, readSets } from './quality/examples.ts';
import { recall } from './quality/figures.ts';
import { foldScorers, type Kept, realPruning } from './quality/pruning.ts';
import { RATIOS, rankingFigures } from './quality/ranking.ts';
import { fill, RIVALS } from './quality/rivals.ts';
import { printRanking, printReal, type RankedRow, type RealRow } from './quality/tables.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '1000000' },
    sets: { type: 'string', default: '' },
    ratios: { type: 'string', default: RATIOS.join(',') },
    shipped: { type: 'boolean', default: false },
    'no-ranking': { type: 'boolean', default: false },
  },
});

/** Steps of the search for a ratio. */
const STEPS = 5;
const shared = fileURLToPath(new URL('../../shared/eval', import.meta.url));
const own = fileURLToPath(new URL('./quality/examples', import.meta.url));
const folder = positionals[0] ?? (existsSync(shared) ? shared : own);
const wanted = values.sets.split(',');
const scorers = foldScorers(values.shipped);
const prune = realPruning(scorers);
const pruneByWords = realPruning(() => scoreLexically);

const real: RealRow[] = [];
const ranked: RankedRow[] = [];
for (const [set, examples] of readSets(folder, Number(values.sample))) {
  if (!wanted.some((prefix) => set.startsWith(prefix))) continue;
  for (const example of examples) await measure(example);
  process.stderr.write(`${set}: ${examples.length} examples\n`);
}
printReal(real);
if (!values['no-ranking']) printRanking(ranked);

async function measure(example: Example): Promise<void> {
  const orders = Object.entries(RIVALS).map(([name, order]) => [name, order(example)] as const);
  for (const ratio of values.ratios.split(',').map(Number)) {
    const kept = await prune(example, ratio);
    const rivals = orders.map(([name, order]) => [
      name,
      recall(example, fill(order, example.lines, kept.characters)),
    ]);
    const byWords = await keptByWords(example, kept.characters);
    real.push({
      set: example.set,
      group: example.group,
      ratio,
      ours: recall(example, kept.lines),
      rivals: Object.fromEntries(rivals) as Record<string, number>,
      byWords: recall(example, byWords.lines),
      byWordsCharacters: byWords.characters / Math.max(1, example.text.length),
      characters: kept.characters / Math.max(1, example.text.length),
      tokens: kept.tokensShare,
    });
  }
  if (values['no-ranking']) return;
  ranked.push({ set: example.set, ...rankingFigures(example, scorers(example.group)) });
}

/** Our own pruner with BM25, at the ratio whose answer is nearest to so many characters. */
async function keptByWords(example: Example, characters: number): Promise<Kept> {
  let low = 0;
  let high = 1;
  let best = await pruneByWords(example, high);
  for (let step = 0; step < STEPS; step += 1) {
    const ratio = (low + high) / 2;
    const kept = await pruneByWords(example, ratio);
    if (Math.abs(kept.characters - characters) < Math.abs(best.characters - characters)) best = kept;
    if (kept.characters > characters) low = ratio;
    else high = ratio;
  }
  return best;
}
