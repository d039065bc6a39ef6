import { COMMAND_KINDS, commandKind } from '../../src/ranking/command-kind.ts';
import { bareLine } from '../../src/ranking/focus/bare-line.ts';
import { type Focus, textHash } from '../../src/ranking/focus.ts';
import type { LineScorer } from '../../src/ranking/scorer.ts';
import type { Cutter } from '../../src/replay/replay.ts';
import type { LineRange } from '../../src/text/lines.ts';
import { estimateTokensExactly } from '../../src/text/token-estimate.ts';
import type { LabelledRun } from './labelled-runs.ts';

const SHORT = 24;
const SIZES = [30, 100];
const CELLS = COMMAND_KINDS.length * 8 * (SIZES.length + 1);

/** The baseline any model must beat: how often lines are used by kind of command, short or not, repeated or not, seen or not, size. */
export class LookupTable {
  readonly #lines = new Float64Array(CELLS);
  readonly #used = new Float64Array(CELLS);

  learn(run: LabelledRun): void {
    const seen = new Set<number>();
    for (const [at, { command, output }] of run.steps.entries()) {
      const used = new Set(run.labels[at]?.used);
      for (const [index, cell] of cellsOf(output.split('\n'), { question: '', command, seen }).entries()) {
        this.#lines[cell] = (this.#lines[cell] ?? 0) + 1;
        if (used.has(index + 1)) this.#used[cell] = (this.#used[cell] ?? 0) + 1;
      }
      for (const line of output.split('\n')) seen.add(textHash(bareLine(line)));
    }
  }

  /** In the place of our trees: what the table is worth under our own rules and prices. */
  readonly scorer: LineScorer = ({ lines, focus }) => {
    const probabilities = Float64Array.from(cellsOf(lines, focus), (cell) => this.#probability(cell));
    const scores = probabilities.map((probability) => Math.log(probability / (1 - probability)));
    return { scores, areLogOdds: true, probabilities, kind: commandKind(focus.command ?? ''), tier: 'table' };
  };

  #probability(cell: number): number {
    return ((this.#used[cell] ?? 0) + 0.2) / ((this.#lines[cell] ?? 0) + 5);
  }

  /** With the same stop as ours, free of all other rules: a line goes where its tokens cost more than the harm of missing it. */
  cutter(loss: number, markerTokens: number): Cutter {
    return ({ output }, focus) => {
      const lines = output.split('\n');
      const tokens = lines.map((line) => estimateTokensExactly(`${line}\n`));
      const harm = cellsOf(lines, focus).map((cell) => loss * this.#probability(cell));
      const gaps = output.length < 1000 ? [] : cheapestGaps(tokens, harm, markerTokens);
      return { text: rendered(lines, gaps, markerTokens), gaps };
    };
  }
}

function cellsOf(lines: readonly string[], focus: Focus): number[] {
  const bare = lines.map(bareLine);
  const counts = new Map<string, number>();
  for (const line of bare) counts.set(line, (counts.get(line) ?? 0) + 1);
  const kind = COMMAND_KINDS.indexOf(commandKind(focus.command ?? ''));
  const size = SIZES.filter((limit) => bare.length >= limit).length;
  return bare.map((line) => {
    const isSeen = line.length >= 8 && focus.seen?.has(textHash(line)) === true;
    const facts = [line.length < SHORT, (counts.get(line) ?? 0) > 2, isSeen];
    const fact = facts.reduce((sum, isTrue, at) => sum + (isTrue ? 2 ** at : 0), 0);
    return (kind * 8 + fact) * (SIZES.length + 1) + size;
  });
}

/** Keeping costs tokens, dropping costs harm, opening a gap costs a marker: the cheapest way through. */
function cheapestGaps(tokens: readonly number[], harm: readonly number[], marker: number): LineRange[] {
  const from: [kept: boolean, cut: boolean][] = [];
  let [kept, cut] = [0, Number.POSITIVE_INFINITY];
  for (const [line, count] of tokens.entries()) {
    const opened = kept + marker;
    from.push([cut < kept, cut <= opened]);
    [kept, cut] = [Math.min(kept, cut) + count, Math.min(cut, opened) + (harm[line] ?? 0)];
  }
  return walkBack(from, cut < kept);
}

/** Whether the line before was cut, for a line that is kept and for one that is cut, read from the end. */
function walkBack(from: readonly [kept: boolean, cut: boolean][], endsCut: boolean): LineRange[] {
  const gaps: LineRange[] = [];
  let isCut = endsCut;
  for (let line = from.length; line >= 1; line -= 1) {
    const first = gaps[0];
    if (isCut && first?.start === line + 1) first.start = line;
    else if (isCut) gaps.unshift({ start: line, end: line });
    isCut = from[line - 1]?.[isCut ? 1 : 0] ?? false;
  }
  return gaps;
}

function rendered(lines: readonly string[], gaps: readonly LineRange[], markerTokens: number): string {
  const marker = Array.from({ length: Math.round(markerTokens) }, () => '✂').join(' ');
  const kept: string[] = [];
  let next = 1;
  for (const { start, end } of gaps) {
    kept.push(...lines.slice(next - 1, start - 1), marker);
    next = end + 1;
  }
  return [...kept, ...lines.slice(next - 1)].join('\n');
}
