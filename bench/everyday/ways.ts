/** Ways to shorten the output of a situation: the hook's own, and baselines with as many characters. */

import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { splitLines } from '../../packages/base/src/text/lines.ts';
import { estimateTokens } from '../../packages/base/src/text/token-estimate.ts';
import { cutText } from '../../packages/engine/src/cut.ts';
import { DEFAULT_SIZES } from '../../packages/engine/src/policy/policy.ts';
import { scoreLexically } from '../../packages/engine/src/ranking/lexical-scorer.ts';
import { createLocalScorer } from '../../packages/engine/src/ranking/local-scorer.ts';
import { type Focus, goalText } from '../../packages/engine/src/ranking/scorer.ts';
import { layOutJson } from '../../packages/engine/src/reading/json-tree.ts';
import { callText, DEFAULT_LEAST, kindOfText, type PrunedBlock } from '../../packages/engine/src/request.ts';
import { byScore, fill } from '../quality/rivals.ts';
import { originOf, type Situation } from './situation.ts';

/** Text that one way shows of an output. */
export interface Shown {
  /** Markers included. */
  readonly characters: number;
  /** Whether a line, 1-based, is shown in full. */
  isInView(line: number): boolean;
}

export interface OurCut extends Shown {
  readonly text: string;
  /** The output as it was cut: JSON in one line is laid out. */
  readonly whole: string;
  readonly gaps: readonly PrunedBlock[];
}

const parts = { scorer: createLocalScorer(), clock: systemClock };
const TIMEOUT_MS = 60_000;
const OPTIONS = {
  maxPruneRatio: 0.95,
  minKeepLines: 0,
  timeoutMs: TIMEOUT_MS,
  annotateLines: false,
  includeMarkers: true,
  markers: 'compact',
  least: DEFAULT_LEAST,
} as const;

/** Cuts an output as the hook does. */
export function cutLikeHook(situation: Situation): OurCut {
  const { output } = situation;
  const laidOut = output.length > DEFAULT_SIZES.maxUnchangedChars ? layOutJson(output) : undefined;
  const text = laidOut ?? output;
  const cameAs = {
    id: 'prn_0000000001',
    characters: output.length,
    tokens: estimateTokens(output),
  };
  const kind = { ...kindOfText(originOf(situation), output), ...(laidOut !== undefined && { cameAs }) };
  const request = { text, focus: focusOf(situation), ...kind, intent: 'implicit' as const, options: OPTIONS };
  const cut = cutText({ id: 'prn_0000000000', remainingMs: TIMEOUT_MS, request }, parts);
  const gaps = cut?.annotations ?? [];
  const hidden = new Set(gaps.flatMap(linesOf));
  const shown = cut === undefined || gaps.length === 0 ? output : cut.prunedText;
  return { text: shown, whole: text, gaps, characters: shown.length, isInView: (line) => !hidden.has(line) };
}

function linesOf({ start, end }: PrunedBlock): number[] {
  return Array.from({ length: end - start + 1 }, (_, at) => start + at);
}

function focusOf(situation: Situation): Focus {
  const { said, task, tool } = situation;
  const command = callText(originOf(situation), tool);
  return { question: said === '' ? task : said, task, ...(command !== '' && { command }), shown: [] };
}

/** Shows the lines that BM25 ranks first, as many as fit into `characters`. */
export function bestByWords(situation: Situation, characters: number): Shown {
  const lines = splitLines(situation.output);
  const { scores } = scoreLexically({ lines, focus: { question: goalText(focusOf(situation)) } });
  return filled(byScore(scores), lines, characters);
}

/** Shows the first and last lines, as many as fit into `characters`. */
export function headAndTail({ output }: Situation, characters: number): Shown {
  const lines = splitLines(output);
  const order = lines.map((_, at) => (at % 2 === 0 ? at / 2 : lines.length - (at + 1) / 2));
  return filled(order, lines, characters);
}

function filled(order: readonly number[], lines: readonly string[], characters: number): Shown {
  const kept = fill(order, lines, characters + 1);
  const length = [...kept].reduce((sum, line) => sum + (lines[line] ?? '').length + 1, 0);
  return { characters: length, isInView: (line) => kept.has(line - 1) };
}

export function unchanged({ output }: Situation): Shown {
  return { characters: output.length, isInView: () => true };
}
