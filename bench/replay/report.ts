import type { ReplayedStep } from '../../packages/secateur/src/replay/replay.ts';
import type { EqualCharacters } from './equal-characters.ts';
import type { LabelledRun } from './labelled-runs.ts';
import { addStep, emptySums, prices, type Sums } from './sums.ts';

export type ReplayedOutput = ReplayedStep & { kind: string };

interface Way {
  all: Sums;
  byKind: Map<string, Sums>;
  bySize: Map<string, Sums>;
  runs: number;
  priceBefore: number;
  priceAfter: number;
  /** The worst run's price after, as a multiple of before. */
  dearest: number;
  dearerRuns: number;
}

const SIZES = [300, 600, 1200, 2500] as const;
const DEARER = 1.02;

/** Collects what each way of cutting did, and prints it as tables. */
export class Report {
  readonly #ways = new Map<string, Way>();
  readonly #equal: EqualCharacters = { used: 0, ours: 0, bm25: 0, headAndTail: 0 };
  #unnamedTokens = 0;

  add(name: string, run: LabelledRun, steps: readonly ReplayedOutput[]): void {
    const way = this.#ways.get(name) ?? newWay();
    this.#ways.set(name, way);
    way.runs += 1;
    for (const step of steps) {
      addStep(way.all, step);
      addStep(entry(way.byKind, step.kind), step);
      addStep(entry(way.bySize, sizeOf(step.tokensBefore)), step);
    }
    const { before, after } = prices(run.promptTokens, steps);
    way.priceBefore += before;
    way.priceAfter += after;
    way.dearest = Math.max(way.dearest, after / before);
    if (after > before * DEARER) way.dearerRuns += 1;
  }

  addEqual(compared: readonly EqualCharacters[]): void {
    for (const each of compared) {
      this.#equal.used += each.used;
      this.#equal.ours += each.ours;
      this.#equal.bm25 += each.bm25;
      this.#equal.headAndTail += each.headAndTail;
    }
  }

  addUnnamed(tokens: number): void {
    this.#unnamedTokens += tokens;
  }

  print(processorMs: number): void {
    const [first] = this.#ways.values();
    if (first === undefined) return;
    console.log(
      `\n${first.runs} runs, ${first.all.outputs} outputs, ${first.all.tokensBefore} tokens; ${Math.round(processorMs)} ms of processor time\n`,
    );
    console.log(
      '| way | saved | net of recoveries | used lines seen | copied lines seen here | here or earlier | recoveries a run | price of runs | dearest run | runs dearer by > 2 % |',
    );
    console.log('|---|---|---|---|---|---|---|---|---|---|');
    for (const [name, way] of this.#ways) {
      const price = way.priceAfter / way.priceBefore - 1;
      console.log(
        `| ${name} | ${figures(way.all)} | ${(way.all.recoveries / way.runs).toFixed(2)} | ${percent(price)} | ${percent(way.dearest - 1)} | ${way.dearerRuns} |`,
      );
    }
    printGroups('kind of command', first.byKind);
    printGroups('tokens of the output', first.bySize);
    const { tokensBefore, tokensAfter, recoveryTokens } = first.all;
    const net = tokensBefore - tokensAfter - recoveryTokens;
    console.log(
      `\nConservative reading: hidden lines that no label can name (short, repeated, shown before) are ${percent(this.#unnamedTokens / tokensBefore)} of all tokens; were all of them needed, ${percent((net - this.#unnamedTokens) / tokensBefore)} would be saved net.`,
    );
    const { used, ours, bm25, headAndTail } = this.#equal;
    if (used === 0) return;
    console.log(
      `\nUsed lines shown in the outputs we cut, at equal characters (${used}): Sécateur ${percent(ours / used)}, BM25 with the whole focus ${percent(bm25 / used)}, head and tail ${percent(headAndTail / used)}.`,
    );
  }
}

function newWay(): Way {
  return {
    all: emptySums(),
    byKind: new Map(),
    bySize: new Map(),
    runs: 0,
    priceBefore: 0,
    priceAfter: 0,
    dearest: 0,
    dearerRuns: 0,
  };
}

function entry(map: Map<string, Sums>, key: string): Sums {
  const found = map.get(key) ?? emptySums();
  map.set(key, found);
  return found;
}

function sizeOf(tokens: number): string {
  const above = SIZES.filter((size) => tokens >= size).at(-1);
  const below = SIZES.find((size) => tokens < size);
  if (above === undefined) return `below ${below}`;
  return below === undefined ? `${above} and more` : `${above} to ${below}`;
}

function printGroups(title: string, groups: ReadonlyMap<string, Sums>): void {
  console.log(
    `\n| ${title} | outputs | tokens | saved | net of recoveries | used lines seen | copied lines seen here | here or earlier |`,
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [name, sums] of [...groups].sort(([left], [right]) => (left < right ? -1 : 1)))
    console.log(`| ${name} | ${sums.outputs} | ${sums.tokensBefore} | ${figures(sums)} |`);
}

function figures(sums: Sums): string {
  const saved = sums.tokensBefore - sums.tokensAfter;
  return [
    saved / sums.tokensBefore,
    (saved - sums.recoveryTokens) / sums.tokensBefore,
    sums.usedSeen / sums.used,
    sums.copiedSeen / sums.copied,
    sums.copiedSeenHereOrEarlier / sums.copied,
  ]
    .map(percent)
    .join(' | ');
}

function percent(share: number): string {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : '–';
}
