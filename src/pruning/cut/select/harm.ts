import type { CommandKind } from '../../../ranking/command-kind.ts';
import type { AskedBack } from '../../../ranking/focus.ts';
import type { SourceType } from '../../../ranking/scorer.ts';
import type { Frames } from '../frames.ts';
import { sharesOfNeed } from './need.ts';

export interface JudgedLines {
  scores: Float64Array;
  areLogOdds: boolean;
  sourceType: SourceType;
  /** How likely each line is used, and the kind of command that printed it: where the scorer knows the run. */
  probabilities?: Float64Array;
  kind?: CommandKind;
  askedBack?: AskedBack | undefined;
  /** Estimated tokens of each line. */
  tokens: Float64Array;
  maxPruneRatio: number;
}

/**
 * What missing each line would cost its reader, in tokens: how likely the line is needed, times the price of a lost line. Lines that give
 * order (a signature, an import, a heading) are worth their tokens beyond that.
 */
export function harmOfLines(judged: JudgedLines, frames: Frames): Float64Array {
  const { probabilities, tokens } = judged;
  const harm = probabilities === undefined ? harmByShare(judged) : harmInRun(judged, probabilities);
  const worth = probabilities === undefined ? STRUCTURE_WORTH / priceOfToken(judged) : STRUCTURE_WORTH_IN_RUN;
  for (const { start, end } of [...frames.structural, ...frames.frames.map(({ head }) => head)])
    for (let line = start - 1; line < end; line += 1)
      harm[line] = (harm[line] as number) + worth * (tokens[line] as number);
  return harm;
}

/** As shares of the average text. */
const STRUCTURE_WORTH = 1;
const STRUCTURE_WORTH_IN_RUN = 0.1;

/** Without a run the network tells which lines are needed most, not how many: what is lost with all of them is the text. */
function harmByShare(judged: JudgedLines): Float64Array {
  const all = sumOf(judged.tokens) / priceOfToken(judged);
  return sharesOfNeed(judged).map((share) => share * all);
}

/** What the average text must bring to stay: the more may go, the dearer. Documents are cut later, and then as far: at .7 a section more stays. */
const PRICE: Readonly<Record<SourceType, { base: number; power: number }>> = {
  code: { base: 0.43, power: 0.5 },
  logs: { base: 0.43, power: 0.5 },
  docs: { base: 0.25, power: 0.75 },
};

function priceOfToken({ sourceType, maxPruneRatio }: JudgedLines): number {
  const { base, power } = PRICE[sourceType];
  return base / Math.max(0.01, 1 - maxPruneRatio) ** power;
}

function harmInRun(judged: JudgedLines, probabilities: Float64Array): Float64Array {
  const price = priceOfLostLine(judged);
  return probabilities.map((probability) => price * probability);
}

/** What a line that is missed costs in this text, in tokens, where it is known how likely each is used. */
export function priceOfLostLine({
  kind = 'other',
  tokens,
  askedBack,
}: Pick<JudgedLines, 'kind' | 'tokens' | 'askedBack'>): number {
  const isLong = sumOf(tokens) > LONG_OUTPUT;
  const care = CUT_FROM_THE_FIRST.has(kind) ? 0 : CARE_AT_FIRST;
  return LOSS[kind] * (isLong ? LONG_OUTPUT_LOSS : 1) * needOfRun(care, askedBack);
}

/** A run begins as if so much of a range had been asked back: where little was saved yet, one recovery costs more than all of it. */
const CARE_AT_FIRST = 0.3;
/** Searches and listings are long for what they say, and a narrower one brings the rest. */
const CUT_FROM_THE_FIRST: ReadonlySet<CommandKind> = new Set<CommandKind>(['search', 'listing']);
/** Of the gaps a run shows, so many are asked back on the average. */
const ASKED_BACK_SHARE = 0.02;

/**
 * How much more this run needs than others, by what its agent asked back: one range more than expected nearly doubles it, the more gaps were left
 * alone the less. Silence lowers nothing further: an agent that never asks may not know how.
 */
function needOfRun(care: number, { gaps, recoveries }: AskedBack = { gaps: 0, recoveries: 0 }): number {
  return Math.max(1, (1 + care + recoveries) / (1 + ASKED_BACK_SHARE * gaps));
}

/** The price of a line that is missed, in tokens: what it takes to notice, to ask and to read again. Fitted out of fold. */
const LOSS: Readonly<Record<CommandKind, number>> = {
  read: 270,
  search: 215,
  listing: 700,
  tests: 350,
  script: 300,
  git: 205,
  other: 255,
};
/** In a long output more is lost with a line: it is what the agent called for. */
const LONG_OUTPUT = 2500;
const LONG_OUTPUT_LOSS = 1.1;

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
